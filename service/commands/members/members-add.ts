import { ROLES } from '../../../shared/core/accounts/member.ts';
import type { AccountId } from '../../../shared/core/ids.ts';
import { inviteMember } from '../../../shared/operations/members/change-members.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { commandName } from '../../operator/next-commands.ts';
import { asOperator } from '../../operator/operator.ts';

export const membersAdd: ServiceCommand = {
  description:
    'Adds a person to an account, who can then sign in to the dashboard. With a mail server, the person gets an invitation.',
  examples: [
    'service members add acc_01k… ada@example.com',
    'service members add "Acme Careers" grace@example.com --role viewer',
  ],
  args: [accountArgument, { name: 'mail', description: 'Address of the person' }],
  flags: {
    role: { summary: 'The role', kind: 'text', options: ROLES, default: 'owner' },
  },
  async run(call) {
    const role = ROLES.find((each) => each === call.flags['role']) ?? 'owner';
    const member = await asOperator(call, async ({ context, actor }) => {
      const accountId = (await readAccountId(context, call)) as AccountId;
      return inviteMember(context, actor, accountId, { mail: call.args['mail'] ?? '', role });
    });
    return {
      document: { id: member.id, account_id: member.account_id, mail: member.mail, role: member.role },
      view: {
        fields: [
          ['id', member.id],
          ['mail', member.mail],
          ['role', member.role],
        ],
      },
      after: [`Print a sign-in link: ${commandName(call.env)} service sign-in ${member.mail}`],
    };
  },
};
