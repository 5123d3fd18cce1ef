import { changeAccount } from '../../shared/operations/operator/accounts.ts';
import { accountDocument, accountFields } from '../account-view.ts';
import type { ServiceCommand } from '../command.ts';
import { asOperator } from '../operator.ts';

export const accountsSuspend: ServiceCommand = {
  description:
    'Suspends an account: its changes are refused with 403 account_suspended, within five seconds on every node. Reads, checks, renewals, serving and webhooks go on.',
  examples: ['service accounts suspend acc_01k…'],
  args: [{ name: 'id', description: 'Id of the account, acc_…' }],
  async run(call) {
    const account = await asOperator(call, ({ context, actor }) =>
      changeAccount(context, actor, call.args['id'] ?? '', { suspended: true }),
    );
    return { document: { account: accountDocument(account) }, view: { fields: accountFields(account) } };
  },
};
