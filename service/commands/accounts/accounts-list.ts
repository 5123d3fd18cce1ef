import { timestamp } from '../../../shared/core/instant.ts';
import { listAccounts } from '../../../shared/operations/operator/accounts.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountDocument, yesNo } from '../../operator/account-view.ts';
import { limitFlag, readLimit } from '../../operator/limit-flag.ts';
import { asOperator } from '../../operator/operator.ts';

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
    return {
      document: { data: accounts.map(accountDocument), next_after: nextAfter },
      view: {
        columns: ['id', 'name', 'plan', 'trial ends at', 'promotional', 'card', 'suspended', 'created at'],
        rows: accounts.map((account) => [
          account.id,
          account.name,
          account.plan,
          timestamp(account.trial_ends_at),
          yesNo(account.promotional),
          yesNo(account.card_on_file),
          yesNo(account.suspended),
          timestamp(account.created_at),
        ]),
        none: 'There are no accounts. Create one: nameplate service accounts create "My company"',
      },
      ...(nextAfter !== null && {
        after: [`Next page: nameplate service accounts list --limit ${limit} --after ${nextAfter}`],
      }),
    };
  },
};
