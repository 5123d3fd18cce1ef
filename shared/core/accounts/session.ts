import type { SessionId } from '../ids.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** A person's sign-in in one browser. Only a digest of its cookie is stored. */
export interface Session {
  id: SessionId;
  mail: string;
  /** Shown in the list of sessions, at most 200 characters. */
  user_agent: string;
  created_at: Instant;
  signed_in_at: Instant;
  last_seen_at: Instant;
}

export const SESSION = {
  /** A session ends when it was not used for this long, */
  idle_ms: 7 * DAY_MS,
  /** and in any case this long after the sign-in. */
  lifetime_ms: 30 * DAY_MS,
  /** Sensitive acts require a sign-in within this time. */
  recent_ms: 10 * MINUTE_MS,
  /** `last_seen_at` is written at most this often. */
  seen_every_ms: 5 * MINUTE_MS,
  /** How long a sign-in link works. */
  link_ms: 15 * MINUTE_MS,
  /** How long a person has to answer the browser's question for a passkey. */
  passkey_challenge_ms: 5 * MINUTE_MS,
  /** How long a person has to sign in at the company's provider. It is as long as the cookie that binds the sign-in to the browser. */
  provider_ms: 15 * MINUTE_MS,
} as const;

/** Returns whether a session still counts as signed in. */
export function isAlive(session: Pick<Session, 'signed_in_at' | 'last_seen_at'>, now: Instant): boolean {
  return now - session.last_seen_at < SESSION.idle_ms && now - session.signed_in_at < SESSION.lifetime_ms;
}

/** Returns whether the sign-in is recent enough for a sensitive act. */
export function isRecent({ signed_in_at }: Pick<Session, 'signed_in_at'>, now: Instant): boolean {
  return now - signed_in_at < SESSION.recent_ms;
}
