import { listAccountKeys } from '../../../shared/operations/operator/keys.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

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
        rows: keys.map(({ id, app_id, mode, name, prefix, last4, last_used_at, created_at }) => [
          id,
          app_id,
          mode,
          name,
          prefix,
          last4,
          last_used_at,
          created_at,
        ]),
        none: 'The account has no active key. Create one: nameplate service keys create <account> --mode test',
      },
    };
  },
};
