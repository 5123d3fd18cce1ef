import { timestamp } from '../../shared/core/instant.ts';
import { getBacklogByApp, type JobQuery, listJobs, retryJob } from '../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../command.ts';
import { limitFlag, readLimit } from './operator/arguments.ts';
import { CommandError } from './operator/command-error.ts';
import { documentRows } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

export const jobsList: ServiceCommand = {
  description:
    'Lists scheduled jobs, next due first. With --due, lists only jobs that are due now. With --stuck, lists only jobs that have failed to finish at least three times.',
  examples: ['service jobs list --due', 'service jobs list --stuck --json'],
  flags: {
    due: { summary: 'Only jobs that are due now', kind: 'switch' },
    stuck: { summary: 'Only jobs that fail repeatedly', kind: 'switch' },
    limit: limitFlag,
  },
  async run(call) {
    const { due, stuck } = call.flags;
    if (due && stuck) {
      throw new CommandError('usage', '--due and --stuck exclude each other.', 'Use one of them.');
    }
    const query: JobQuery = {
      limit: readLimit(call),
      ...(due && { only: 'due' }),
      ...(stuck && { only: 'stuck' }),
    };
    const jobs = await asOperator(call, ({ context }) => listJobs(context, query));
    const data = jobs.map((job) => ({ ...job, due_at: timestamp(job.due_at) }));
    return {
      document: { data },
      view: {
        columns: ['kind', 'subject', 'app', 'due at', 'attempts', 'leased'],
        rows: documentRows(data, ['kind', 'subject_id', 'app_id', 'due_at', 'attempts', 'leased']),
        none: 'No jobs match.',
      },
    };
  },
};

export const jobsRetry: ServiceCommand = {
  description: 'Makes a job due now. If a worker has claimed the job, its claim ends.',
  examples: ['service jobs retry check_dns dom_01k…', 'service jobs retry prune store'],
  args: [
    { name: 'kind', description: 'Kind of the job, as shown by service jobs list' },
    { name: 'subject', description: 'Subject of the job, such as dom_…' },
  ],
  async run(call) {
    const { kind = '', subject = '' } = call.args;
    const dueAt = timestamp(
      await asOperator(call, ({ context, actor }) => retryJob(context, actor, kind, subject)),
    );
    return {
      document: { kind, subject_id: subject, due_at: dueAt },
      view: {
        fields: [
          ['kind', kind],
          ['subject', subject],
          ['due at', dueAt],
        ],
      },
    };
  },
};

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
