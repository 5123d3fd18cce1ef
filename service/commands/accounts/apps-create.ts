import { openApp } from '../../../shared/operations/operator/apps.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { asOperator } from '../../operator/operator.ts';
import { readTrimmedName } from '../../operator/read-name.ts';

export const appsCreate: ServiceCommand = {
  description:
    "Adds an app to an account. Prints its first keys and its signing secret, which are not shown again. The apps of an account share its plan and its limit of domains. The app gets a live key if the account's terms allow one.",
  examples: ['service apps create acc_01k… "Acme Shops"'],
  args: [accountArgument, { name: 'name', description: 'A label, 1 to 80 characters' }],
  async run(call) {
    const name = readTrimmedName(call.args['name'] ?? '');
    const { app, test_key, live_key, signing_secret } = await asOperator(call, async ({ context, actor }) =>
      openApp(context, actor, await readAccountId(context, call), name),
    );
    return {
      document: { app_id: app.id, name: app.name, test_key, live_key, signing_secret },
      view: {
        fields: [
          ['app', app.id],
          ['name', app.name],
          ['test key', test_key],
          ['live key', live_key ?? 'none'],
          ['signing secret', signing_secret],
        ],
      },
      after: ['Save the keys and the secret now. They are not shown again.'],
    };
  },
};
