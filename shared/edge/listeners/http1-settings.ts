import type { ServerOptions } from 'node:http';
import type { EdgeLimits } from '../edge-limits.ts';

/** Returns the settings of Node's HTTP/1.1 servers for visitors, with and without TLS. */
export function http1Settings(limits: EdgeLimits): ServerOptions {
  return {
    // `request-head.ts` refuses requests without a Host, because Node's own response would lack X-Request-Id.
    requireHostHeader: false,
    maxHeaderSize: limits.header_bytes_max,
    headersTimeout: limits.headers_timeout_ms,
    // No time limit for the body, because `createConnections` drops requests that make too little progress.
    requestTimeout: 0,
    keepAliveTimeout: limits.keep_alive_ms,
    connectionsCheckingInterval: Math.min(1000, limits.headers_timeout_ms),
    // Creates no body stream for a request without a body.
    optimizeEmptyRequests: true,
  };
}
