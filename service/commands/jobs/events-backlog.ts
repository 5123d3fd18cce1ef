import { getBacklogByApp } from '../../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../../command.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

export const eventsBacklog: ServiceCommand = {
  description:
    'Shows how many domains have an event that is due and not taken, app by app, the longest waiting first, and how many events wait in all, retries included. Counts end at 100000.',
  examples: ['service events backlog', 'service events backlog --json'],
  flags: { limit: limitFlag },
  async run(call) {
    const { backlog, apps } = await asOperator(call, ({ context }) =>
      getBacklogByApp(context, readLimit(call)),
    );
    const { lanes_due, lanes_late_ms, events_pending } = backlog;
    return {
      document: { lanes_due, lanes_late_ms, events_pending, apps },
      view: {
        columns: ['app', 'domains due', 'late'],
        rows: apps.map((app) => [app.app_id, app.lanes_due, `${Math.round(app.late_ms / 1000)} s`]),
        none: 'Nothing is due.',
      },
      after: [`${events_pending} events wait for delivery, ${lanes_due} domains have one that is due.`],
    };
  },
};
