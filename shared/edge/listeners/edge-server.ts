import { createServer } from 'node:http';
import type { TrustedHops } from '../../adapters/client-addresses.ts';
import type { ReportConnectionError } from '../../adapters/owned-server.ts';
import type { Ids } from '../../ports/system.ts';
import { EDGE_LIMITS, type EdgeLimits } from '../edge-limits.ts';
import { redirectResponse } from '../edge-responses.ts';
import { createOriginForwarding, type ForwardingOptions } from '../forwarding/origin-forwarding.ts';
import { createOwnPages, type ServeHost } from '../own-pages.ts';
import { createRequestDispatcher, type RequestDispatcherOptions } from '../request-dispatcher.ts';
import { authorityOf } from '../wire/request-host.ts';
import { http1Settings } from './http1-settings.ts';
import { createTlsListener, type EdgeTls } from './tls-listener.ts';
import { serveVisitors, type VisitorHandler, type VisitorServer } from './visitor-server.ts';

export interface EdgeOptions extends Omit<EdgeHandlerOptions, 'limits'> {
  ids: Ids;
  limits?: Partial<EdgeLimits>;
  /** If given, the edge serves TLS, with HTTP/2 and HTTP/1.1. */
  tls?: EdgeTls;
  /**
   * Proxies and load balancers in front of the edge that may report visitors' addresses. Without them, the address of a connection is the
   * visitor's.
   */
  hops?: TrustedHops;
  /** Called once for each error of a connection. */
  onConnectionError?: ReportConnectionError;
}

export interface Edge extends VisitorServer {
  /**
   * Tells the edge that the certificate of a hostname may have been replaced or deleted.
   * @param hostname null if any certificate may have changed.
   */
  certificateChanged(hostname: string | null): void;
  /**
   * Replaces the keys of session tickets. Sessions with tickets under earlier keys can no longer be resumed.
   * @param keys 48 random bytes.
   */
  setTicketKeys(keys: Buffer): void;
}

/** Creates the edge. It forwards visitors' requests to the origin of the domain that their Host header names (`decisions/0005`). */
export function createEdge(options: EdgeOptions): Edge {
  const limits = { ...EDGE_LIMITS, ...options.limits };
  const { ids, names } = options;
  const http1 = http1Settings(limits);
  const tls = options.tls
    ? createTlsListener(options.tls, { limits, http1, serviceName: names.service_name })
    : null;
  const handler = createEdgeHandler({ ...options, limits });
  const server = serveVisitors(tls?.server ?? createServer(http1), {
    ids,
    limits,
    handler,
    hellos: tls?.hellos,
    hops: options.hops,
    onConnectionError: options.onConnectionError,
  });
  return {
    listen: server.listen,
    accept: server.accept,
    async close(closing) {
      await server.close(closing);
      tls?.contexts.close();
    },
    certificateChanged(hostname) {
      if (hostname === null) tls?.contexts.allChanged();
      else tls?.contexts.changed(hostname);
    },
    setTicketKeys(keys) {
      tls?.server.setTicketKeys(keys);
    },
  };
}

interface EdgeHandlerOptions extends RequestDispatcherOptions, ForwardingOptions {
  /** Responds to requests at the white-label hosts of apps. */
  serveHost: ServeHost;
}

/** Creates the handler of the HTTPS port. If a request has a route, the handler redirects it, forwards it, or responds to it. */
function createEdgeHandler(options: EdgeHandlerOptions): VisitorHandler {
  const forwarding = createOriginForwarding(options);
  const respondItself = createOwnPages(options);
  const dispatcher = createRequestDispatcher(options, (routed) => {
    const { visitorRequest, request, route } = routed;
    if (route.origin?.kind === 'connect') return void respondItself(routed);
    if (route.redirectTo === null) return forwarding.forward(routed);
    const location = `${options.scheme}://${authorityOf(request.host, route.redirectTo)}${request.pathAndQuery}`;
    visitorRequest.respond(redirectResponse(location, visitorRequest.requestId));
  });
  return { ...dispatcher, close: forwarding.close };
}
