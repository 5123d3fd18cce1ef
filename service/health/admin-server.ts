import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { createHttpServer, type ReportConnectionError } from '../../shared/adapters/owned-server.ts';

export interface AdminParts {
  /** Returns the JSON document that `/readyz` responds with. */
  readiness: () => Promise<{ ready: boolean }>;
  /** Returns whether the edge accepts visitors. The edge can be ready while the database is unavailable. */
  edgeReady: () => PartHealth | Promise<PartHealth>;
  /** Returns whether the node answers DNS queries. */
  dnsReady: () => PartHealth | Promise<PartHealth>;
  /** Returns the metrics as Prometheus text. */
  metrics: () => Promise<string>;
  onConnectionError?: ReportConnectionError;
}

/** Health of one part of the node. */
export interface PartHealth {
  ready: boolean;
  /** A line for each process of this part that does not work. */
  notes?: readonly string[];
}

const PROMETHEUS = Registry.PROMETHEUS_CONTENT_TYPE;

/** Creates the server of health checks and metrics. It listens on a separate address, which must not be public. */
export function createAdminServer(parts: AdminParts): Server {
  return createHttpServer(
    {},
    (req, res) => {
      answer(parts, req, res).catch(() => send(res, 500, 'text/plain', 'failed\n'));
    },
    parts.onConnectionError,
  );
}

async function answer(
  { readiness, edgeReady, dnsReady, metrics }: AdminParts,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const path = (req.url ?? '').split('?', 1)[0];
  if (req.method !== 'GET' && req.method !== 'HEAD') return send(res, 405, 'text/plain', 'use GET\n');
  if (path === '/healthz') return send(res, 200, 'text/plain', 'ok\n');
  if (path === '/readyz') {
    const state = await readiness();
    return send(res, state.ready ? 200 : 503, 'application/json', `${JSON.stringify(state)}\n`);
  }
  if (path === '/readyz/edge' || path === '/readyz/dns') {
    const { ready, notes = [] } = await (path === '/readyz/edge' ? edgeReady() : dnsReady());
    return send(res, ready ? 200 : 503, 'text/plain', [ready ? 'ok' : 'not ready', ...notes, ''].join('\n'));
  }
  if (path === '/metrics') {
    return send(res, 200, PROMETHEUS, await metrics());
  }
  send(res, 404, 'text/plain', 'not found: use /healthz, /readyz, /readyz/edge, /readyz/dns or /metrics\n');
}

function send(res: ServerResponse, status: number, type: string, body: string): void {
  res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
