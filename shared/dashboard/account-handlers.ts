import type { HTTPResponse } from 'h3';
import * as z from 'zod';
import type { Account } from '../core/accounts/account.ts';
import { ACTS, type Act, ROLES, type Role } from '../core/accounts/member.ts';
import { ServiceError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import { timestamp } from '../core/instant.ts';
import { csvCell } from '../core/text/printable.ts';
import { changeRole, inviteMember, removeMember } from '../operations/members/change-members.ts';
import { createOwnApp, renameAccount } from '../operations/members/own-accounts.ts';
import { permitRole } from '../operations/members/permit.ts';
import { nameSchema } from '../schema/fields.ts';
import { findAccount } from '../store/accounts/accounts.ts';
import { listAudit } from '../store/accounts/audit-log.ts';
import { findMember, listMembers } from '../store/accounts/members.ts';
import { presentAccount, presentAudit, presentMember } from './account-view.ts';
import {
  type DashboardCall,
  type DashboardHandler,
  readJson,
  readQueryOf,
  requireSession,
} from './dashboard-call.ts';
import { respondFile, respondJson } from './respond.ts';
import type { AuditView } from './responses.ts';

const AUDIT_PAGE_MAX = 100;
const AUDIT_CSV_MAX = 10_000;

/** The account of a call, and the person's role and name in it. */
interface InAccount {
  account: Account;
  role: Role;
  actor: string;
}

/** Creates a handler for an action in the account whose id is in the path. The handler checks the person's permission first. */
export function inAccount(
  act: Act,
  run: (call: DashboardCall, own: InAccount) => Promise<HTTPResponse>,
): DashboardHandler {
  return async (call) => run(call, await permitAct(call, call.params['account'] as AccountId, act));
}

/**
 * Checks that the caller has a permission in an account. The emulator allows everything.
 * @throws ServiceError `not_found`; DashboardError `role_required` or `sign_in_again`.
 */
export async function permitAct(call: DashboardCall, id: AccountId, act: Act): Promise<InAccount> {
  if (!call.options.isOpen) {
    const session = requireSession(call);
    const member = await findMember(call.context.store, id, session.mail);
    const account = await getExistingAccount(call, id);
    const role = await permitRole(call.context, session, id, member, ACTS[act]);
    refuseSuspended(account, act);
    return { account, role, actor: session.mail };
  }
  return { account: await getExistingAccount(call, id), role: 'owner', actor: 'dashboard' };
}

async function getExistingAccount({ context }: DashboardCall, id: AccountId): Promise<Account> {
  const account = await findAccount(context.store, id);
  if (account === null) throw new ServiceError('not_found');
  return account;
}

/** The actions that are still allowed while an account is suspended: to read, to pay, to change members, and to leave. */
const WHILE_SUSPENDED: ReadonlySet<Act> = new Set([
  'read_account',
  'read_members',
  'read_audit',
  'read_overview',
  'read_origin_probes',
  'read_connect_preview',
  'read_billing',
  'sync_billing',
  'change_billing',
  'invite_member',
  'change_role',
  'remove_member',
  'leave_account',
  'reveal_secret',
]);

function refuseSuspended({ suspended }: Account, act: Act): void {
  if (suspended && !WHILE_SUSPENDED.has(act)) throw new ServiceError('account_suspended');
}

/** Handles `GET /accounts/{account}`: returns the account. */
export const showAccount = inAccount('read_account', async ({ context }, { account, role }) =>
  respondJson(200, await presentAccount(context, account, role)),
);

const renameSchema = z.strictObject({
  name: nameSchema,
  expected: z.strictObject({ name: z.string() }).optional(),
});

/** Handles `PATCH /accounts/{account}`: renames the account. */
export const patchAccount = inAccount('rename_account', async (call, { account, role, actor }) => {
  const { name, expected } = readJson(call, renameSchema);
  const renamed = await renameAccount(call.context, actor, account.id, name, expected?.name);
  return respondJson(200, await presentAccount(call.context, renamed, role));
});

const appSchema = z.strictObject({ name: nameSchema });

/** Handles `POST /accounts/{account}/apps`: creates an app. Only this response contains its first test key. */
export const createApp = inAccount('create_app', async (call, { account, actor }) => {
  const { name } = readJson(call, appSchema);
  const { app, test_key } = await createOwnApp(call.context, actor, account, name);
  const shown = { id: app.id, name: app.name, created_at: timestamp(app.created_at) };
  return respondJson(201, { app: shown, test_key });
});

/** Handles `GET /accounts/{account}/members`: lists the members. */
export const getMembers = inAccount('read_members', async ({ context, session }, { account }) => {
  const members = await listMembers(context.store, account.id);
  return respondJson(200, { data: members.map((each) => presentMember(each, session?.mail ?? null)) });
});

const inviteSchema = z.strictObject({ mail: z.string().max(320), role: z.enum(ROLES) });

/** Handles `POST /accounts/{account}/members`: invites a person. */
export const invite = inAccount('invite_member', async (call, { account, actor }) => {
  const member = await inviteMember(call.context, actor, account.id, readJson(call, inviteSchema));
  return respondJson(201, presentMember(member, actor));
});

const roleSchema = z.strictObject({ role: z.enum(ROLES) });

/** Handles `PATCH /accounts/{account}/members/{id}`: changes the role of a member. */
export const updateMember = inAccount('change_role', async (call, { account, actor }) => {
  const { role } = readJson(call, roleSchema);
  const member = await changeRole(call.context, actor, account.id, call.params['id'] ?? '', role);
  return respondJson(200, presentMember(member, actor));
});

/** Handles `DELETE /accounts/{account}/members/{id}`: removes a member. All members may remove themselves. */
export const dismissMember: DashboardHandler = async (call) => {
  const accountId = call.params['account'] as AccountId;
  const { actor } = await permitAct(call, accountId, 'leave_account');
  const members = await listMembers(call.context.store, accountId);
  const isOneself = members.some(({ id, mail }) => id === call.params['id'] && mail === actor);
  if (!isOneself) await permitAct(call, accountId, 'remove_member');
  await removeMember(call.context, actor, accountId, call.params['id'] ?? '');
  return respondJson(204, null);
};

const auditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(AUDIT_PAGE_MAX).default(50),
  before: z.string().max(64).optional(),
});

/** Handles `GET /accounts/{account}/audit`: lists the audit log, newest first. */
export const getAudit = inAccount('read_audit', async (call, { account }) => {
  const { limit, before } = readQueryOf(call, auditQuery);
  const entries = await listAudit(call.context.store, limit + 1, { before, subject: account.id });
  const page = entries.slice(0, limit);
  const nextBefore = entries.length > limit ? (page.at(-1)?.id ?? null) : null;
  return respondJson(200, { data: page.map(presentAudit), next_before: nextBefore });
});

/** Handles `GET /accounts/{account}/audit.csv`: exports the newest ten thousand entries. */
export const getAuditCsv = inAccount('read_audit', async ({ context }, { account }) => {
  const entries = await listAudit(context.store, AUDIT_CSV_MAX, { subject: account.id });
  return respondFile(
    `audit-${account.id}.csv`,
    'text/csv; charset=utf-8',
    auditCsv(entries.map(presentAudit)),
  );
});

const COLUMNS = ['at', 'actor', 'action', 'detail', 'id'] as const;

/** Returns entries of the audit log as CSV (RFC 4180), escaped so that a spreadsheet runs no cell as a formula. */
function auditCsv(entries: readonly AuditView[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => csvCell(entry[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
