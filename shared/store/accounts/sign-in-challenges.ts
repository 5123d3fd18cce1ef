import type { Instant } from '../../core/instant.ts';
import { fromJson, toJson } from '../row-values.ts';
import type { Tx } from '../store.ts';
import type { SignInChallengeRow } from './passkey-rows.ts';

/** A sign-in, or a new passkey, that a browser has begun but not finished. */
export interface SignInChallenge extends Omit<SignInChallengeRow, 'detail'> {
  detail: Record<string, unknown> | null;
}

export async function insertSignInChallenge(tx: Tx, challenge: SignInChallenge): Promise<void> {
  await tx.db
    .insertInto('sign_in_challenges')
    .values({ ...challenge, detail: toJson(challenge.detail) })
    .execute();
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
  return row ? { ...row, detail: fromJson(row.detail) } : null;
}
