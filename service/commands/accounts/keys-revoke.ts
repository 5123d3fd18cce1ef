import { revokeAccountKey } from '../../../shared/operations/operator/keys.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { asOperator } from '../../operator/operator.ts';

export const keysRevoke: ServiceCommand = {
  description: 'Revokes a key of an account. Every node refuses it within five seconds.',
  examples: ['service keys revoke acc_01k… key_01k…'],
  args: [accountArgument, { name: 'key', description: 'Id of the key, key_…' }],
  async run(call) {
    const id = call.args['key'] ?? '';
    await asOperator(call, async ({ context, actor }) =>
      revokeAccountKey(context, actor, await readAccountId(context, call), id),
    );
    return {
      document: { id, revoked: true },
      view: {
        fields: [
          ['id', id],
          ['revoked', 'yes'],
        ],
      },
    };
  },
};
