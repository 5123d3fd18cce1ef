import { createServer } from 'node:http';
import type { TrustedHops } from '../../adapters/client-addresses.ts';
import type { ReportConnectionError } from '../../adapters/owned-server.ts';
import type { Ids } from '../../ports/system.ts';
import { EDGE_LIMITS, type EdgeLimits } from '../edge-limits.ts';
import { redirectResponse } from '../edge-responses.ts';
import { createOriginForwarding, type ForwardingOptions } from '../forwarding/origin-forwarding.ts';
import { createRequestDispatcher, type RequestDispatcherOptions } from '../request-dispatcher.ts';
import { http1Settings } from './http1-settings.ts';
import { serveVisitors, type VisitorServer } from './visitor-server.ts';

export interface RedirectServerOptions extends Omit<RequestDispatcherOptions, 'limits'> {
  ids: Ids;
  limits?: Partial<EdgeLimits>;
  /** The port on which the edge serves TLS. The default is 443. */
  httpsPort?: number;
  /** The sandbox hostnames of test domains, which are served over plain HTTP because they have no certificate. */
  plain?: PlainHosts;
  /**
   * Proxies and load balancers in front of the edge that may report visitors' addresses. Without them, the address of a connection is the
   * visitor's.
   */
  hops?: TrustedHops;
  /** Called once for each error of a connection. */
  onConnectionError?: ReportConnectionError;
}

export interface PlainHosts extends Pick<ForwardingOptions, 'connect' | 'sandboxOrigin'> {
  includes(hostname: string): boolean;
}

/**
 * Creates the server of port 80. It serves ACME challenges and redirects other requests to HTTPS. If `www.<apex>` redirects to the apex,
 * the server redirects requests for `www.<apex>` directly to the apex.
 */
export function createRedirectServer(options: RedirectServerOptions): VisitorServer {
  const { plain } = options;
  const limits = { ...EDGE_LIMITS, ...options.limits };
  const port = (options.httpsPort ?? 443) === 443 ? '' : `:${options.httpsPort}`;
  const forwarding = plain && createOriginForwarding({ ...options, ...plain, limits, scheme: 'http' });
  const dispatcher = createRequestDispatcher({ ...options, limits }, (routed) => {
    const { visitorRequest, request, route } = routed;
    const { host, pathAndQuery } = request;
    if (plain?.includes(host.hostname)) return forwarding?.forward(routed);
    const hostname = `${route.redirectTo ?? host.hostname}${host.suffix}`;
    visitorRequest.respond(
      redirectResponse(`https://${hostname}${port}${pathAndQuery}`, visitorRequest.requestId),
    );
  });
  return serveVisitors(createServer(http1Settings(limits)), {
    ids: options.ids,
    limits,
    hops: options.hops,
    handler: { ...dispatcher, close: async () => forwarding?.close() },
    onConnectionError: options.onConnectionError,
  });
}
