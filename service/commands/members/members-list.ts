import type { AccountId } from '../../../shared/core/ids.ts';
import { timestamp } from '../../../shared/core/instant.ts';
import { getAccount } from '../../../shared/operations/operator/accounts.ts';
import { listMembers } from '../../../shared/store/accounts/members.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { asOperator } from '../../operator/operator.ts';

export const membersList: ServiceCommand = {
  description: 'Lists the people who can use an account in the dashboard.',
  examples: ['service members list acc_01k…', 'service members list "Acme Careers" --json'],
  args: [accountArgument],
  async run(call) {
    const members = await asOperator(call, async ({ context }) => {
      const { account } = await getAccount(context, (await readAccountId(context, call)) as AccountId);
      return listMembers(context.store, account.id);
    });
    const shown = members.map(({ id, mail, role, created_at, joined_at }) => ({
      id,
      mail,
      role,
      created_at: timestamp(created_at),
      joined_at: timestamp(joined_at),
    }));
    return {
      document: { data: shown },
      view: {
        columns: ['id', 'mail', 'role', 'joined at', 'created at'],
        rows: shown.map((each) => [each.id, each.mail, each.role, each.joined_at, each.created_at]),
        none: 'The account has no member. Add one: nameplate service members add <account> <mail>',
      },
    };
  },
};
