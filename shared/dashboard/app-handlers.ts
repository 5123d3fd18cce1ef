import type { HTTPResponse } from 'h3';
import { shownFindings } from '../connect/shown-finding.ts';
import { STEPS, wordsOf } from '../connect/status-words.ts';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import type { Permission } from '../core/accounts/member.ts';
import { languageOf } from '../core/connect-texts/catalog.ts';
import { MODES } from '../core/domains/status.ts';
import { ServiceError, validationFailed } from '../core/errors.ts';
import type { AppId, DomainId, KeyId } from '../core/ids.ts';
import { timestamp } from '../core/instant.ts';
import { unstorable } from '../core/text/printable.ts';
import { parseJsonObject } from '../http/read-body.ts';
import { getAppOverview } from '../operations/apps/present-app.ts';
import { revealSecret } from '../operations/apps/rotate-signing-secret.ts';
import { type ConnectPage, getConnectPage } from '../operations/connect/get-connect-page.ts';
import type { Context, TransactionGuard, TxContext } from '../operations/context.ts';
import { sendTestEvent } from '../operations/events/send-test-event.ts';
import { findSignedInToApp, permitRole } from '../operations/members/permit.ts';
import { type AuditedAction, withAudit } from '../operations/operator/with-audit.ts';
import type { DocumentId } from '../schema/routes.ts';
import { findAccount } from '../store/accounts/accounts.ts';
import type { AppRequester } from '../store/accounts/app-requesters.ts';
import { findApp } from '../store/accounts/apps.ts';
import { insertAuditOnce, withdrawAudit } from '../store/accounts/audit-log.ts';
import { listOriginProbes } from '../store/accounts/origin-probes.ts';
import { findDomainById } from '../store/domains/domains.ts';
import { permitAct } from './account-handlers.ts';
import { readCookie } from './cookies.ts';
import { type DashboardCall, type DashboardHandler, requireSession } from './dashboard-call.ts';
import { compareExpected, knownFields, splitExpected } from './expected-values.ts';
import { respondJson } from './respond.ts';
import type {
  AppOverview,
  ConnectPreview,
  OriginProbeView,
  RevealedSecret,
  TestEventResult,
} from './responses.ts';
import { findDashboardRoute, ROUTE_PERMISSIONS } from './route-permissions.ts';

/** Handles `GET /apps/{app}/overview`: returns the counts of the home page. */
export const getOverview: DashboardHandler = async (call) => {
  const { id, account_id } = await findOwnApp(call);
  await permitAct(call, account_id, 'read_overview');
  const overview: AppOverview = { account_id, ...(await getAppOverview(call.context, id)) };
  return respondJson(200, overview);
};

/** Handles `GET /apps/{app}/connect-preview/{domain}`: returns the words of a domain's connect page. */
export const getConnectPreview: DashboardHandler = async (call) => {
  const { context, params } = call;
  const { id, account_id } = await findOwnApp(call);
  await permitAct(call, account_id, 'read_connect_preview');
  const domain = await findDomainById(context.store, params['domain'] as DomainId);
  if (domain?.app_id !== id || domain.status === 'deleted') throw new ServiceError('not_found');
  const page = await getConnectPage(context, domain.connect_token);
  if (page === null) throw new ServiceError('not_found');
  return respondJson(200, presentConnectPreview(page));
};

/** Handles `GET /apps/{app}/origin-probes`: lists the probes of the app's origin. */
export const getOriginProbes: DashboardHandler = async (call) => {
  const { id, account_id } = await findOwnApp(call);
  await permitAct(call, account_id, 'read_origin_probes');
  const probes = await listOriginProbes(call.context.store, id);
  const data = probes.map((probe): OriginProbeView => ({ ...probe, at: timestamp(probe.at) }));
  return respondJson(200, { data });
};

/** Handles `POST /apps/{app}/signing-secret/reveal`: returns the signing secret, and writes an audit entry. */
export const reveal: DashboardHandler = async (call) => {
  const { id, account_id } = await findOwnApp(call);
  const { actor } = await permitAct(call, account_id, 'reveal_secret');
  const act = { actor, action: 'signing_secret.reveal', subject: account_id, detail: { app: id } };
  const secret: RevealedSecret = await withAudit(call.context, act, (tx) => revealSecret(tx, id));
  return respondJson(200, secret);
};

/** Handles `POST /apps/{app}/test-event`: sends a test event to the webhook URL. */
export const testEvent: DashboardHandler = async (call) => {
  const { id, account_id } = await findOwnApp(call);
  const { actor } = await permitAct(call, account_id, 'send_test_event');
  const act = { actor, action: 'webhook.test', subject: account_id, detail: { app: id } };
  const guard = auditGuard(call.context, act);
  const { outcome, body, signature } = await sendTestEvent({ ...call.context, guard }, id);
  const { status_code, error, response_ms } = outcome;
  const result: TestEventResult = {
    status_code,
    error,
    response_ms,
    response_headers: outcome.error === null ? (outcome.response_headers ?? null) : null,
    response_body: outcome.error === null ? (outcome.response_body ?? null) : null,
    event: body,
    signature,
  };
  return respondJson(200, result);
};

/**
 * Handles `/apps/{app}/{mode}/…`: runs the API route with the same path, for this app and mode. The signed-in person replaces the API key.
 */
export const runRoute: DashboardHandler = async (call) => {
  const { params, request, url, client, body, options, context } = call;
  const mode = MODES.find((each) => each === params['mode']);
  const path = `/v1/${params['path'] ?? ''}`;
  const route = findDashboardRoute(request.method, path);
  if (mode === undefined || route === null) throw new ServiceError('not_found');
  const appId = params['app'] as AppId;
  const requester = options.isOpen ? await findAnyone(call, appId) : await findRequester(call, appId);
  const { account, actor, key_id } = requester;
  const { expected, json } =
    body.byteLength === 0 ? NO_BODY : splitExpected(route.id, readStorable(request, body));
  const { action, ...permission } = ROUTE_PERMISSIONS[route.id];
  const isLiveKey = route.id === 'createKey' && json?.['mode'] === 'live';
  await requester.permit(isLiveKey ? { ...permission, recent: true } : permission);
  const fields = json && knownFields(route.id, json);
  const detail = {
    app: appId,
    mode,
    ...(ID.test(route.resourceId) && { id: route.resourceId }),
    ...(fields !== null && fields.length > 0 && { fields }),
  };
  const caller = { app_id: appId, account_id: account.id, key_id, mode, idempotency: null };
  const act = { actor, subject: account.id, detail };
  const compare = expected && ((tx: TxContext) => compareExpected(tx, route, caller, expected));
  const guard = action === null ? undefined : auditGuard(context, { ...act, action }, compare ?? undefined);
  return async () => {
    const response = await options.handle(route.id, {
      // The body was already read from the request, so the route gets a new request with the same body.
      request: body.byteLength === 0 ? request : withBody(request, JSON.stringify(json)),
      url: new URL(`${path}${url.search}`, context.settings.baseUrl),
      params: { id: route.resourceId },
      client,
      member: { credentials: { caller, suspended: account.suspended }, ...(guard && { guard }) },
    });
    if (showsKeyAgain(route.id, response))
      await withAudit(context, { ...act, action: 'key.reveal' }, async () => null);
    return response;
  };
};

/**
 * Parses a body and checks that the database can store its texts. The handler uses these values before the route validates them.
 * @throws ServiceError `invalid_request` or `validation_failed`.
 */
function readStorable(request: Request, body: Uint8Array): Record<string, unknown> {
  const json = parseJsonObject(request, body);
  const [problem] = unstorable(json);
  if (problem !== undefined) throw validationFailed(problem);
  return json;
}

/** Returns whether a response repeats the stored response of an earlier request, which contains an API key. */
function showsKeyAgain(id: DocumentId, { status, headers }: HTTPResponse): boolean {
  return id === 'createKey' && status === 201 && headers.get('idempotency-replayed') === 'true';
}

const NO_BODY = { expected: null, json: null };
const ID = /^[A-Za-z0-9_]{1,64}$/;

/** A person who is signed in to the dashboard, as the caller of an API route. */
interface Requester {
  account: NonNullable<AppRequester['account']>;
  /** The name of the person in the audit log. */
  actor: string;
  /** The id that the API's rate limits use instead of the id of a key. */
  key_id: KeyId;
  permit(permission: Permission): Promise<unknown>;
}

/** Returns the signed-in person and the account of the app. @throws DashboardError `sign_in_required`; ServiceError `not_found`. */
async function findRequester({ context, request, options }: DashboardCall, appId: AppId): Promise<Requester> {
  const token = readCookie(request.headers, 'session');
  const isRead = request.method === 'GET';
  const found = await (isRead
    ? options.readers.find(token, appId)
    : findSignedInToApp(context, token, appId));
  if (found === null) throw new DashboardError('sign_in_required');
  const { session, account, member } = found;
  if (account === null) throw new ServiceError('not_found');
  return {
    account,
    actor: session.mail,
    key_id: session.id as string as KeyId,
    permit: (permission) => permitRole(context, session, account.id, member, permission),
  };
}

/** Returns the requester of the emulator, which has no sign-in and allows everything. @throws ServiceError `not_found`. */
async function findAnyone(call: DashboardCall, appId: AppId): Promise<Requester> {
  const { account_id } = await findOwnApp(call);
  const account = await findAccount(call.context.store, account_id);
  if (account === null) throw new ServiceError('not_found');
  return { account, actor: 'dashboard', key_id: appId as string as KeyId, permit: async () => undefined };
}

/**
 * Returns a guard that writes the audit entry of an action in the first transaction of that action.
 * @param first runs in the action's first transaction, before the action's own work.
 */
function auditGuard(
  context: Context,
  act: AuditedAction,
  first?: (tx: TxContext) => Promise<void>,
): TransactionGuard {
  const id = context.ids('aud');
  const { actor, action, subject, detail = null } = act;
  return {
    async begin(tx) {
      const entry = { id, at: tx.clock.now(), actor, action, subject, detail };
      if (await insertAuditOnce(tx.store, entry)) await first?.(tx);
    },
    unchanged: (tx) => withdrawAudit(tx.store, id),
  };
}

function withBody(request: Request, body: string): Request {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  const { method, url } = request;
  return new Request(url, { method, headers, ...(body !== '' && { body }) });
}

/** Finds the app whose id is in the path. The caller then refuses an app of another account with the same error as an unknown one. */
async function findOwnApp(call: DashboardCall) {
  if (!call.options.isOpen) requireSession(call);
  const { context, params } = call;
  const app = await findApp(context.store, params['app'] as AppId);
  if (app === null) throw new ServiceError('not_found');
  return app;
}

/** The language of the preview. The dashboard is in English, but the connect page uses the language of the customer's browser. */
const LANGUAGE = languageOf('en');

/** Returns the texts of a connect page, without its records and buttons (`decisions/0045`). */
function presentConnectPreview(page: ConnectPage): ConnectPreview {
  const findings = shownFindings(page, LANGUAGE);
  const { tone, headline, text, stepsDone, showsFindings } = wordsOf(page, findings, LANGUAGE);
  return {
    tone,
    headline,
    text,
    steps_done: stepsDone,
    steps: STEPS.map((step) => LANGUAGE.texts.page[step].title),
    findings: showsFindings ? findings.map(({ title }) => title) : [],
  };
}
