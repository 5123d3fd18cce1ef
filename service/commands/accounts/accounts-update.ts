import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { accountDocument, accountFields, readTerms, termFlags } from '../../operator/account-view.ts';
import { CommandError } from '../../operator/command-error.ts';
import { asOperator } from '../../operator/operator.ts';

export const accountsUpdate: ServiceCommand = {
  description:
    'Changes the terms of an account. Terms without a flag stay as they are. Every node applies the change within five seconds. A smaller plan removes no existing domain.',
  examples: [
    'service accounts update acc_01k… --plan growth',
    'service accounts update acc_01k… --promotional --no-card-on-file --trial-ends-at none',
  ],
  args: [accountArgument],
  flags: termFlags,
  async run(call) {
    const change = readTerms(call);
    if (Object.keys(change).length === 0) {
      throw new CommandError(
        'usage',
        'There is nothing to change.',
        'Add a flag with a change, such as --plan growth.',
      );
    }
    const account = await asOperator(call, async ({ context, actor }) =>
      changeAccount(context, actor, await readAccountId(context, call), change),
    );
    return { document: { account: accountDocument(account) }, view: { fields: accountFields(account) } };
  },
};
