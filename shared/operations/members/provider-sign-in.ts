import { createHmac } from 'node:crypto';
import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import { parseMailAddress } from '../../core/accounts/mail-address.ts';
import { SESSION, type Session } from '../../core/accounts/session.ts';
import type {
  IdentityProvider,
  ProvidedIdentity,
  ProviderFailure,
  SignInSecrets,
} from '../../ports/accounts.ts';
import { deleteSessionByHash } from '../../store/accounts/sessions.ts';
import {
  claimSignInChallenge,
  insertSignInChallenge,
  type SignInChallenge,
} from '../../store/accounts/sign-in-challenges.ts';
import { autocommit } from '../../store/store.ts';
import { type Context, transact } from '../context.ts';
import { spend } from '../spend.ts';
import {
  digest,
  newToken,
  readNext,
  refuseUninvited,
  type SigningBrowser,
  type StartedSession,
  startSession,
} from './sign-in.ts';

/** Why a sign-in with an identity provider failed. */
export type ProviderRefusal =
  | ProviderFailure
  | 'expired'
  | 'unverified_mail'
  | 'foreign_mail'
  | 'not_invited';

export class ProviderSignInError extends Error {
  override name = 'ProviderSignInError';
  readonly refusal: ProviderRefusal;
  /** The path that the person wanted to open; null if the sign-in is unknown. */
  readonly next: string | null;

  constructor(refusal: ProviderRefusal, next: string | null = null) {
    super(`the sign-in ended: ${refusal}`);
    this.refusal = refusal;
    this.next = next;
  }
}

/** Returns the URL to which the provider sends the browser back. The operator registers the URL with the provider. */
export function redirectUri({ settings }: Pick<Context, 'settings'>): string {
  return `${settings.baseUrl}/dashboard/sign-in/oidc/callback`;
}

interface ProviderRequest {
  next: string | undefined;
  browserToken: string;
  /** The browser's current session, which the sign-in replaces; null if the browser is not signed in. */
  session: Session | null;
  sessionToken: string | null;
  network: string;
}

/**
 * Begins a sign-in with the provider. If a signed-in person confirms an action, requires a sign-in at the provider within the last ten
 * minutes. Otherwise requires one within the lifetime of a session. Because the request contains `max_age`, the provider must state the
 * time of the sign-in (OpenID Connect Core section 3.1.2.1).
 * @returns the URL of the provider to which to redirect the browser.
 * @throws ServiceError `rate_limited`; ProviderSignInError if the provider does not respond.
 */
export async function beginProviderSignIn(
  context: Context,
  provider: IdentityProvider,
  { next, browserToken, session, sessionToken, network }: ProviderRequest,
): Promise<string> {
  await spend(context, 'provider_sign_ins', network);
  const secrets = secretsOf(newToken(context), browserToken);
  const request = await provider.authorizationUrl({
    ...secrets,
    redirectUri: redirectUri(context),
    maxAgeS: (session === null ? SESSION.lifetime_ms : SESSION.recent_ms) / 1000,
  });
  if (!request.ok) throw new ProviderSignInError(request.problem, readNext(next));
  await insertSignInChallenge(autocommit(context.store), {
    hash: digest(secrets.state),
    kind: 'provider_sign_in',
    browser_hash: digest(browserToken),
    mail: null,
    detail: {
      next: readNext(next),
      // Stores the session's digest, because the browser sends no session cookie when it comes back from the provider.
      session_hash: sessionToken === null ? null : digest(sessionToken),
    },
    expires_at: context.clock.now() + SESSION.provider_ms,
  });
  return request.url;
}

/**
 * Completes a sign-in with the provider. The mail address that the provider confirms identifies the person.
 * @param callback the callback URL that the browser opened.
 * @throws ProviderSignInError
 */
export async function finishProviderSignIn(
  context: Context,
  provider: IdentityProvider,
  callback: URL,
  browser: SigningBrowser,
): Promise<StartedSession> {
  const state = callback.searchParams.get('state') ?? '';
  const { browserToken } = browser;
  const detail = browserToken === null ? null : await claimState(context, state, browserToken);
  if (browserToken === null || detail === null) throw new ProviderSignInError('expired');
  const { next, session_hash: sessionHash } = detail;
  const identity = await provider.readIdentity(callback, secretsOf(state, browserToken));
  if (!identity.ok) throw new ProviderSignInError(identity.problem, next);
  const mail = readProvidedMail(context, provider, identity, next);
  const { signedInAt } = identity;
  return transact(context, async (tx) => {
    await refuseUninvited(tx, mail).catch((thrown: unknown) => {
      throw thrown instanceof DashboardError ? new ProviderSignInError('not_invited', next) : thrown;
    });
    if (sessionHash !== null) await deleteSessionByHash(tx.store, sessionHash);
    const started = await startSession(tx, mail, {
      ...browser,
      // The person may have signed in at the provider hours ago, or the provider may not state the time. Such a session is not recent
      // enough to confirm actions, but lasts as long as any other.
      signedInAt: Math.max(signedInAt ?? 0, tx.clock.now() - SESSION.recent_ms),
    });
    return { ...started, next };
  });
}

/** Marks the `state` as used, even if the provider then refuses the code, so that a callback works only once. */
async function claimState({ store, clock }: Context, state: string, browserToken: string) {
  const claim: Pick<SignInChallenge, 'hash' | 'kind' | 'browser_hash'> = {
    hash: digest(state),
    kind: 'provider_sign_in',
    browser_hash: digest(browserToken),
  };
  const claimed = await claimSignInChallenge(autocommit(store), claim, clock.now());
  return claimed && (claimed.detail as { next: string; session_hash: string | null });
}

/**
 * Returns the mail address of the person.
 * @throws ProviderSignInError if the address is not verified, or if the provider is not trusted for its domain.
 */
function readProvidedMail(
  { log }: Context,
  { mailDomains }: IdentityProvider,
  { mail: given, isMailVerified }: ProvidedIdentity,
  next: string,
): string {
  const mail = parseMailAddress(given ?? '')?.toLowerCase() ?? null;
  if (mail === null || !isMailVerified) {
    log.info({ mail, reason: 'the mail address is not verified' }, 'a sign-in with the provider was refused');
    throw new ProviderSignInError('unverified_mail', next);
  }
  if (mailDomains.includes(mail.slice(mail.lastIndexOf('@') + 1))) return mail;
  log.info({ mail, reason: 'the mail domain is not allowed' }, 'a sign-in with the provider was refused');
  throw new ProviderSignInError('foreign_mail', next);
}

/**
 * Derives the nonce and the PKCE verifier from the state and the browser's cookie. So both are bound to the browser, and the database
 * contains neither.
 */
function secretsOf(state: string, browserToken: string): SignInSecrets {
  const derive = (purpose: string) =>
    createHmac('sha256', browserToken).update(`${purpose}:${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code_verifier') };
}
