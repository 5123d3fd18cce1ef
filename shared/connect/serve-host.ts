import { H3, type H3Event } from 'h3';
import { compressed } from '../adapters/compress.ts';
import { createRateLimiter } from '../adapters/rate-limiter.ts';
import { BUDGETS } from '../core/budgets.ts';
import type { AppId } from '../core/ids.ts';
import { createAccountFinder } from '../operations/apps/present-app.ts';
import type { Context } from '../operations/context.ts';
import { hostUrl } from '../operations/domains/customer-target.ts';
import type { Store } from '../store/store.ts';
import { notFoundPage } from './handle-connect.tsx';
import { serveConnect } from './serve-connect.ts';

/** The app at whose white-label host a page is requested. */
interface Owner {
  app_id: string;
  hostname: string;
}

/** The owner with its account, whose share the request uses. */
type Payer = Owner & { account_id: string };

/**
 * Creates the handler of an app's white-label host (`decisions/0049`). It serves the connect pages of this app's domains and nothing else.
 * Pages of other apps are 404 there.
 * @param storeOf returns an account's share of the database.
 */
export function createHostPages(
  context: Context,
  storeOf: (accountId: string) => Store,
): (request: Request, owner: Owner, network: string) => Promise<Response> {
  const app = new H3({ silent: true, allowMalformedURL: true });
  const owners = new WeakMap<Request, Payer>();
  const ownerOf = (event: H3Event): Payer => {
    const owner = owners.get(event.req);
    if (owner === undefined) throw new TypeError('A request came to no host');
    return owner;
  };
  /** The same context, whose pages are at the host: their links, forms and `connect_url` name it. */
  const at = (owner: Payer): Context => ({
    ...context,
    store: storeOf(owner.account_id),
    settings: { ...context.settings, baseUrl: hostUrl(context.settings, owner.hostname) },
  });
  serveConnect(app, (event) => {
    const owner = ownerOf(event);
    return { context: at(owner), appId: owner.app_id };
  });
  app.use(async (event, next) => {
    const response = await next();
    if (response instanceof Response) return response;
    return compressed(event.req, notFoundPage(context, event.req));
  });
  // A page takes far more processor time than forwarding a request, and the edge's process serves the visitors of all accounts.
  const takeOfNetwork = createRateLimiter(BUDGETS.host_pages_network, context.wallClock);
  const takeOfAccount = createRateLimiter(BUDGETS.host_pages, context.wallClock);
  const accountOf = createAccountFinder(context.store);
  return async (request, owner, network) => {
    // A network that is refused takes nothing from the account's other visitors.
    const ofNetwork = takeOfNetwork(`${owner.app_id} ${network}`);
    if (!ofNetwork.allowed) return tooManyRequests(ofNetwork.retry_after_s);
    const accountId = await accountOf(owner.app_id as AppId);
    const taken = takeOfAccount(accountId);
    if (!taken.allowed) return tooManyRequests(taken.retry_after_s);
    owners.set(request, { ...owner, account_id: accountId });
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
