import type { H3, H3Event, HTTPResponse } from 'h3';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import { type Admission, type ConnectedClient, clientOf } from '../http/admission.ts';
import { NO_CLIENT } from '../http/api.ts';
import type { RouteHandler } from '../http/handle-route.ts';
import type { Context } from '../operations/context.ts';
import { findSignedIn } from '../operations/members/permit.ts';
import { readCookie } from './cookies.ts';
import type { DashboardHandler, DashboardOptions } from './dashboard-call.ts';
import { serveDashboardPage } from './dashboard-page.ts';
import { DASHBOARD_ROUTES, PROVIDER_ROUTES } from './dashboard-routes.ts';
import { respondFailure } from './respond.ts';

const BASE = '/dashboard/api';

/** The parts of the dashboard besides the API's own route handler. */
export interface DashboardSetup extends Omit<DashboardOptions, 'handle'> {
  /** Shares the node out among visitors. Null in the emulator. */
  admission: Admission | null;
}

/**
 * Adds the dashboard to the API's server: its page, its script, and its own API. Requests that run a route of `/v1` take a slot of their
 * app, as a request with a key does.
 * @returns the paths whose requests take slots themselves.
 */
export function serveDashboard(
  app: H3,
  context: Context,
  handle: RouteHandler,
  { admission, ...setup }: DashboardSetup,
): readonly string[] {
  const options: DashboardOptions = { ...setup, handle };
  serveDashboardPage(app);
  const paths = new Set<string>();
  for (const { method, path, isOfApp, load } of DASHBOARD_ROUTES) {
    const pattern = `${BASE}${path}`;
    if (isOfApp === true) paths.add(pattern);
    app.on(method, pattern, async (event) => {
      const client = clientOfEvent(event);
      try {
        refuseForeign(context, event, options);
        return await run(await load(), event, client, isOfApp !== true);
      } catch (thrown) {
        // A stranger can cause this at will, so it is paced like the refusals of unknown keys.
        const isStranger = thrown instanceof DashboardError && thrown.code === 'sign_in_required';
        if (isStranger) await admission?.paceRefusal(client.network, client);
        return respondFailure(context, thrown);
      }
    });
  }

  for (const { path, load } of options.identityProvider === null ? [] : PROVIDER_ROUTES) {
    app.on('GET', path, async (event) => run(await load(), event, clientOfEvent(event), true));
  }

  function clientOfEvent(event: H3Event): ConnectedClient {
    return admission === null ? NO_CLIENT : clientOf(event);
  }

  /** @param needsSession false for a handler that reads the session itself, together with the app. */
  async function run(
    handler: DashboardHandler,
    event: H3Event,
    client: ConnectedClient,
    needsSession: boolean,
  ): Promise<HTTPResponse> {
    const { req: request, url } = event;
    const session =
      options.isOpen || !needsSession
        ? null
        : await findSignedIn(context, readCookie(request.headers, 'session'));
    const { _: path = '', ...named } = event.context.params ?? {};
    return handler({ context, options, request, url, client, params: { ...named, path }, session });
  }
  return [...paths];
}

/**
 * Refuses a change that another site's page sends (RFC 9110 does not forbid it; browsers name the sender in `Origin`). The session cookie is
 * `SameSite=Strict` as well; two independent checks have to fail. In the emulator, its own guard has checked the origin.
 */
function refuseForeign({ settings }: Context, { req }: H3Event, { isOpen }: DashboardOptions): void {
  if (isOpen || req.method === 'GET') return;
  const origin = req.headers.get('origin');
  const host = req.headers.get('host');
  const own = [new URL(settings.baseUrl).origin, `https://${host}`, `http://${host}`];
  if (origin === null || !own.includes(origin)) throw new DashboardError('foreign_origin');
}
