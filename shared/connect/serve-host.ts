import { H3, type H3Event } from 'h3';
import { compressed } from '../adapters/compress.ts';
import { createRateLimiter } from '../adapters/rate-limiter.ts';
import type { Context } from '../operations/context.ts';
import { hostUrl } from '../operations/domains/customer-target.ts';
import type { Store } from '../store/store.ts';
import { serveConnect } from './serve-connect.ts';

/** The app at whose white-label host a page is requested. */
interface Owner {
  app_id: string;
  hostname: string;
}

/** A page takes far more processor time than forwarding a request, and the edge's process serves the visitors of all apps. */
const NETWORK_RATE = { perSecond: 50, burst: 200 };
const APP_RATE = { perSecond: 100, burst: 400 };

/**
 * Creates the handler of an app's white-label host (`decisions/0049`). It serves the connect pages of this app's domains and nothing else.
 * Pages of other apps are 404 there.
 * @param storeOf returns an app's share of the database.
 */
export function createHostPages(
  context: Context,
  storeOf: (appId: string) => Store,
): (request: Request, owner: Owner, network: string) => Promise<Response> {
  const app = new H3({ silent: true, allowMalformedURL: true });
  const owners = new WeakMap<Request, Owner>();
  const ownerOf = (event: H3Event): Owner => {
    const owner = owners.get(event.req);
    if (owner === undefined) throw new TypeError('A request came to no host');
    return owner;
  };
  /** The same context, whose pages are at the host: their links, forms and `connect_url` name it. */
  const at = (owner: Owner): Context => ({
    ...context,
    store: storeOf(owner.app_id),
    settings: { ...context.settings, baseUrl: hostUrl(context.settings, owner.hostname) },
  });
  serveConnect(app, (event) => {
    const owner = ownerOf(event);
    return { context: at(owner), appId: owner.app_id };
  });
  app.use(async (event, next) => {
    const response = await next();
    if (response instanceof Response) return response;
    const { notFoundPage } = await import('./handle-connect.tsx');
    return compressed(event.req, notFoundPage(context, event.req));
  });
  const takeOfNetwork = createRateLimiter(NETWORK_RATE, context.wallClock);
  const takeOfApp = createRateLimiter(APP_RATE, context.wallClock);
  return async (request, owner, network) => {
    // A network that is refused takes nothing from the app's other visitors.
    const ofNetwork = takeOfNetwork(`${owner.app_id} ${network}`);
    const taken = ofNetwork.allowed ? takeOfApp(owner.app_id) : ofNetwork;
    if (!taken.allowed) return tooManyRequests(taken.retry_after_s);
    owners.set(request, owner);
    return app.fetch(request);
  };
}

function tooManyRequests(retryAfterS: number): Response {
  return new Response('Too many requests. Wait a moment, then reload the page.\n', {
    status: 429,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(retryAfterS),
    },
  });
}
