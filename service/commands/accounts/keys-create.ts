import { createAccountKey } from '../../../shared/operations/operator/keys.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { CommandError } from '../../operator/command-error.ts';
import { asOperator } from '../../operator/operator.ts';
import { readTrimmedName } from '../../operator/read-name.ts';

export const keysCreate: ServiceCommand = {
  description:
    "Creates a key for an account's app and prints it. The key is not shown again. A live key needs a paid plan, a card on file or a promotional account.",
  examples: [
    'service keys create acc_01k… --mode live',
    'service keys create "Acme Careers" --mode test --name CI',
  ],
  args: [accountArgument],
  flags: {
    mode: {
      summary: 'Whether the key manages live or test domains',
      kind: 'text',
      options: ['live', 'test'],
    },
    name: { summary: 'A label, 1 to 80 characters (default: Operator)', kind: 'text' },
    app: { summary: 'The app, if the account has several', kind: 'text', helpValue: 'app_…' },
  },
  async run(call) {
    const mode = (['live', 'test'] as const).find((each) => each === call.flags['mode']);
    if (mode === undefined) {
      throw new CommandError('usage', '--mode is missing.', 'Add --mode live or --mode test.');
    }
    const name = readTrimmedName(String(call.flags['name'] ?? 'Operator'));
    const app = call.flags['app'];
    const key = await asOperator(call, async ({ context, actor }) =>
      createAccountKey(context, actor, await readAccountId(context, call), {
        name,
        mode,
        ...(app !== undefined && { app: String(app) }),
      }),
    );
    return {
      document: key,
      view: {
        fields: [
          ['id', key.id],
          ['name', key.name],
          ['mode', key.mode],
          ['key', key.key],
        ],
      },
      after: ['Save the key now. It is not shown again.'],
    };
  },
};
