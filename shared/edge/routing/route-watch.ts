import type { FoundRoute, RouteSource } from '../../core/edge/edge-route.ts';
import type { VisitorRequest } from '../visitor-request.ts';

/** The status for a request whose hostname has no route (404) or is held by the operator (451); null if the request may continue. */
export type RouteRefusal = 404 | 451 | null;

export interface RouteWatch {
  /** Yields the unfinished requests and the tunnels. */
  underWay(): Iterable<VisitorRequest>;
  findRoute: RouteSource;
  everyMs: number;
}

/** Maximum number of concurrent lookups for running requests. New requests are looked up separately. */
const LOOKUPS_MAX = 16;

/**
 * Ends running requests and WebSockets to domains that are no longer served, because a WebSocket may last for days. Polls, because a notice
 * of a change may get lost, and some changes have no notice. Checks routes in memory every time, even while lookups of other routes are
 * pending.
 */
export function watchRoutes({ underWay, findRoute, everyMs }: RouteWatch): { stop(): void } {
  let isLookingUp = false;

  function check(): void {
    const refused: [VisitorRequest, RouteRefusal][] = [];
    const toLookUp = new Map<string, VisitorRequest[]>();
    for (const request of underWay()) {
      const { host, domain_id, routeWasAsked } = request.facts;
      if (host === null || domain_id === null) continue;
      const found = routeWasAsked ? LOOKUP_NEEDED : known(host);
      if (found === LOOKUP_NEEDED) {
        add(toLookUp, host, request);
        continue;
      }
      const refusal = refusalOf(found, domain_id);
      if (refusal !== null) refused.push([request, refusal]);
    }
    for (const [request, refusal] of refused) end(request, refusal);
    if (!isLookingUp && toLookUp.size > 0) void lookUpAll(toLookUp);
  }

  function known(host: string): Found | typeof LOOKUP_NEEDED {
    try {
      const found = findRoute(host);
      if (!(found instanceof Promise)) return found;
      found.catch(() => undefined); // `lookUpAll` handles the error when it looks up the same route.
      return LOOKUP_NEEDED;
    } catch {
      return UNKNOWN;
    }
  }

  async function lookUpAll(byHost: Map<string, VisitorRequest[]>): Promise<void> {
    isLookingUp = true;
    const hosts = byHost.entries();
    const takeTurns = async () => {
      for (const [host, requests] of hosts) {
        const found = await lookUp(host);
        for (const request of requests) end(request, refusalOf(found, request.facts.domain_id));
      }
    };
    try {
      await Promise.all(Array.from({ length: LOOKUPS_MAX }, takeTurns));
    } finally {
      isLookingUp = false;
    }
  }

  async function lookUp(host: string): Promise<Found> {
    try {
      return await findRoute(host);
    } catch {
      return UNKNOWN;
    }
  }

  const timer = setInterval(check, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

/** The result if the lookup of a route fails. Running requests then continue. New requests fail, and the edge logs the failure. */
const UNKNOWN = 'unknown';
const LOOKUP_NEEDED = 'ask';
type Found = FoundRoute | typeof UNKNOWN;

function refusalOf(found: Found, domainId: string | null): RouteRefusal {
  if (found === UNKNOWN) return null;
  if (found === 'held') return 451;
  return found?.domain_id === domainId ? null : 404;
}

function end(request: VisitorRequest, refusal: RouteRefusal): void {
  if (refusal === null) return;
  try {
    request.revoke(refusal);
  } catch {
    // If the response cannot be written, drop the connection and continue with the other requests.
    request.wire.drop();
  }
}

function add(byHost: Map<string, VisitorRequest[]>, host: string, request: VisitorRequest): void {
  const others = byHost.get(host);
  if (others) others.push(request);
  else byHost.set(host, [request]);
}
