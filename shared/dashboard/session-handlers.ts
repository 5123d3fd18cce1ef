import * as z from 'zod';
import { isRecent, type Session } from '../core/accounts/session.ts';
import { ServiceError } from '../core/errors.ts';
import { timestamp } from '../core/instant.ts';
import { signUp } from '../operations/members/own-accounts.ts';
import { newToken, requestSignInLink, signInWithLink } from '../operations/members/sign-in.ts';
import { nameSchema } from '../schema/fields.ts';
import { selectAccounts } from '../store/accounts/accounts.ts';
import { listMemberships } from '../store/accounts/members.ts';
import { deleteSession, listSessions } from '../store/accounts/sessions.ts';
import { autocommit } from '../store/store.ts';
import { presentAccount } from './account-view.ts';
import { browserCookie, cookie, readBrowser, readCookie, signedInCookies } from './cookies.ts';
import { type DashboardCall, type DashboardHandler, readJson, requireSession } from './dashboard-call.ts';
import { respondJson } from './respond.ts';
import type {
  CreatedAccountView,
  DashboardSession,
  SessionAccount,
  SessionView,
  SignedIn,
} from './responses.ts';

const ACCOUNTS_SHOWN_MAX = 100;

/** Handles `GET /session`: returns whether the browser is signed in, and the accounts of the person. */
export const getSession: DashboardHandler = async (call) =>
  respondJson(200, await presentSession(call, call.session));

const linkSchema = z.strictObject({ mail: z.string().max(320), next: z.string().max(200).optional() });

/** Handles `POST /sign-in/links`: sends a sign-in link and sets a cookie. The link works only in a browser with this cookie. */
export const requestLink: DashboardHandler = async (call) => {
  const { context, request, client } = call;
  const { mail, next } = readJson(call, linkSchema);
  const browserToken = readCookie(request.headers, 'browser') ?? newToken(context);
  const knownToken = readCookie(request.headers, 'known');
  await requestSignInLink(context, { mail, next, browserToken, knownToken, network: client.network });
  return respondJson(202, {}, [browserCookie(browserToken)]);
};

const tokenSchema = z.strictObject({ token: z.string().min(20).max(100) });

/** Handles `POST /sign-in/links/use`: signs in with the token of a link. */
export const signInByLink: DashboardHandler = async (call) => {
  const { context, request } = call;
  const { token } = readJson(call, tokenSchema);
  const started = await signInWithLink(context, token, readBrowser(request));
  const body: SignedIn = { ...(await presentSession(call, started.session)), next: started.next };
  return respondJson(200, body, signedInCookies(context, started));
};

/** Handles `DELETE /session`: signs out. */
export const signOut: DashboardHandler = async (call) => {
  const { context, session } = call;
  if (session !== null) await deleteSession(autocommit(context.store), session.mail, session.id);
  return respondJson(204, null, [cookie('session', '', 0)]);
};

/** Handles `GET /sessions`: lists the browsers in which the person is signed in. */
export const listOwnSessions: DashboardHandler = async (call) => {
  const own = requireSession(call);
  const sessions = await listSessions(call.context.store, own.mail);
  const data = sessions.map(
    ({ id, created_at, last_seen_at, user_agent }): SessionView => ({
      id,
      created_at: timestamp(created_at),
      last_seen_at: timestamp(last_seen_at),
      user_agent,
      is_current: id === own.id,
    }),
  );
  return respondJson(200, { data });
};

/** Handles `DELETE /sessions/{id}`: ends another session of the same person. */
export const revokeSession: DashboardHandler = async (call) => {
  const { mail } = requireSession(call);
  if (!(await deleteSession(autocommit(call.context.store), mail, call.params['id'] ?? ''))) {
    throw new ServiceError('not_found');
  }
  return respondJson(204, null);
};

const accountSchema = z.strictObject({ name: nameSchema });

/** Handles `POST /accounts`: creates an account and its first app. Only this response contains the first test key. */
export const postAccount: DashboardHandler = async (call) => {
  const { mail } = requireSession(call);
  const { name } = readJson(call, accountSchema);
  const { account, test_key } = await signUp(call.context, mail, name);
  const body: CreatedAccountView = { ...(await presentAccount(call.context, account, 'owner')), test_key };
  return respondJson(201, body);
};

/** Returns the JSON of a browser's session, which every response to a sign-in contains. */
export async function presentSession(
  { context, options }: DashboardCall,
  session: Session | null,
): Promise<DashboardSession> {
  const { settings, clock, mailer } = context;
  const { identityProvider: provider } = options;
  return {
    mail: session?.mail ?? null,
    signed_in_at: session === null ? null : timestamp(session.signed_in_at),
    is_recent: session !== null && isRecent(session, clock.now()),
    open: options.isOpen,
    service_name: settings.names.shown_name,
    docs_url: settings.docsUrl,
    base_url: settings.baseUrl,
    now: timestamp(clock.now()),
    sign_in: {
      link: mailer !== null || settings.printsSignInLinks,
      mails: mailer !== null,
      passkey: options.passkeys !== null,
      oidc: provider && { name: provider.name },
      sign_up: settings.signUp,
    },
    accounts: await accountsOf(context, options.isOpen, session),
  };
}

async function accountsOf(
  { store, settings }: DashboardCall['context'],
  isOpen: boolean,
  session: Session | null,
): Promise<SessionAccount[]> {
  if (isOpen) {
    const accounts = await selectAccounts(store, ACCOUNTS_SHOWN_MAX);
    return accounts.map(({ id, name }) => ({ id, name, role: 'owner' }));
  }
  if (session === null) return [];
  const memberships = await listMemberships(store, session.mail);
  const own = memberships.map(({ account_id, account_name, role }) => ({
    id: account_id,
    name: account_name,
    role,
  }));
  if (!settings.operators.includes(session.mail)) return own;
  const accounts = await selectAccounts(store, ACCOUNTS_SHOWN_MAX);
  const others = accounts.filter(({ id }) => !own.some((each) => each.id === id));
  return [...own, ...others.map(({ id, name }): SessionAccount => ({ id, name, role: 'viewer' }))];
}
