import type { AccountId, MemberId } from '../ids.ts';
import type { Instant } from '../instant.ts';

/** The roles of an account's members, in ascending order: each role includes the rights of the roles before it. */
export const ROLES = ['viewer', 'developer', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A person who may use an account. The mail address is the person's identity, in the form that `parseMailAddress` returns. */
export interface Member {
  id: MemberId;
  account_id: AccountId;
  mail: string;
  role: Role;
  created_at: Instant;
  /** When the person first opened the account after the invitation; null until then. */
  joined_at: Instant | null;
}

/** The role that an action of the dashboard requires. */
export interface Permission {
  role: Role;
  /** True if the action also requires a sign-in within the last ten minutes. */
  recent?: true;
}

/** Actions of the dashboard that are not routes of the API. `route-permissions.ts` has the permissions for those routes. */
export const ACTS = {
  read_account: { role: 'viewer' },
  read_members: { role: 'viewer' },
  read_audit: { role: 'viewer' },
  read_overview: { role: 'viewer' },
  read_origin_probes: { role: 'viewer' },
  read_connect_preview: { role: 'viewer' },
  read_billing: { role: 'viewer' },
  sync_billing: { role: 'owner' },
  change_billing: { role: 'owner', recent: true },
  rename_account: { role: 'owner' },
  create_app: { role: 'developer' },
  invite_member: { role: 'owner', recent: true },
  change_role: { role: 'owner', recent: true },
  remove_member: { role: 'owner', recent: true },
  leave_account: { role: 'viewer' },
  create_live_key: { role: 'developer', recent: true },
  reveal_secret: { role: 'developer', recent: true },
  send_test_event: { role: 'developer' },
} as const satisfies Record<string, Permission>;
export type Act = keyof typeof ACTS;

export function mayAct(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(permission.role);
}
