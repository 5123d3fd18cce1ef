import { getAccount } from '../../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { accountDocument, accountFields } from '../../operator/account-view.ts';
import { asOperator } from '../../operator/operator.ts';

export const accountsGet: ServiceCommand = {
  description: 'Shows an account and its apps.',
  examples: ['service accounts get acc_01k…', 'service accounts get "Acme Careers"'],
  args: [accountArgument],
  async run(call) {
    const { account, apps } = await asOperator(call, async ({ context }) =>
      getAccount(context, await readAccountId(context, call)),
    );
    // Shows only fields that identify an app, because its row also holds a sealed secret.
    const shown = apps.map(({ id, name, webhook_url, origin_url }) => ({
      id,
      name,
      webhook_url,
      origin_url,
    }));
    return {
      document: { account: accountDocument(account), apps: shown },
      view: {
        fields: [
          ...accountFields(account),
          ...shown.map(({ id, name }) => ['app', `${id} ${name}`] as const),
        ],
      },
    };
  },
};
