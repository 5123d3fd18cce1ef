import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { accountDocument, accountFields } from '../../operator/account-view.ts';
import { asOperator } from '../../operator/operator.ts';

export const accountsSuspend: ServiceCommand = {
  description:
    'Suspends an account. Within five seconds, every node refuses its changes with 403 account_suspended. Reads, DNS checks, renewals, traffic and webhooks continue.',
  examples: ['service accounts suspend acc_01k…'],
  args: [accountArgument],
  async run(call) {
    const account = await asOperator(call, async ({ context, actor }) =>
      changeAccount(context, actor, await readAccountId(context, call), { suspended: true }),
    );
    return { document: { account: accountDocument(account) }, view: { fields: accountFields(account) } };
  },
};
