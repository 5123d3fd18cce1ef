import type { Role } from '../../core/accounts/member.ts';

/** The tables of an account's people (`shared/store/tables.ts`). */
export interface MemberRow {
  id: string;
  account_id: string;
  mail: string;
  role: Role;
  created_at: number;
  joined_at: number | null;
}

export interface SignInLinkRow {
  id: string;
  /** SHA-256 of the token in hex. Null until the mail is sent, because only the mail contains the token. */
  hash: string | null;
  /** SHA-256 of the requesting browser's cookie; null for a link that an operator created. */
  browser_hash: string | null;
  mail: string;
  /** Path to open after the sign-in. */
  next: string;
  expires_at: number;
  used_at: number | null;
}

export interface SessionRow {
  id: string;
  /** SHA-256 of the cookie's token in hex. */
  hash: string;
  mail: string;
  user_agent: string;
  created_at: number;
  signed_in_at: number;
  last_seen_at: number;
}
