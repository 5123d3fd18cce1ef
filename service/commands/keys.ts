import {
  createAccountKey,
  listAccountKeys,
  revokeAccountKey,
} from '../../shared/operations/operator/keys.ts';
import type { ServiceCommand } from '../command.ts';
import {
  accountArgument,
  limitFlag,
  readAccountId,
  readLimit,
  readTrimmedName,
} from './operator/arguments.ts';
import { CommandError } from './operator/command-error.ts';
import { documentFields, documentRows } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

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
      view: { fields: documentFields(key, ['id', 'name', 'mode', 'key']) },
      after: ['Save the key now. It is not shown again.'],
    };
  },
};

export const keysList: ServiceCommand = {
  description: 'Lists the active keys of an account, without the keys themselves.',
  examples: ['service keys list acc_01k…', 'service keys list "Acme Careers" --json'],
  args: [accountArgument],
  flags: { limit: limitFlag },
  async run(call) {
    const limit = readLimit(call);
    const keys = await asOperator(call, async ({ context }) =>
      listAccountKeys(context, await readAccountId(context, call), limit),
    );
    return {
      document: { data: keys },
      view: {
        columns: ['id', 'app', 'mode', 'name', 'begins with', 'ends with', 'last used at', 'created at'],
        rows: documentRows(keys, [
          'id',
          'app_id',
          'mode',
          'name',
          'prefix',
          'last4',
          'last_used_at',
          'created_at',
        ]),
        none: 'The account has no active key. Create one: nameplate service keys create <account> --mode test',
      },
    };
  },
};

export const keysRevoke: ServiceCommand = {
  description: 'Revokes a key of an account. Every node refuses it within five seconds.',
  examples: ['service keys revoke acc_01k… key_01k…'],
  args: [accountArgument, { name: 'key', description: 'Id of the key, key_…' }],
  async run(call) {
    const id = call.args['key'] ?? '';
    await asOperator(call, async ({ context, actor }) =>
      revokeAccountKey(context, actor, await readAccountId(context, call), id),
    );
    const document = { id, revoked: true };
    return { document, view: { fields: documentFields(document, ['id', 'revoked']) } };
  },
};
