import {
  createApp,
  dismissMember,
  getAudit,
  getAuditCsv,
  getMembers,
  invite,
  patchAccount,
  showAccount,
  updateMember,
} from './account-handlers.ts';
import {
  getConnectPreview,
  getOriginProbes,
  getOverview,
  reveal,
  runRoute,
  testEvent,
} from './app-handlers.ts';
import {
  changePlan,
  openBillingPortal,
  openCardPage,
  previewPlan,
  readBilling,
  syncBillingNow,
} from './billing-handlers.ts';
import type { DashboardHandler } from './dashboard-call.ts';
import {
  beginCreation,
  beginSignIn,
  createPasskey,
  listOwnPasskeys,
  removeOwnPasskey,
  signInByPasskey,
} from './passkey-handlers.ts';
import { beginAtProvider, finishAtProvider } from './provider-handlers.ts';
import { PROVIDER_PATH } from './provider-page.ts';
import {
  getSession,
  listOwnSessions,
  postAccount,
  requestLink,
  revokeSession,
  signInByLink,
  signOut,
} from './session-handlers.ts';

export interface DashboardRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/dashboard/api`. */
  path: string;
  /** True if the request uses a slot of its app, like an API request with a key. */
  isOfApp?: true;
  handler: DashboardHandler;
}

const ROUTE_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** The routes of the dashboard's own API, which only the dashboard's script calls. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  { method: 'GET', path: '/session', handler: getSession },
  { method: 'DELETE', path: '/session', handler: signOut },
  { method: 'POST', path: '/sign-in/links', handler: requestLink },
  { method: 'POST', path: '/sign-in/links/use', handler: signInByLink },
  { method: 'GET', path: '/sessions', handler: listOwnSessions },
  { method: 'DELETE', path: '/sessions/:id', handler: revokeSession },
  { method: 'POST', path: '/sign-in/passkeys/options', handler: beginSignIn },
  { method: 'POST', path: '/sign-in/passkeys', handler: signInByPasskey },
  { method: 'GET', path: '/passkeys', handler: listOwnPasskeys },
  { method: 'POST', path: '/passkeys/options', handler: beginCreation },
  { method: 'POST', path: '/passkeys', handler: createPasskey },
  { method: 'DELETE', path: '/passkeys/:id', handler: removeOwnPasskey },
  { method: 'POST', path: '/accounts', handler: postAccount },
  { method: 'GET', path: '/accounts/:account', handler: showAccount },
  { method: 'PATCH', path: '/accounts/:account', handler: patchAccount },
  { method: 'POST', path: '/accounts/:account/apps', handler: createApp },
  { method: 'GET', path: '/accounts/:account/members', handler: getMembers },
  { method: 'POST', path: '/accounts/:account/members', handler: invite },
  {
    method: 'PATCH',
    path: '/accounts/:account/members/:id',
    handler: updateMember,
  },
  {
    method: 'DELETE',
    path: '/accounts/:account/members/:id',
    handler: dismissMember,
  },
  { method: 'GET', path: '/accounts/:account/audit', handler: getAudit },
  { method: 'GET', path: '/accounts/:account/audit.csv', handler: getAuditCsv },
  { method: 'GET', path: '/accounts/:account/billing', handler: readBilling },
  {
    method: 'POST',
    path: '/accounts/:account/billing/card',
    handler: openCardPage,
  },
  {
    method: 'POST',
    path: '/accounts/:account/billing/portal',
    handler: openBillingPortal,
  },
  {
    method: 'GET',
    path: '/accounts/:account/billing/preview',
    handler: previewPlan,
  },
  {
    method: 'POST',
    path: '/accounts/:account/billing/plan',
    handler: changePlan,
  },
  {
    method: 'POST',
    path: '/accounts/:account/billing/sync',
    handler: syncBillingNow,
  },
  { method: 'GET', path: '/apps/:app/overview', handler: getOverview },
  {
    method: 'GET',
    path: '/apps/:app/connect-preview/:domain',
    handler: getConnectPreview,
  },
  { method: 'GET', path: '/apps/:app/origin-probes', handler: getOriginProbes },
  { method: 'POST', path: '/apps/:app/signing-secret/reveal', handler: reveal },
  { method: 'POST', path: '/apps/:app/test-event', handler: testEvent },
  ...ROUTE_METHODS.map(
    (method): DashboardRoute => ({
      method,
      path: '/apps/:app/:mode/**',
      isOfApp: true,
      handler: runRoute,
    }),
  ),
];

/** The URLs of a sign-in with the identity provider, which the browser opens as pages. They exist only if a provider is configured. */
export const PROVIDER_ROUTES: readonly Pick<DashboardRoute, 'path' | 'handler'>[] = [
  { path: PROVIDER_PATH, handler: beginAtProvider },
  { path: `${PROVIDER_PATH}/callback`, handler: finishAtProvider },
];
