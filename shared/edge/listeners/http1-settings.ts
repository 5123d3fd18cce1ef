import type { ServerOptions } from 'node:http';
import type { EdgeLimits } from './edge-limits.ts';

/** How Node reads HTTP/1.1 from visitors, with and without TLS. */
export function http1Settings(limits: EdgeLimits): ServerOptions {
  return {
    // Its refusal would be a page without X-Request-Id; request-head.ts refuses.
    requireHostHeader: false,
    maxHeaderSize: limits.header_bytes_max,
    headersTimeout: limits.headers_timeout_ms,
    // Bodies take as long as they take; Connections watches that they move.
    requestTimeout: 0,
    keepAliveTimeout: limits.keep_alive_ms,
    connectionsCheckingInterval: Math.min(1000, limits.headers_timeout_ms),
    // What has no body needs no stream for it.
    optimizeEmptyRequests: true,
  };
}
