import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { accountDocument, accountFields } from '../../operator/account-view.ts';
import { asOperator } from '../../operator/operator.ts';

export const accountsSuspend: ServiceCommand = {
  description:
    'Suspends an account: its changes are refused with 403 account_suspended, within five seconds on every node. Reads, checks, renewals, serving and webhooks go on.',
  examples: ['service accounts suspend acc_01k…'],
  args: [accountArgument],
  async run(call) {
    const account = await asOperator(call, async ({ context, actor }) =>
      changeAccount(context, actor, await readAccountId(context, call), { suspended: true }),
    );
    return { document: { account: accountDocument(account) }, view: { fields: accountFields(account) } };
  },
};
