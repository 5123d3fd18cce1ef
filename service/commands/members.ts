import { ROLES } from '../../shared/core/accounts/member.ts';
import { ServiceError } from '../../shared/core/errors.ts';
import { timestamp } from '../../shared/core/instant.ts';
import { inviteMember, removeMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink, readMail } from '../../shared/operations/members/sign-in.ts';
import { getAccount } from '../../shared/operations/operator/accounts.ts';
import { findMember, listMembers } from '../../shared/store/accounts/members.ts';
import type { ServiceCommand } from '../command.ts';
import { accountArgument, readAccountId } from './operator/arguments.ts';
import { documentFields, documentRows } from './operator/document-view.ts';
import { commandName } from './operator/next-commands.ts';
import { asOperator } from './operator/operator.ts';

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
      const accountId = await readAccountId(context, call);
      return inviteMember(context, actor, accountId, { mail: call.args['mail'] ?? '', role });
    });
    return {
      document: { id: member.id, account_id: member.account_id, mail: member.mail, role: member.role },
      view: { fields: documentFields(member, ['id', 'mail', 'role']) },
      after: [`Print a sign-in link: ${commandName(call.env)} service sign-in ${member.mail}`],
    };
  },
};

export const membersList: ServiceCommand = {
  description: 'Lists the people who can use an account in the dashboard.',
  examples: ['service members list acc_01k…', 'service members list "Acme Careers" --json'],
  args: [accountArgument],
  async run(call) {
    const members = await asOperator(call, async ({ context }) => {
      const { account } = await getAccount(context, await readAccountId(context, call));
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
        rows: documentRows(shown, ['id', 'mail', 'role', 'joined_at', 'created_at']),
        none: 'The account has no member. Add one: nameplate service members add <account> <mail>',
      },
    };
  },
};

export const membersRemove: ServiceCommand = {
  description: "Removes a person from an account. Every node refuses the person's next request.",
  examples: ['service members remove acc_01k… ada@example.com'],
  args: [accountArgument, { name: 'mail', description: 'Address of the member' }],
  async run(call) {
    const mail = readMail(call.args['mail'] ?? '');
    await asOperator(call, async ({ context, actor }) => {
      const accountId = await readAccountId(context, call);
      const member = await findMember(context.store, accountId, mail);
      if (member === null) {
        throw new ServiceError('not_found', {
          message: `${accountId} has no member ${mail}.`,
          fix: 'List the members of the account to see their addresses.',
        });
      }
      await removeMember(context, actor, accountId, member.id);
    });
    const document = { mail, removed: true };
    return { document, view: { fields: documentFields(document, ['mail', 'removed']) } };
  },
};

export const signIn: ServiceCommand = {
  description:
    'Prints a link that signs a member in to the dashboard, for a service without a mail server. It works in any browser, once, within 15 minutes. The audit log records it.',
  examples: ['service sign-in ada@example.com'],
  args: [{ name: 'mail', description: 'Address of a member' }],
  async run(call) {
    const mail = call.args['mail'] ?? '';
    const url = await asOperator(call, ({ context, actor }) => createSignInLink(context, actor, mail));
    return {
      document: { mail, url },
      view: {
        fields: [
          ['mail', mail],
          ['link', url],
        ],
      },
    };
  },
};
