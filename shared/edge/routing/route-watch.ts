import type { FoundRoute } from '../../core/edge/edge-route.ts';
import type { VisitorRequest } from '../visitor-request.ts';
import type { RouteSource } from './route.ts';

/** What a request to a hostname is answered that leads nowhere, or is held; null where it goes on. */
export type Refusal = 404 | 451 | null;

export interface RouteWatch {
  /** Requests that are being answered, and tunnels. */
  underWay(): Iterable<VisitorRequest>;
  find_route: RouteSource;
  every_ms: number;
}

/** Questions at a time: visitors have theirs beside them. */
const ASKED_MAX = 16;

/**
 * Ends what is under way to a domain that is served no more: a download takes its time, and a WebSocket lasts for days. It asks, and is
 * not told: a notice may be lost, and not every route has one. Routes in memory are looked at each time, whatever becomes of the questions
 * for others.
 */
export function watchRoutes({ underWay, find_route, every_ms }: RouteWatch): { stop(): void } {
  let asking = false;

  function look(): void {
    const refused: [VisitorRequest, Refusal][] = [];
    const to_ask = new Map<string, VisitorRequest[]>();
    for (const request of underWay()) {
      const { host, domain_id, route_was_asked } = request.facts;
      if (host === null || domain_id === null) continue;
      const found = route_was_asked ? ASK : known(host);
      if (found === ASK) {
        add(to_ask, host, request);
        continue;
      }
      const refusal = refusalOf(found, domain_id);
      if (refusal !== null) refused.push([request, refusal]);
    }
    for (const [request, refusal] of refused) end(request, refusal);
    if (!asking && to_ask.size > 0) void askAll(to_ask);
  }

  function known(host: string): Found | typeof ASK {
    try {
      const found = find_route(host);
      if (!(found instanceof Promise)) return found;
      found.catch(() => undefined); // It is asked again, in its turn.
      return ASK;
    } catch {
      return UNKNOWN;
    }
  }

  async function askAll(by_host: Map<string, VisitorRequest[]>): Promise<void> {
    asking = true;
    const hosts = by_host.entries();
    const askInTurn = async () => {
      for (const [host, requests] of hosts) {
        const found = await asked(host);
        for (const request of requests) end(request, refusalOf(found, request.facts.domain_id));
      }
    };
    try {
      await Promise.all(Array.from({ length: ASKED_MAX }, askInTurn));
    } finally {
      asking = false;
    }
  }

  async function asked(host: string): Promise<Found> {
    try {
      return await find_route(host);
    } catch {
      return UNKNOWN;
    }
  }

  const timer = setInterval(look, every_ms).unref();
  return { stop: () => clearInterval(timer) };
}

/** While nobody knows, what is served goes on; whoever asks anew gets the failure, and it is logged there. */
const UNKNOWN = 'unknown';
const ASK = 'ask';
type Found = FoundRoute | typeof UNKNOWN;

function refusalOf(found: Found, domain_id: string | null): Refusal {
  if (found === UNKNOWN) return null;
  if (found === 'held') return 451;
  return found?.domain_id === domain_id ? null : 404;
}

function end(request: VisitorRequest, refusal: Refusal): void {
  if (refusal === null) return;
  try {
    request.revoke(refusal);
  } catch {
    // What cannot be answered ends all the same, and so do the others after it.
    request.wire.drop();
  }
}

function add(by_host: Map<string, VisitorRequest[]>, host: string, request: VisitorRequest): void {
  const others = by_host.get(host);
  if (others) others.push(request);
  else by_host.set(host, [request]);
}
