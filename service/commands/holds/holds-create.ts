import { timestamp } from '../../../shared/core/instant.ts';
import { hold } from '../../../shared/operations/operator/holds.ts';
import type { ServiceCommand } from '../../command.ts';
import { asOperator } from '../../operator/operator.ts';

export const holdsCreate: ServiceCommand = {
  description:
    'Holds a hostname for review: an exact name, or *.name for all names below it. Existing domains with such a hostname become held and stop serving; new ones are refused. Repeating a hold has no further effect.',
  examples: [
    'service holds create login.acme.com --reason "reported as phishing"',
    "service holds create '*.acme.com'",
  ],
  args: [{ name: 'hostname', description: 'The name, or *.name' }],
  flags: { reason: { summary: 'The reason, shown only to operators', kind: 'text' } },
  async run(call) {
    const { reason } = call.flags;
    const { hostname, ...held } = await asOperator(call, ({ context, actor }) =>
      hold(context, actor, call.args['hostname'] ?? '', reason === undefined ? null : String(reason)),
    );
    const createdAt = timestamp(held.created_at);
    return {
      document: { hostname, reason: held.reason, created_at: createdAt },
      view: {
        fields: [
          ['hostname', hostname],
          ['reason', held.reason],
          ['created at', createdAt],
        ],
      },
    };
  },
};
