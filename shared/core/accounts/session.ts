import type { SessionId } from '../ids.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/** A person's sign-in in one browser. Only a digest of its cookie is stored. */
export interface Session {
  id: SessionId;
  mail: string;
  /** The browser's `User-Agent`, cut to 200 characters, for the list of sessions. */
  user_agent: string;
  created_at: Instant;
  signed_in_at: Instant;
  last_seen_at: Instant;
}

export const SESSION = {
  /** A session ends if it is not used for this long. */
  idle_ms: 7 * DAY_MS,
  /** A session ends this long after the sign-in, even if it is used. */
  lifetime_ms: 30 * DAY_MS,
  /** Sensitive actions require a sign-in within this time. */
  recent_ms: 10 * MINUTE_MS,
  /** Shortest time between two writes of `last_seen_at`. */
  seen_every_ms: 5 * MINUTE_MS,
  /** Lifetime of the cookie by which we recognize a browser in which the person has signed in before. */
  known_ms: 365 * DAY_MS,
  /** How long a sign-in link works. */
  link_ms: 15 * MINUTE_MS,
  /** How long a person has to use a passkey after the browser asks for it. */
  passkey_challenge_ms: 5 * MINUTE_MS,
  /** How long a person has to sign in at the company's provider. The cookie that binds the sign-in to the browser lasts as long. */
  provider_ms: 15 * MINUTE_MS,
} as const;

/** Returns whether a session is still signed in. */
export function isAlive(session: Pick<Session, 'signed_in_at' | 'last_seen_at'>, now: Instant): boolean {
  return now - session.last_seen_at < SESSION.idle_ms && now - session.signed_in_at < SESSION.lifetime_ms;
}

/** Returns whether the sign-in is recent enough for a sensitive action. */
export function isRecent({ signed_in_at }: Pick<Session, 'signed_in_at'>, now: Instant): boolean {
  return now - signed_in_at < SESSION.recent_ms;
}
