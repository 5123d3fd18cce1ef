import { createHash } from 'node:crypto';
import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import { parseMailAddress } from '../../core/accounts/mail-address.ts';
import { SESSION, type Session } from '../../core/accounts/session.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { Instant } from '../../core/instant.ts';
import { type AuditEntry, insertAudit } from '../../store/accounts/audit-log.ts';
import { isMember, listMemberships, type Membership } from '../../store/accounts/members.ts';
import { countSharedUse } from '../../store/accounts/rate-windows.ts';
import { deleteSessionByHash, insertSession } from '../../store/accounts/sessions.ts';
import { claimSignInLink, insertSignInLink } from '../../store/accounts/sign-in-links.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { refuseWhile, spend } from '../spend.ts';

export interface LinkRequest {
  mail: string;
  /** The path below `/dashboard` to open after the sign-in. For any other value, the home page opens. */
  next: string | undefined;
  /** The cookie of the requesting browser. The link works only in a browser with this cookie. */
  browserToken: string;
  /** The cookie of a browser in which someone signed in before; null if the browser has none. */
  knownToken: string | null;
  /** The visitor's network, which has a limit of its own. */
  network: string;
}

/**
 * Handles a request for a sign-in link. The response does not reveal whether a link is sent. If only invited people may sign in, an unknown
 * address gets no link. Once an address has reached its limit across all networks, only a network's first link is sent. An error would tell
 * strangers that someone else requests links for this address.
 * @throws ServiceError `validation_failed` for an invalid address. `rate_limited` if a network sends too many requests, in total or for one
 * address.
 */
export async function requestSignInLink(context: Context, request: LinkRequest): Promise<void> {
  const mail = readMail(request.mail);
  const { network } = request;
  await spend(context, 'network_links', network);
  const isMailOpen = await countLink(context, mail, request);
  await transact(context, async (tx) => {
    const id = tx.ids('lnk');
    const now = tx.clock.now();
    await insertSignInLink(tx.store, {
      id,
      hash: null,
      browser_hash: digest(request.browserToken),
      mail,
      next: readNext(request.next),
      expires_at: now + SESSION.link_ms,
      used_at: null,
    });
    if (!isMailOpen) return;
    if (tx.settings.signUp === 'invite' && !(await maySignIn(tx, mail))) return;
    await scheduleJob(tx.store, { kind: 'send_link', subject_id: id, app_id: null, due_at: now });
    tx.notices.publish({ kind: 'work' });
  });
}

/**
 * Counts a sign-in link towards its limits. Browsers in which the person signed in before have a limit of their own, which no stranger can
 * use up.
 * @returns whether the link may be sent.
 */
async function countLink(
  context: Context,
  mail: string,
  { network, knownToken }: LinkRequest,
): Promise<boolean> {
  if (isKnownBrowser(context, mail, knownToken)) {
    await spend(context, 'known_browser_links', digest(mail));
    return true;
  }
  const mailbox = { subject: digest(mail), party: network };
  const { waitMs, isOpen } = await countSharedUse(
    context.store,
    'sign_in_links',
    mailbox,
    context.clock.now(),
  );
  refuseWhile('sign_in_links', waitMs);
  return isOpen;
}

/** Returns the cookie for a browser in which this person has signed in. The cookie is bound to the person's mail address. */
export function knownBrowserToken({ secrets }: Pick<Context, 'secrets'>, mail: string): string {
  return secrets.seal('', knownBrowserBinding(mail));
}

function isKnownBrowser({ secrets }: Context, mail: string, token: string | null): boolean {
  if (token === null) return false;
  try {
    return secrets.open(token, knownBrowserBinding(mail)) === '';
  } catch {
    return false; // The cookie belongs to someone else, was made up, or its key is no longer in the ring.
  }
}

function knownBrowserBinding(mail: string): string {
  return JSON.stringify(['known-browser', mail]);
}

/**
 * Creates a sign-in link, which an operator gives to the person. It works once, in any browser, for 15 minutes.
 * @returns the URL.
 * @throws ServiceError `validation_failed`, or `not_found` if no account has this member.
 */
export async function createSignInLink(context: Context, actor: string, address: string): Promise<string> {
  const mail = readMail(address);
  return transact(context, async (tx) => {
    if (!(await maySignIn(tx, mail))) {
      throw new ServiceError('not_found', {
        message: `No account has the member ${mail}.`,
        fix: 'Add the person to an account first: nameplate service members add <account> <mail>.',
      });
    }
    const token = newToken(tx);
    await insertSignInLink(tx.store, {
      id: tx.ids('lnk'),
      hash: digest(token),
      browser_hash: null,
      mail,
      next: '/dashboard',
      expires_at: tx.clock.now() + SESSION.link_ms,
      used_at: null,
    });
    const memberships = await listMemberships(tx.store, mail);
    const joined = memberships.filter(isJoined);
    // If the person has joined no account yet, the accounts that invited the person get the audit entry.
    const recorded = joined.length > 0 ? joined : memberships;
    await recordIn(tx, recorded, { actor, action: 'member.sign_in_link', detail: { mail } });
    return signInUrl(tx, token);
  });
}

export interface StartedSession {
  session: Session;
  /** The value of the session cookie. The database contains only its digest. */
  token: string;
  /** Path to open next. */
  next: string;
}

/** The browser that signs in. */
export interface SigningBrowser {
  /** The cookie that was set when the link was requested; null if the browser has none. */
  browserToken: string | null;
  /**
   * The session cookie that the browser has before the sign-in. The sign-in replaces the cookie, so a cookie that an attacker planted is
   * useless.
   */
  sessionToken: string | null;
  userAgent: string;
  /** When the person signed in at the identity provider. Absent if the person signs in now. */
  signedInAt?: Instant;
}

/** Signs a person in with a link. @throws DashboardError `link_invalid`. */
export async function signInWithLink(
  context: Context,
  token: string,
  browser: SigningBrowser,
): Promise<StartedSession> {
  return transact(context, async (tx) => {
    const browserHash = browser.browserToken === null ? null : digest(browser.browserToken);
    const link = await claimSignInLink(tx.store, digest(token), browserHash, tx.clock.now());
    if (link === null) throw new DashboardError('link_invalid');
    return { ...(await startSession(tx, link.mail, browser)), next: link.next };
  });
}

/** Starts a session for a person whose identity was verified. Ends the session that the browser had before. */
export async function startSession(
  tx: TxContext,
  mail: string,
  { sessionToken, userAgent, signedInAt }: Omit<SigningBrowser, 'browserToken'>,
): Promise<Omit<StartedSession, 'next'>> {
  const now = tx.clock.now();
  const token = newToken(tx);
  const session: Session = {
    id: tx.ids('ses'),
    mail,
    user_agent: userAgent.slice(0, 200),
    created_at: now,
    signed_in_at: Math.min(now, signedInAt ?? now),
    last_seen_at: now,
  };
  if (sessionToken !== null) await deleteSessionByHash(tx.store, digest(sessionToken));
  await insertSession(tx.store, session, digest(token));
  await recordOfPerson(tx, mail, { actor: mail, action: 'member.sign_in', detail: null });
  return { session, token };
}

/** Returns whether a person belongs to an account or is an operator. */
async function maySignIn({ store, settings }: Context, mail: string): Promise<boolean> {
  return settings.operators.includes(mail) || isMember(store, mail);
}

type PersonEntry = Pick<AuditEntry, 'actor' | 'action' | 'detail'>;

/**
 * Writes an audit entry about a person for each account that the person has joined. Accounts whose invitation the person has not accepted
 * must learn nothing, because anyone can invite any person.
 */
export async function recordOfPerson(tx: TxContext, mail: string, entry: PersonEntry): Promise<void> {
  await recordIn(tx, (await listMemberships(tx.store, mail)).filter(isJoined), entry);
}

function isJoined({ joined_at }: Pick<Membership, 'joined_at'>): boolean {
  return joined_at !== null;
}

async function recordIn(
  tx: TxContext,
  memberships: readonly Membership[],
  entry: PersonEntry,
): Promise<void> {
  for (const { account_id } of memberships) {
    await insertAudit(tx.store, {
      id: tx.ids('aud'),
      at: tx.clock.now(),
      subject: account_id,
      ...entry,
    });
  }
}

/**
 * If the service is open only to invited people, throws unless the person belongs to an account or is an operator.
 * @throws DashboardError `not_invited`.
 */
export async function refuseUninvited(tx: TxContext, mail: string): Promise<void> {
  if (tx.settings.signUp === 'open' || (await maySignIn(tx, mail))) return;
  throw new DashboardError('not_invited', { message: `${mail} does not belong to an account.` });
}

/** Returns the URL of a sign-in link. The token is in the fragment, which browsers never send to a server. */
export function signInUrl({ settings }: Pick<Context, 'settings'>, token: string): string {
  return `${settings.baseUrl}/dashboard/sign-in#${token}`;
}

/** Returns 256 random bits in base64url. */
export function newToken({ random }: Pick<Context, 'random'>): string {
  return Buffer.from(random(32)).toString('base64url');
}

/** Returns the SHA-256 of a token or an address, in hex, for storage. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the normalized mail address that identifies a person. @throws ServiceError `validation_failed`. */
export function readMail(input: string): string {
  const mail = parseMailAddress(input)?.toLowerCase();
  if (mail !== undefined) return mail;
  throw validationFailed({ path: 'mail', message: 'must be one email address, such as ada@example.com' });
}

/** Returns the path if it is one of the dashboard, else the home page, so that a link never opens another site. */
export function readNext(next: string | undefined): string {
  const isOwn = next !== undefined && /^\/dashboard(\/[\w./-]*)?$/.test(next) && next.length <= 200;
  return isOwn ? next : '/dashboard';
}
