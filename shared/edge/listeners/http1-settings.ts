import type { ServerOptions } from 'node:http';
import type { EdgeLimits } from '../edge-limits.ts';

/** Returns Node's settings for HTTP/1.1 from visitors, with and without TLS. */
export function http1Settings(limits: EdgeLimits): ServerOptions {
  return {
    // Node's own refusal would lack X-Request-Id, so `request-head.ts` refuses such requests.
    requireHostHeader: false,
    maxHeaderSize: limits.header_bytes_max,
    headersTimeout: limits.headers_timeout_ms,
    // A body may take any time. `Connections` requires that its bytes keep moving.
    requestTimeout: 0,
    keepAliveTimeout: limits.keep_alive_ms,
    connectionsCheckingInterval: Math.min(1000, limits.headers_timeout_ms),
    // A request without a body gets no body stream.
    optimizeEmptyRequests: true,
  };
}
