import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API that generates events on request. Between two requests for the newest events, `step` events are added. */
export interface ManyEvents {
  url: string;
  stop(): Promise<void>;
}

const TYPES = ['domain.created', 'domain.verified', 'domain.active', 'domain.dns_broken'];

/**
 * Starts the API. @param total the final number of events. @param step number of new events between two requests for
 * the newest.
 */
export async function startManyEvents(total: number, step: number): Promise<ManyEvents> {
  let count = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== '/v1/events') return void response.writeHead(404).end('{}');
    const cursor = searchParams.get('cursor');
    if (cursor === null) count = Math.min(total, count + step);
    const newest = cursor === null ? count : Number(cursor);
    const length = Math.min(newest, Number(searchParams.get('limit')));
    const data = Array.from({ length }, (_, n) => eventOf(newest - n - 1));
    const oldest = newest - length;
    const nextCursor = oldest === 0 ? null : String(oldest);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, next_cursor: nextCursor }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Returns the n-th event. There are ten events per second, because each poll reads all pages of the last minute. */
function eventOf(n: number): Record<string, unknown> {
  return {
    id: `evt_${String(n).padStart(26, '0')}`,
    type: TYPES[n % TYPES.length],
    domain_id: `dom_${String(n % 1000).padStart(26, '0')}`,
    hostname: `careers.customer-${n % 1000}.example.com`,
    previous_status: 'issuing',
    status: 'active',
    created_at: new Date(Date.UTC(2026, 10, 20) + n * 100).toISOString(),
    delivery: {
      status: n % 10 === 0 ? 'failed' : 'delivered',
      attempts: n % 10 === 0 ? 8 : 1,
      last_status_code: n % 10 === 0 ? 500 : 200,
      last_error: null,
      last_attempt_at: null,
      next_attempt_at: null,
    },
  };
}
