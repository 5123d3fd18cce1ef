import type { AccountTerms } from '../../shared/operations/accounts/create-account.ts';
import { changeAccount, getAccount, listAccounts } from '../../shared/operations/operator/accounts.ts';
import type { CommandCall, CommandResult, ServiceCommand } from '../command.ts';
import {
  ACCOUNT_COLUMNS,
  accountDocument,
  accountFields,
  accountResult,
  readTerms,
  termFlags,
} from './operator/account-view.ts';
import { accountArgument, limitFlag, readAccountId, readLimit } from './operator/arguments.ts';
import { CommandError } from './operator/command-error.ts';
import { documentRows } from './operator/document-view.ts';
import { asOperator } from './operator/operator.ts';

export const accountsGet: ServiceCommand = {
  description: 'Shows an account and its apps.',
  examples: ['service accounts get acc_01k…', 'service accounts get "Acme Careers"'],
  args: [accountArgument],
  async run(call) {
    const { account, apps } = await asOperator(call, async ({ context }) =>
      getAccount(context, await readAccountId(context, call)),
    );
    // Show only the fields that identify an app, because an app's row also has an encrypted secret.
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

export const accountsList: ServiceCommand = {
  description: 'Lists the accounts, oldest first. Prints the command for the next page below each page.',
  examples: ['service accounts list', 'service accounts list --limit 1000 --json'],
  flags: {
    limit: limitFlag,
    after: { summary: 'Only accounts after this one', kind: 'text', helpValue: 'acc_…' },
  },
  async run(call) {
    const limit = readLimit(call);
    const { after } = call.flags;
    const accounts = await asOperator(call, ({ context }) =>
      listAccounts(context, limit, after === undefined ? undefined : String(after)),
    );
    const nextAfter = accounts.length === limit ? (accounts.at(-1)?.id ?? null) : null;
    const data = accounts.map(accountDocument);
    return {
      document: { data, next_after: nextAfter },
      view: {
        columns: ['id', 'name', 'plan', 'trial ends at', 'promotional', 'card', 'suspended', 'created at'],
        rows: documentRows(data, ACCOUNT_COLUMNS),
        none: 'There are no accounts. Create one: nameplate service accounts create "My company"',
      },
      ...(nextAfter !== null && {
        after: [`Next page: nameplate service accounts list --limit ${limit} --after ${nextAfter}`],
      }),
    };
  },
};

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
    const terms = readTerms(call);
    if (Object.keys(terms).length === 0) {
      throw new CommandError(
        'usage',
        'There is nothing to change.',
        'Add a flag with a change, such as --plan growth.',
      );
    }
    return change(call, terms);
  },
};

export const accountsSuspend: ServiceCommand = {
  description:
    'Suspends an account. Within five seconds, every node refuses its changes with 403 account_suspended. Reads, DNS checks, renewals, traffic and webhooks continue.',
  examples: ['service accounts suspend acc_01k…'],
  args: [accountArgument],
  run: (call) => change(call, { suspended: true }),
};

export const accountsResume: ServiceCommand = {
  description: 'Ends the suspension of an account. Every node accepts its changes again within five seconds.',
  examples: ['service accounts resume acc_01k…'],
  args: [accountArgument],
  run: (call) => change(call, { suspended: false }),
};

async function change(call: CommandCall, terms: AccountTerms): Promise<CommandResult> {
  const account = await asOperator(call, async ({ context, actor }) =>
    changeAccount(context, actor, await readAccountId(context, call), terms),
  );
  return accountResult(account);
}
