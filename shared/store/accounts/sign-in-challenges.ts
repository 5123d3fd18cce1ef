import type { Instant } from '../../core/instant.ts';
import { rowMapper } from '../row-values.ts';
import type { Tx } from '../store.ts';

/** A sign-in, or a new passkey, that a browser has begun but not finished. */
export interface SignInChallenge {
  /** SHA-256, in hex, of a passkey's challenge or of the `state` of a sign-in with an identity provider. */
  hash: string;
  kind: 'passkey_creation' | 'passkey_sign_in' | 'provider_sign_in';
  /** SHA-256 of the cookie of the browser that began the sign-in. */
  browser_hash: string;
  /** The person who adds a passkey; null for a sign-in. */
  mail: string | null;
  detail: Record<string, unknown> | null;
  expires_at: Instant;
}

export async function insertSignInChallenge(tx: Tx, challenge: SignInChallenge): Promise<void> {
  await tx.db.insertInto('sign_in_challenges').values(toRow(challenge)).execute();
}

/**
 * Deletes a challenge and returns it. A single statement does both, so only one of two concurrent uses succeeds.
 * @returns null if the challenge is unknown, used or expired. If the challenge belongs to another browser, also returns null, but does not
 * delete the challenge.
 */
export async function claimSignInChallenge(
  tx: Tx,
  { hash, kind, browser_hash }: Pick<SignInChallenge, 'hash' | 'kind' | 'browser_hash'>,
  now: Instant,
): Promise<SignInChallenge | null> {
  const row = await tx.db
    .deleteFrom('sign_in_challenges')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

const { toRow, fromRow } = rowMapper<SignInChallenge>({ detail: 'json' });
