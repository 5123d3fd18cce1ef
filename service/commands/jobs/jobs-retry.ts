import { timestamp } from '../../../shared/core/instant.ts';
import { retryJob } from '../../../shared/operations/operator/jobs.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const jobsRetry: ServiceCommand = {
  description: 'Makes a job due now, and takes it from the worker that holds it, if one does.',
  examples: ['service jobs retry check_dns dom_01k…', 'service jobs retry prune store'],
  args: [
    { name: 'kind', description: 'Kind of the job, as service jobs list shows it' },
    { name: 'subject', description: 'Its subject, such as dom_…' },
  ],
  async run(call) {
    const { kind = '', subject = '' } = call.args;
    const due_at = timestamp(
      await asOperator(call, ({ context, actor }) => retryJob(context, actor, kind, subject)),
    );
    return {
      document: { kind, subject_id: subject, due_at },
      view: {
        fields: [
          ['kind', kind],
          ['subject', subject],
          ['due at', due_at],
        ],
      },
    };
  },
};
