import { timestamp } from '../../../shared/core/instant.ts';
import { type JobQuery, listJobs } from '../../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../../command.ts';
import { CommandError } from '../../operator/command-error.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

export const jobsList: ServiceCommand = {
  description:
    'Lists what the service still owes, the next due first: --due only what is due now, --stuck only what was started three times or more without an end.',
  examples: ['service jobs list --due', 'service jobs list --stuck --json'],
  flags: {
    due: { summary: 'Only what is due now', kind: 'switch' },
    stuck: { summary: 'Only what fails again and again', kind: 'switch' },
    limit: limitFlag,
  },
  async run(call) {
    const { due, stuck } = call.flags;
    if (due && stuck) {
      throw new CommandError('usage', '--due and --stuck are two lists.', 'Ask for one of them.');
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
        none: 'There are no such jobs.',
      },
    };
  },
};
