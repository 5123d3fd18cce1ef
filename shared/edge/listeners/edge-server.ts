import { createServer } from 'node:http';
import type { ReportConnectionError } from '../../adapters/owned-server.ts';
import type { Ids } from '../../ports/random.ts';
import { createEdgeHandler, type EdgeHandlerOptions } from '../edge-handler.ts';
import { EDGE_LIMITS, type EdgeLimits } from './edge-limits.ts';
import { http1Settings } from './http1-settings.ts';
import { createTlsListener, type EdgeTls } from './tls-listener.ts';
import { serveVisitors, type VisitorServer } from './visitor-server.ts';

export interface EdgeOptions extends Omit<EdgeHandlerOptions, 'limits'> {
  ids: Ids;
  limits?: Partial<EdgeLimits>;
  /** Given, the edge speaks TLS, and HTTP/2 beside HTTP/1.1. */
  tls?: EdgeTls;
  /** Called once for each error of a connection. */
  onConnectionError?: ReportConnectionError;
}

export interface Edge extends VisitorServer {
  /** This hostname's certificate may be another one now, or gone. @param hostname null where it may be any. */
  certificateChanged(hostname: string | null): void;
  /** From now on sessions are resumed by these keys alone. @param keys 48 random bytes. */
  setTicketKeys(keys: Buffer): void;
}

/** The edge: visitors' requests go to the origin of the domain that their Host names (`decisions/0005`). */
export function createEdge(options: EdgeOptions): Edge {
  const limits = { ...EDGE_LIMITS, ...options.limits };
  const { ids, names } = options;
  const http1 = http1Settings(limits);
  const tls = options.tls
    ? createTlsListener(options.tls, { limits, http1, service_name: names.service_name })
    : null;
  const handler = createEdgeHandler({ ...options, limits });
  const server = serveVisitors(tls?.server ?? createServer(http1), {
    ids,
    limits,
    handler,
    hellos: tls?.hellos,
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
