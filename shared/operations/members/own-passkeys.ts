import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import type { Passkey } from '../../core/accounts/passkey.ts';
import type { Session } from '../../core/accounts/session.ts';
import { BUDGETS } from '../../core/budgets.ts';
import { ServiceError } from '../../core/errors.ts';
import type { CreationResponse, Passkeys, SignatureResponse } from '../../ports/accounts.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  recordPasskeyUse,
} from '../../store/accounts/passkeys.ts';
import { lockSessions } from '../../store/accounts/sessions.ts';
import { type Context, transact } from '../context.ts';
import { spend } from '../spend.ts';
import { requireRecent } from './permit.ts';
import {
  recordOfPerson,
  refuseUninvited,
  type SigningBrowser,
  type StartedSession,
  startSession,
} from './sign-in.ts';
import { claimChallenge, issueChallenge } from './sign-in-challenges.ts';

/**
 * Begins to add a passkey for a signed-in person.
 * @returns the WebAuthn options for the browser.
 * @throws DashboardError `sign_in_again`, or `too_many`.
 */
export async function beginPasskey(
  context: Context,
  passkeys: Passkeys,
  session: Session,
  browserToken: string,
): Promise<object> {
  requireRecent(context, session);
  const { mail } = session;
  const known = await listPasskeys(context.store, mail);
  refuseMore(known);
  // All passkeys of a person have the same user handle, so that an authenticator lists the person only once.
  const userHandle = known[0]?.user_handle ?? Buffer.from(context.random(32)).toString('base64url');
  const challenge = await issueChallenge(context, {
    kind: 'passkey_creation',
    mail,
    detail: { user_handle: userHandle },
    browserToken,
  });
  return passkeys.creationOptions({ mail, userHandle, challenge, known });
}

/**
 * Stores a new passkey. A valid challenge proves that the person's sign-in was recent when they began to add the passkey.
 * @throws DashboardError `passkey_refused`, or `too_many` if the person has reached the limit since then.
 */
export async function finishPasskey(
  context: Context,
  passkeys: Passkeys,
  { mail }: Session,
  created: { name: string; response: CreationResponse; browserToken: string | null },
): Promise<Passkey> {
  const { name, response, browserToken } = created;
  const { clientDataJSON } = response.response;
  const claimed = await claimChallenge(context, 'passkey_creation', clientDataJSON, browserToken);
  if (claimed === null || claimed.stored.mail !== mail) throw new DashboardError('passkey_refused');
  const verified = await passkeys.verifyCreation(response, claimed.challenge);
  if (!verified.ok) {
    context.log.info({ mail, reason: verified.problem }, 'a new passkey was refused');
    throw new DashboardError('passkey_refused');
  }
  const { credential_id, public_key, counter } = verified;
  return transact(context, async (tx) => {
    await lockSessions(tx.store, mail);
    refuseMore(await listPasskeys(tx.store, mail));
    const passkey: Passkey = {
      id: tx.ids('pky'),
      mail,
      name,
      credential_id,
      user_handle: String(claimed.stored.detail?.['user_handle']),
      public_key,
      counter,
      transports: response.response.transports ?? [],
      created_at: tx.clock.now(),
      last_used_at: null,
    };
    if (!(await insertPasskey(tx.store, passkey))) throw new DashboardError('passkey_refused');
    const detail = { passkey: passkey.id };
    await recordOfPerson(tx, mail, { actor: mail, action: 'member.passkey_add', detail });
    return passkey;
  });
}

/** @throws DashboardError `too_many` if the person already has the maximum number of passkeys. */
function refuseMore(known: readonly Passkey[]): void {
  if (known.length < BUDGETS.passkeys.limit) return;
  throw new DashboardError('too_many', {
    message: `You can have ${BUDGETS.passkeys.limit} passkeys.`,
  });
}

/** Deletes a passkey of a person. @throws DashboardError `sign_in_again`; ServiceError `not_found`. */
export async function removePasskey(context: Context, session: Session, id: string): Promise<void> {
  requireRecent(context, session);
  const { mail } = session;
  await transact(context, async (tx) => {
    if (!(await deletePasskey(tx.store, mail, id))) throw new ServiceError('not_found');
    await recordOfPerson(tx, mail, { actor: mail, action: 'member.passkey_remove', detail: { passkey: id } });
  });
}

/**
 * Begins a sign-in with a passkey. The browser offers the passkeys that it has, so the person types no address.
 * @returns the WebAuthn options for the browser.
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
 * Signs a person in with the response of a passkey. Verifies a signature only if its challenge is valid, and `beginPasskeySignIn` limits
 * the number of challenges.
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
