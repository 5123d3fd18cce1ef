import { ServiceError } from '../../../shared/core/errors.ts';
import type { AccountId } from '../../../shared/core/ids.ts';
import { removeMember } from '../../../shared/operations/members/change-members.ts';
import { readMail } from '../../../shared/operations/members/sign-in.ts';
import { findMember } from '../../../shared/store/accounts/members.ts';
import type { ServiceCommand } from '../../command.ts';
import { accountArgument, readAccountId } from '../../operator/account-argument.ts';
import { asOperator } from '../../operator/operator.ts';

export const membersRemove: ServiceCommand = {
  description: "Removes a person from an account. Every node refuses the person's next request.",
  examples: ['service members remove acc_01k… ada@example.com'],
  args: [accountArgument, { name: 'mail', description: 'Address of the member' }],
  async run(call) {
    const mail = readMail(call.args['mail'] ?? '');
    await asOperator(call, async ({ context, actor }) => {
      const accountId = (await readAccountId(context, call)) as AccountId;
      const member = await findMember(context.store, accountId, mail);
      if (member === null) {
        throw new ServiceError('not_found', {
          message: `${accountId} has no member ${mail}.`,
          fix: 'List the members of the account to see their addresses.',
        });
      }
      await removeMember(context, actor, accountId, member.id);
    });
    return {
      document: { mail, removed: true },
      view: {
        fields: [
          ['mail', mail],
          ['removed', 'yes'],
        ],
      },
    };
  },
};
