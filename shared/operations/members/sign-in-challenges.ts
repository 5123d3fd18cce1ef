import { SESSION } from '../../core/accounts/session.ts';
import {
  claimSignInChallenge,
  insertSignInChallenge,
  type SignInChallenge,
} from '../../store/accounts/sign-in-challenges.ts';
import { autocommit } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { digest } from './sign-in.ts';

interface NewChallenge extends Pick<SignInChallenge, 'kind' | 'mail' | 'detail'> {
  /** The cookie of the browser that begins the sign-in. */
  browserToken: string;
}

/** Stores a challenge for a passkey. @returns the 32 random bytes of the challenge. Only their digest is stored. */
export async function issueChallenge(
  { store, clock, random }: Context,
  { kind, mail, detail, browserToken }: NewChallenge,
): Promise<Uint8Array> {
  const challenge = random(32);
  await insertSignInChallenge(autocommit(store), {
    hash: digest(Buffer.from(challenge).toString('base64url')),
    kind,
    browser_hash: digest(browserToken),
    mail,
    detail,
    expires_at: clock.now() + SESSION.passkey_challenge_ms,
  });
  return challenge;
}

/**
 * Marks the challenge in a passkey's response as used. Call this outside a transaction, so that the challenge stays used even if the
 * response is refused.
 * @param clientDataJson base64url of the JSON that the browser signed.
 * @returns null if the challenge was issued to another browser, or is no longer valid.
 */
export async function claimChallenge(
  { store, clock }: Context,
  kind: SignInChallenge['kind'],
  clientDataJson: string,
  browserToken: string | null,
): Promise<{ challenge: string; stored: SignInChallenge } | null> {
  const challenge = readChallenge(clientDataJson);
  if (challenge === null || browserToken === null) return null;
  const claim = { hash: digest(challenge), kind, browser_hash: digest(browserToken) };
  const stored = await claimSignInChallenge(autocommit(store), claim, clock.now());
  return stored && { challenge, stored };
}

function readChallenge(clientDataJson: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null; // The sender is refused like one with a wrong challenge.
  }
}
