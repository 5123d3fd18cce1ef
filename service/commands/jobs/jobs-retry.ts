import { timestamp } from '../../../shared/core/instant.ts';
import { retryJob } from '../../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

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
