import type { H3, H3Event, HTTPResponse } from 'h3';
import { monotonicClock } from '../adapters/system.ts';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import { ServiceError } from '../core/errors.ts';
import { unstorable } from '../core/text/printable.ts';
import { type Admission, type ConnectedClient, clientOf } from '../http/admission.ts';
import { NO_CLIENT } from '../http/api.ts';
import type { RouteHandler } from '../http/handle-route.ts';
import { readBody } from '../http/read-body.ts';
import type { Context } from '../operations/context.ts';
import { findSignedIn } from '../operations/members/permit.ts';
import { readCookie } from './cookies.ts';
import type { DashboardCall, DashboardHandler, DashboardOptions } from './dashboard-call.ts';
import { serveDashboardPage } from './dashboard-page.ts';
import { DASHBOARD_ROUTES, PROVIDER_ROUTES } from './dashboard-routes.ts';
import { createRecentReaders } from './recent-readers.ts';
import { respondFailure } from './respond.ts';

const BASE = '/dashboard/api';

/** The options of `serveDashboard`, apart from the handler of API routes. */
export interface DashboardSetup extends Omit<DashboardOptions, 'handle' | 'readers'> {
  /** Limits the share of the node's slots for each client. Null in the emulator. */
  admission: Admission | null;
}

/**
 * Adds the dashboard to the API's server: its page, its script, and its own API. A request to this API uses a slot for pages. If it runs a
 * route of `/v1`, it then releases that slot and uses a slot of its app, like a request with a key.
 * @returns the paths of routes that take their slots themselves.
 */
export function serveDashboard(
  app: H3,
  context: Context,
  handle: RouteHandler,
  { admission, ...setup }: DashboardSetup,
): readonly string[] {
  const readers = createRecentReaders(context, monotonicClock);
  const options: DashboardOptions = { ...setup, handle, readers };
  serveDashboardPage(app, context.settings, setup.addition);
  for (const { method, path, isOfApp, handler } of DASHBOARD_ROUTES) {
    app.on(method, `${BASE}${path}`, async (event) => {
      const client = clientOfEvent(event);
      try {
        refuseForeign(context, event, options);
        // Reads the body before it takes a slot, so that a slow sender does not delay other visitors.
        const body = method === 'GET' ? NOTHING : await readBody(event.req);
        return await run(handler, event, { client, body, needsSession: isOfApp !== true });
      } catch (thrown) {
        // Delays the response to a caller without a session, because anyone can send such requests without limit.
        const isStranger = thrown instanceof DashboardError && thrown.code === 'sign_in_required';
        if (isStranger) await admission?.paceRefusal(client.network, client);
        return respondFailure(context, thrown);
      } finally {
        if (method !== 'GET') readers.forget();
      }
    });
  }

  const providerRoutes = options.identityProvider === null ? [] : PROVIDER_ROUTES;
  for (const { path, handler } of providerRoutes) {
    app.on('GET', path, (event) => {
      const read = { client: clientOfEvent(event), body: NOTHING, needsSession: true };
      return run(handler, event, read);
    });
  }

  function clientOfEvent(event: H3Event): ConnectedClient {
    return admission === null ? NO_CLIENT : clientOf(event);
  }

  /** @param needsSession false if the handler itself reads the session, together with the app. */
  async function run(
    handler: DashboardHandler,
    event: H3Event,
    { client, body, needsSession }: Pick<DashboardCall, 'client' | 'body'> & { needsSession: boolean },
  ): Promise<HTTPResponse> {
    const { req: request, url } = event;
    const { _: path = '', ...named } = event.context.params ?? {};
    const params = { ...named, path };
    // A malformed id cannot exist: respond with 404 without a query.
    if (unstorable(params).length > 0) throw new ServiceError('not_found');
    const work = async () => {
      const cookie = options.isOpen || !needsSession ? null : readCookie(request.headers, 'session');
      const session = await findSignedIn(context, cookie);
      return handler({ context, options, request, url, client, body, params, session });
    };
    const handled = admission === null ? await work() : await admission.servePage(client, work);
    return typeof handled === 'function' ? handled() : handled;
  }
  return [...DASHBOARD_ROUTES.map(({ path }) => `${BASE}${path}`), ...providerRoutes.map(({ path }) => path)];
}

const NOTHING = new Uint8Array();

/**
 * Refuses a change if its `Origin` header does not name this site. The session cookie is also `SameSite=Strict`, so an attacker would have
 * to get past two independent checks. The emulator has checked the origin before.
 */
function refuseForeign({ settings }: Context, { req }: H3Event, { isOpen }: DashboardOptions): void {
  if (isOpen || req.method === 'GET') return;
  const origin = req.headers.get('origin');
  const host = req.headers.get('host');
  const { origin: baseOrigin, protocol } = new URL(settings.baseUrl);
  const own = [baseOrigin, `https://${host}`, ...(protocol === 'http:' ? [`http://${host}`] : [])];
  if (origin === null || !own.includes(origin)) throw new DashboardError('foreign_origin');
}
