import { buildConnector } from 'undici';
import type { ForwardingOrigin } from '../../core/edge/edge-route.ts';
import type { ServiceNames } from '../../core/service-name.ts';
import type { Clock } from '../../ports/system.ts';
import { edgeFailure, type OnEdgeFailure } from '../edge-failure.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import type { RoutedRequest } from '../request-dispatcher.ts';
import { forward } from './forward.ts';
import { createOriginPools, type OriginPool } from './origin-pools.ts';
import { forwardedHeaders } from './request-headers.ts';

export interface ForwardingOptions {
  names: ServiceNames;
  /** The real time, because origins compare the timestamp of the signature with their own clock. */
  wallClock: Clock;
  limits: EdgeLimits;
  /** The scheme by which visitors reach the edge. The origin gets it as X-Forwarded-Proto. */
  scheme: 'http' | 'https';
  /** Connects to an origin if its address is allowed; the `connect` of `createGuard`. */
  connect: buildConnector.connector;
  /** Address of the operator's sandbox origin, for test domains without an origin. If null, the edge responds with 503. */
  sandboxOrigin: string | null;
  onFailure?: OnEdgeFailure;
}

/** Forwards requests to origins: removes and adds headers, signs each request, and sends it. */
export interface OriginForwarding {
  forward(request: RoutedRequest): void;
  close(): Promise<void>;
}

export function createOriginForwarding(options: ForwardingOptions): OriginForwarding {
  const { names, limits, scheme, sandboxOrigin } = options;
  const origins = createOriginPools(limits, options.connect);
  // A separate pool that also connects to loopback addresses, because the operator's sandbox origin may have such an address. Customers
  // cannot choose this address.
  const sandbox = createOriginPools(limits, buildConnector({ allowH2: false }));

  function poolOf(origin: ForwardingOrigin): OriginPool {
    if (origin.kind === 'app') return origins.get(origin.url);
    if (sandboxOrigin === null)
      throw new Error('the route leads to the sandbox origin, but none is configured');
    return sandbox.get(sandboxOrigin);
  }

  return {
    forward({ visitorRequest, request, route }) {
      const { origin } = route;
      if (origin === null || origin.kind === 'connect') return visitorRequest.fail(503, NO_ORIGIN);
      const { host, pathAndQuery, body, upgrade } = request;
      const { method, rawHeaders, protocol } = visitorRequest.wire.head;
      const headers = forwardedHeaders(
        {
          protocol,
          method,
          host: host.hostname,
          pathAndQuery,
          rawHeaders,
          body,
          scheme,
          clientAddress: visitorRequest.visitor.address,
          timestampS: Math.floor(options.wallClock.now() / 1000),
        },
        route,
        names,
      );
      visitorRequest.facts.headers = headers;
      forward(visitorRequest, {
        origin: poolOf(origin),
        path: pathAndQuery,
        headers,
        hasBody: body === 'chunked' || (body !== 'none' && body > 0),
        // If the edge ignores a WebSocket handshake, it forwards the request as a plain request (RFC 9110 section 7.8).
        upgrade: upgrade && visitorRequest.wire.upgrade !== null,
        limits,
        onFailure: (error) => options.onFailure?.(edgeFailure(visitorRequest, 'origin', error)),
      });
    },
    async close() {
      await Promise.all([origins.destroy(), sandbox.destroy()]);
    },
  };
}

export const NO_ORIGIN = 'This domain is connected, but it has no site yet.';
