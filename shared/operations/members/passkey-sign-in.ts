import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import type { Passkeys, SignatureResponse } from '../../ports/accounts.ts';
import { findPasskey, recordPasskeyUse } from '../../store/accounts/passkeys.ts';
import { type Context, transact } from '../context.ts';
import { spend } from '../spend.ts';
import { refuseUninvited, type SigningBrowser, type StartedSession, startSession } from './sign-in.ts';
import { claimChallenge, issueChallenge } from './sign-in-challenges.ts';

/**
 * Begins a sign-in with a passkey. The browser offers the passkeys that it has, so the person types no address.
 * @returns the options for the browser.
 * @throws ServiceError `rate_limited` for too many requests of a network.
 */
export async function beginPasskeySignIn(
  context: Context,
  passkeys: Passkeys,
  { browserToken, network }: { browserToken: string; network: string },
): Promise<object> {
  await spend(context, 'passkey_sign_ins', network);
  const challenge = await issueChallenge(context, {
    kind: 'passkey_sign_in',
    mail: null,
    detail: null,
    browserToken,
  });
  return passkeys.requestOptions(challenge);
}

/**
 * Signs in with the response of a passkey. Verifies no signature without a challenge, and `beginPasskeySignIn` limits the challenges.
 * @throws DashboardError `passkey_refused` or `not_invited`.
 */
export async function finishPasskeySignIn(
  context: Context,
  passkeys: Passkeys,
  response: SignatureResponse,
  browser: SigningBrowser,
): Promise<Omit<StartedSession, 'next'>> {
  const { clientDataJSON, userHandle } = response.response;
  const claimed = await claimChallenge(context, 'passkey_sign_in', clientDataJSON, browser.browserToken);
  if (claimed === null) throw new DashboardError('passkey_refused');
  const passkey = await findPasskey(context.store, response.id);
  if (passkey === null || passkey.user_handle !== userHandle) {
    throw new DashboardError('passkey_refused', {
      message: 'This passkey is not known here. It was removed, or belongs to another service.',
    });
  }
  const verified = await passkeys.verifySignature(response, claimed.challenge, passkey);
  if (!verified.ok) throw refused(context, passkey.mail, verified.problem);
  return transact(context, async (tx) => {
    const isNext = await recordPasskeyUse(tx.store, passkey.id, verified.counter, tx.clock.now());
    if (!isNext) throw refused(context, passkey.mail, 'its counter did not increase');
    await refuseUninvited(tx, passkey.mail);
    return startSession(tx, passkey.mail, browser);
  });
}

function refused({ log }: Context, mail: string, reason: string): DashboardError {
  log.warn({ mail, reason }, 'a passkey was refused');
  return new DashboardError('passkey_refused');
}
