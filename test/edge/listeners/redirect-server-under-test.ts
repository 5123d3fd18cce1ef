import type { ConnectionError } from '../../../shared/adapters/owned-server.ts';
import { createIds, systemRandom } from '../../../shared/adapters/system.ts';
import type { FoundRoute } from '../../../shared/core/edge/edge-route.ts';
import type { SeenRequest } from '../../../shared/edge/forwarding/seen-request.ts';
import {
  createRedirectServer,
  type RedirectServerOptions,
} from '../../../shared/edge/listeners/redirect-server.ts';
import { clock, NAMES } from '../edge-under-test.ts';

export interface RedirectServerUnderTest extends AsyncDisposable {
  port: number;
  seen: SeenRequest[];
  connectionErrors: ConnectionError[];
}

/** Starts the redirect server on a free port of 127.0.0.1. */
export async function redirectServerWith(
  routes: Record<string, FoundRoute>,
  options: Partial<RedirectServerOptions> = {},
): Promise<RedirectServerUnderTest> {
  const seen: SeenRequest[] = [];
  const connectionErrors: ConnectionError[] = [];
  const server = createRedirectServer({
    findRoute: (hostname) => routes[hostname] ?? null,
    names: NAMES,
    wallClock: clock,
    ids: createIds(clock, systemRandom),
    onRequest: (request) => seen.push(request),
    onConnectionError: (error) => connectionErrors.push(error),
    ...options,
  });
  const { port } = await server.listen(0, '127.0.0.1');
  return { port, seen, connectionErrors, [Symbol.asyncDispose]: () => server.close() };
}
