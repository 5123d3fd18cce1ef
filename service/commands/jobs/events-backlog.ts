import { getBacklogByApp } from '../../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../../command.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

export const eventsBacklog: ServiceCommand = {
  description:
    'Shows for each app how many domains have an event that is due and that no worker has claimed, longest delay first. Also shows how many events are pending in total, including retries. Counts stop at 100000.',
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
        none: 'No deliveries are due.',
      },
      after: [`${events_pending} events are pending; ${lanes_due} domains have an event that is due.`],
    };
  },
};
