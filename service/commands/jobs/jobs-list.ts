import { timestamp } from '../../../shared/core/instant.ts';
import { type JobQuery, listJobs } from '../../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../../command.ts';
import { CommandError } from '../../operator/command-error.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

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
        rows: data.map((job) => [
          job.kind,
          job.subject_id,
          job.app_id,
          job.due_at,
          job.attempts,
          job.leased ? 'yes' : 'no',
        ]),
        none: 'No jobs match.',
      },
    };
  },
};
