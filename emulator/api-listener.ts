import type { RequestListener } from 'node:http';
import { toNodeHandler } from 'h3';
import { serveConnect } from '../shared/connect/serve-connect.ts';
import type { PageAddition } from '../shared/dashboard/dashboard-call.ts';
import { serveDashboard } from '../shared/dashboard/serve-dashboard.ts';
import { serveEmbed } from '../shared/embed/serve-embed.ts';
import { createApi } from '../shared/http/api.ts';
import { serveRoot } from '../shared/http/envelope.ts';
import { createApiChaos } from './chaos/api-chaos.ts';
import { type AllowedHosts, guardBrowser } from './control/browser-guard.ts';
import { type ControlSurface, controlFailure, serveControl } from './control/serve-control.ts';
import { LAB_STYLE } from './lab/lab-style.ts';
import { DEFAULT_SECRETS } from './state/default-account.ts';

/** Creates the request handler of the emulator's API port: the API with the injected faults, the connect pages, and the control API. */
export function createApiListener(surface: ControlSurface, allowedHosts: AllowedHosts): RequestListener {
  const { emulator } = surface;
  const { context, errors, chaos } = emulator;
  const injectFault = createApiChaos(context, chaos);
  const app = createApi(
    context,
    {
      before: (_id, { pathname }) => errors.throwNext(pathname),
      exampleKey: DEFAULT_SECRETS.test_key,
    },
    (server, handle) =>
      serveDashboard(server, context, handle, {
        isOpen: true,
        addition: LAB_PAGE,
        passkeys: null,
        identityProvider: null,
        admission: null,
      }),
    (server) => serveEmbed(server, context, null),
  );
  serveControl(app, surface);
  serveConnect(app, () => ({ context, appId: null }));
  const { url, edgeUrl, sandboxOrigin } = surface.urls;
  serveRoot(app, url, { control: `${url}/_emulator/status`, edge: edgeUrl, sandbox_origin: sandboxOrigin });
  app.use(async (event, next) => {
    try {
      guardBrowser(event.req, event.url, allowedHosts);
    } catch (thrown) {
      return controlFailure(thrown, emulator);
    }
    const fault = event.url.pathname.startsWith('/v1/') ? await injectFault() : null;
    return fault ?? next();
  });
  return toNodeHandler(app) as RequestListener;
}

/** The HTML page of the dashboard, with the lab. */
const LAB_PAGE: PageAddition = { scriptFile: 'lab.browser.js', style: LAB_STYLE };
