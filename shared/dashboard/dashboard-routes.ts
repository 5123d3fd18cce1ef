import type { DashboardHandler } from './dashboard-call.ts';

export interface DashboardRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below `/dashboard/api`. */
  path: string;
  /** True if the request takes a slot of its app, like a request with a key. */
  isOfApp?: true;
  /** Imported with the first request, because most nodes never serve the dashboard. */
  load: () => Promise<DashboardHandler>;
}

const ofSession = () => import('./session-handlers.ts');
const ofPasskeys = () => import('./passkey-handlers.ts');
const ofAccount = () => import('./account-handlers.ts');
const ofBilling = () => import('./billing-handlers.ts');
const ofApp = () => import('./app-handlers.ts');

const ROUTE_METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** The routes of the dashboard's own API, which only its script calls. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  { method: 'GET', path: '/session', load: async () => (await ofSession()).getSession },
  { method: 'DELETE', path: '/session', load: async () => (await ofSession()).signOut },
  { method: 'POST', path: '/sign-in/links', load: async () => (await ofSession()).requestLink },
  { method: 'POST', path: '/sign-in/links/use', load: async () => (await ofSession()).signInByLink },
  { method: 'GET', path: '/sessions', load: async () => (await ofSession()).listOwnSessions },
  { method: 'DELETE', path: '/sessions/:id', load: async () => (await ofSession()).revokeSession },
  { method: 'POST', path: '/sign-in/passkeys/options', load: async () => (await ofPasskeys()).beginSignIn },
  { method: 'POST', path: '/sign-in/passkeys', load: async () => (await ofPasskeys()).signInByPasskey },
  { method: 'GET', path: '/passkeys', load: async () => (await ofPasskeys()).listOwnPasskeys },
  { method: 'POST', path: '/passkeys/options', load: async () => (await ofPasskeys()).beginCreation },
  { method: 'POST', path: '/passkeys', load: async () => (await ofPasskeys()).createPasskey },
  { method: 'DELETE', path: '/passkeys/:id', load: async () => (await ofPasskeys()).removeOwnPasskey },
  { method: 'POST', path: '/accounts', load: async () => (await ofSession()).createAccount },
  { method: 'GET', path: '/accounts/:account', load: async () => (await ofAccount()).getAccount },
  { method: 'PATCH', path: '/accounts/:account', load: async () => (await ofAccount()).updateAccount },
  { method: 'POST', path: '/accounts/:account/apps', load: async () => (await ofAccount()).createApp },
  { method: 'GET', path: '/accounts/:account/members', load: async () => (await ofAccount()).getMembers },
  { method: 'POST', path: '/accounts/:account/members', load: async () => (await ofAccount()).invite },
  {
    method: 'PATCH',
    path: '/accounts/:account/members/:id',
    load: async () => (await ofAccount()).updateMember,
  },
  {
    method: 'DELETE',
    path: '/accounts/:account/members/:id',
    load: async () => (await ofAccount()).deleteMember,
  },
  { method: 'GET', path: '/accounts/:account/audit', load: async () => (await ofAccount()).getAudit },
  { method: 'GET', path: '/accounts/:account/audit.csv', load: async () => (await ofAccount()).getAuditCsv },
  { method: 'GET', path: '/accounts/:account/billing', load: async () => (await ofBilling()).readBilling },
  {
    method: 'POST',
    path: '/accounts/:account/billing/card',
    load: async () => (await ofBilling()).openCardPage,
  },
  {
    method: 'POST',
    path: '/accounts/:account/billing/portal',
    load: async () => (await ofBilling()).openBillingPortal,
  },
  {
    method: 'GET',
    path: '/accounts/:account/billing/preview',
    load: async () => (await ofBilling()).previewPlan,
  },
  {
    method: 'POST',
    path: '/accounts/:account/billing/plan',
    load: async () => (await ofBilling()).changePlan,
  },
  {
    method: 'POST',
    path: '/accounts/:account/billing/sync',
    load: async () => (await ofBilling()).syncBillingNow,
  },
  { method: 'GET', path: '/apps/:app/overview', load: async () => (await ofApp()).getOverview },
  {
    method: 'GET',
    path: '/apps/:app/connect-preview/:domain',
    load: async () => (await ofApp()).getConnectPreview,
  },
  { method: 'GET', path: '/apps/:app/origin-probes', load: async () => (await ofApp()).getOriginProbes },
  { method: 'POST', path: '/apps/:app/signing-secret/reveal', load: async () => (await ofApp()).reveal },
  { method: 'POST', path: '/apps/:app/test-event', load: async () => (await ofApp()).testEvent },
  ...ROUTE_METHODS.map(
    (method): DashboardRoute => ({
      method,
      path: '/apps/:app/:mode/**',
      isOfApp: true,
      load: async () => (await ofApp()).runRoute,
    }),
  ),
];

/** The path at which a sign-in with the company's provider begins. */
export const PROVIDER_PATH = '/dashboard/sign-in/oidc';

const ofProvider = () => import('./provider-handlers.ts');

/** The pages of a sign-in with the provider, which the browser opens itself. They exist only if there is a provider. */
export const PROVIDER_ROUTES: readonly Pick<DashboardRoute, 'path' | 'load'>[] = [
  { path: PROVIDER_PATH, load: async () => (await ofProvider()).beginAtProvider },
  { path: `${PROVIDER_PATH}/callback`, load: async () => (await ofProvider()).finishAtProvider },
];
