import * as account from './account-handlers.ts';
import * as app from './app-handlers.ts';
import * as billing from './billing-handlers.ts';
import type { DashboardHandler } from './dashboard-call.ts';
import * as passkey from './passkey-handlers.ts';
import * as provider from './provider-handlers.ts';
import { PROVIDER_PATH } from './provider-page.ts';
import * as session from './session-handlers.ts';

const ROUTE_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
type Method = (typeof ROUTE_METHODS)[number];

export interface DashboardRoute {
  method: Method;
  /** The path below `/dashboard/api`. */
  path: string;
  /** True if the request uses a slot of its app, like an API request with a key. */
  isOfApp?: true;
  handler: DashboardHandler;
}

/** The handlers of the dashboard's own API by method and path. Other paths run a route of `/v1`. */
const HANDLERS: Record<`${Method} /${string}`, DashboardHandler> = {
  'GET /session': session.getSession,
  'DELETE /session': session.signOut,
  'POST /sign-in/links': session.requestLink,
  'POST /sign-in/links/use': session.signInByLink,
  'GET /sessions': session.listOwnSessions,
  'DELETE /sessions/:id': session.revokeSession,
  'POST /sign-in/passkeys/options': passkey.beginSignIn,
  'POST /sign-in/passkeys': passkey.signInByPasskey,
  'GET /passkeys': passkey.listOwnPasskeys,
  'POST /passkeys/options': passkey.beginCreation,
  'POST /passkeys': passkey.createPasskey,
  'DELETE /passkeys/:id': passkey.removeOwnPasskey,
  'POST /accounts': session.postAccount,
  'GET /accounts/:account': account.showAccount,
  'PATCH /accounts/:account': account.patchAccount,
  'POST /accounts/:account/apps': account.createApp,
  'GET /accounts/:account/members': account.getMembers,
  'POST /accounts/:account/members': account.invite,
  'PATCH /accounts/:account/members/:id': account.updateMember,
  'DELETE /accounts/:account/members/:id': account.dismissMember,
  'GET /accounts/:account/audit': account.getAudit,
  'GET /accounts/:account/audit.csv': account.getAuditCsv,
  'GET /accounts/:account/billing': billing.readBilling,
  'POST /accounts/:account/billing/card': billing.openCardPage,
  'POST /accounts/:account/billing/portal': billing.openBillingPortal,
  'GET /accounts/:account/billing/preview': billing.previewPlan,
  'POST /accounts/:account/billing/plan': billing.changePlan,
  'POST /accounts/:account/billing/sync': billing.syncBillingNow,
  'GET /apps/:app/overview': app.getOverview,
  'GET /apps/:app/connect-preview/:domain': app.getConnectPreview,
  'GET /apps/:app/origin-probes': app.getOriginProbes,
  'POST /apps/:app/signing-secret/reveal': app.reveal,
  'POST /apps/:app/test-event': app.testEvent,
};

/** The routes of the dashboard's own API, which only the dashboard's script calls. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...Object.entries(HANDLERS).map(([call, handler]): DashboardRoute => {
    const [method, path] = call.split(' ') as [Method, string];
    return { method, path, handler };
  }),
  ...ROUTE_METHODS.map(
    (method): DashboardRoute => ({
      method,
      path: '/apps/:app/:mode/**',
      isOfApp: true,
      handler: app.runRoute,
    }),
  ),
];

/** The URLs of a sign-in with the identity provider, which the browser opens as pages. They exist only if a provider is configured. */
export const PROVIDER_ROUTES: readonly Pick<DashboardRoute, 'path' | 'handler'>[] = [
  { path: PROVIDER_PATH, handler: provider.beginAtProvider },
  { path: `${PROVIDER_PATH}/callback`, handler: provider.finishAtProvider },
];
