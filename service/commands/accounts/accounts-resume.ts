import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { accountDocument, accountFields } from '../../operator/account-view.ts';
import { asOperator } from '../../operator/operator.ts';

export const accountsResume: ServiceCommand = {
  description: 'Ends the suspension of an account. Every node accepts its changes again within five seconds.',
  examples: ['service accounts resume acc_01k…'],
  args: [accountArgument],
  async run(call) {
    const account = await asOperator(call, async ({ context, actor }) =>
      changeAccount(context, actor, await readAccountId(context, call), { suspended: false }),
    );
    return { document: { account: accountDocument(account) }, view: { fields: accountFields(account) } };
  },
};
