import type { Exchange } from './exchange.ts';
import type { RouteSource } from './route.ts';

/** What a request to a hostname is answered that leads nowhere, or is held; null where it goes on. */
export type Refusal = 404 | 451 | null;

export interface RouteWatch {
  /** Requests that are being answered, and tunnels. */
  underWay(): Iterable<Exchange>;
  find_route: RouteSource;
  every_ms: number;
}

/**
 * Ends what is under way to a domain that is served no more: a download takes its time, and a WebSocket lasts for days. It asks, and is
 * not told: a notice may be lost, and not every route has one.
 */
export function watchRoutes({ underWay, find_route, every_ms }: RouteWatch): { stop(): void } {
  let looking = false;
  const timer = setInterval(async () => {
    // One question at a time, where routes have to be asked for.
    if (looking) return;
    looking = true;
    for (const exchanges of byRoute(underWay()).values()) {
      const refusal = await refusalOf(exchanges[0], find_route);
      if (refusal !== null) for (const exchange of exchanges) exchange.revoke(refusal);
    }
    looking = false;
  }, every_ms).unref();
  return { stop: () => clearInterval(timer) };
}

type Exchanges = [Exchange, ...Exchange[]];

function byRoute(exchanges: Iterable<Exchange>): Map<string, Exchanges> {
  const by_route = new Map<string, Exchanges>();
  for (const exchange of exchanges) {
    const { host, domain_id } = exchange.facts;
    if (domain_id === null) continue;
    const route = `${host} ${domain_id}`;
    const others = by_route.get(route);
    if (others) others.push(exchange);
    else by_route.set(route, [exchange]);
  }
  return by_route;
}

async function refusalOf({ facts }: Exchange, find_route: RouteSource): Promise<Refusal> {
  try {
    const found = await find_route(facts.host ?? '');
    if (found === 'held') return 451;
    return found?.domain_id === facts.domain_id ? null : 404;
  } catch {
    // While nobody knows, what is served goes on; whoever asks anew gets the failure, and it is logged there.
    return null;
  }
}
