import { H3, type H3Event } from 'h3';
import { compressed } from '../adapters/compress.ts';
import { createRateLimiter } from '../adapters/rate-limiter.ts';
import { BUDGETS } from '../core/budgets.ts';
import type { AppId } from '../core/ids.ts';
import { createAccountFinder } from '../operations/apps/present-app.ts';
import type { Context } from '../operations/context.ts';
import { hostUrl } from '../operations/domains/customer-target.ts';
import type { Store } from '../store/store.ts';
import { notFoundPage } from './handle-connect.ts';
import { serveConnect } from './serve-connect.ts';

/** An app, and its white-label host at which a page is requested. */
interface Owner {
  app_id: string;
  hostname: string;
}

/** The app, and the account whose share of the database the request uses. */
type Payer = Owner & { account_id: string };

/**
 * Creates the handler of requests at white-label hosts (`decisions/0049`). At the host of an app, it serves only the connect pages of this
 * app's domains. It responds with 404 to all other paths.
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
  /** Returns the context with the white-label host as base URL, so that links, forms and `connect_url` contain this host. */
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
  // Limits the requests, because rendering a page takes far more processor time than forwarding a request, and this process serves the
  // visitors of all accounts.
  const takeOfNetwork = createRateLimiter(BUDGETS.host_pages_network, context.wallClock);
  const takeOfAccount = createRateLimiter(BUDGETS.host_pages, context.wallClock);
  const accountOf = createAccountFinder(context.store);
  return async (request, owner, network) => {
    // Checks the limit of the network first, so that a network's refused requests use up nothing of the account's limit.
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
