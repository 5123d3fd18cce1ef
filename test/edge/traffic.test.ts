import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../shared/core/instant.ts';
import { createTrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import {
  addTraffic,
  COUNTER_INDEX,
  LATENCY_INDEX,
  noTraffic,
  REQUEST_COUNTERS,
  type RequestCounter,
} from '../../shared/core/traffic/traffic-counts.ts';
import { type EdgeUnderTest, edgeWith, HOST, NOW_S, originWith, route } from './edge-under-test.ts';
import { edgeTo } from './tls/tls-edge-under-test.ts';
import { http2Visitor } from './wire/http2-visitor.ts';
import { isWhole, rawVisitor, send } from './wire/raw-visitor.ts';

const HOUR = Math.floor((NOW_S * 1000) / HOUR_MS) * HOUR_MS;
const BODY = 'x'.repeat(10_000);
const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

type Sums = Record<RequestCounter | 'latencies', number>;

/** Collects the traffic that an edge counts. `counted` waits for a number of requests and returns the sums. */
function counting() {
  const traffic = createTrafficCounter();
  const sums = new Map<string, Float64Array>();
  const hours = new Set<number>();
  const take = () => {
    for (const { hour, domains } of traffic.take()) {
      hours.add(hour);
      for (const [id, counts] of domains) {
        const sum = sums.get(id) ?? noTraffic();
        addTraffic(sum, counts);
        sums.set(id, sum);
      }
    }
  };
  const sumsOf = (id: string): Sums => {
    const counts = sums.get(id) ?? noTraffic();
    const counters = REQUEST_COUNTERS.map((name) => [name, counts[COUNTER_INDEX[name]]]);
    const latencies = counts.subarray(LATENCY_INDEX).reduce((sum, count) => sum + count, 0);
    return { ...(Object.fromEntries(counters) as Record<RequestCounter, number>), latencies };
  };
  return {
    traffic,
    hours,
    async counted(edge: EdgeUnderTest, requests: number, id = 'dom_1'): Promise<Sums> {
      return vi.waitFor(async () => {
        await edge.collected();
        take();
        expect(sumsOf(id).requests).toBe(requests);
        return sumsOf(id);
      }, 5_000);
    },
  };
}

const respond = (status: number, body = ''): RequestListener => {
  return (req, res) => void req.resume().on('end', () => res.writeHead(status).end(body));
};

it('the edge counts requests, bytes, statuses and latencies of a domain', async () => {
  const { traffic, counted, hours } = counting();
  await using origin = await originWith((req, res) => {
    respond(Number(req.url?.slice(1)) || 200, BODY)(req, res);
  });
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { traffic });
  let received = 0;
  for (const path of ['/', '/200', '/302', '/404', '/500']) {
    using visitor = await rawVisitor(edge.port);
    visitor.write(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
    received += (await visitor.until(isWhole)).length;
  }
  const sums = await counted(edge, 5);
  expect(sums).toMatchObject({ status_2xx: 2, status_3xx: 1, status_4xx: 1, status_5xx: 1, aborted: 0 });
  expect(sums).toMatchObject({ latencies: 5, origin_errors: 0, bytes_out: received });
  expect(sums.bytes_in).toBe(5 * GET.length + 12);
  expect([...hours]).toEqual([HOUR]);
});

it('the edge counts each request of a connection once, with its own bytes', async () => {
  const { traffic, counted } = counting();
  await using origin = await originWith(respond(200, 'ok'));
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { traffic });
  using visitor = await rawVisitor(edge.port);
  const post = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
  for (const request of [GET, post, GET]) {
    const before = visitor.text();
    visitor.write(request);
    await visitor.until((text) => isWhole(text.slice(before.length)));
  }
  const sums = await counted(edge, 3);
  expect(sums).toMatchObject({ status_2xx: 3, bytes_in: 2 * GET.length + post.length });
  expect(sums.bytes_out).toBe(visitor.text().length);
});

it('the edge counts the bodies and headers of HTTP/2', async () => {
  const { traffic, counted } = counting();
  await using origin = await originWith(respond(200, BODY));
  await using edge = await edgeTo(origin.url, { traffic });
  using visitor = await http2Visitor(edge.port, HOST);
  await visitor.ask({ ':path': '/' });
  await visitor.ask({ ':method': 'POST', ':path': '/' }, BODY);
  const sums = await counted(edge, 2);
  expect(sums).toMatchObject({ status_2xx: 2, latencies: 2 });
  // The two engines count the bytes of frames and compressed headers differently, so the test checks only bounds.
  expect(sums.bytes_in).toBeGreaterThan(BODY.length);
  expect(sums.bytes_in).toBeLessThan(BODY.length + 1_000);
  expect(sums.bytes_out).toBeGreaterThan(2 * BODY.length);
  expect(sums.bytes_out).toBeLessThan(2 * BODY.length + 1_000);
});

it('the edge counts a failure of the origin, without a latency', async () => {
  const { traffic, counted } = counting();
  await using origin = await originWith((req) => req.socket.destroy());
  const routes = { [HOST]: route(origin.url), 'none.acme.com': route(null, { domain_id: 'dom_2' }) };
  await using edge = await edgeWith(routes, { traffic });
  expect((await send(edge.port, GET)).status).toBe(502);
  expect((await send(edge.port, GET.replace(HOST, 'none.acme.com'))).status).toBe(503);
  const failed = await counted(edge, 1);
  expect(failed).toMatchObject({ status_5xx: 1, origin_errors: 1, latencies: 0 });
  const withoutOrigin = await counted(edge, 1, 'dom_2');
  expect(withoutOrigin).toMatchObject({ status_5xx: 1, origin_errors: 0, latencies: 0 });
});

it('the edge does not count the malformed body of a visitor as an error of the origin', async () => {
  const { traffic, counted } = counting();
  await using origin = await originWith(respond(200));
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { traffic });
  using visitor = await rawVisitor(edge.port);
  visitor.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  visitor.write('5\r\nhello\r\nnot a length\r\n');
  await visitor.ended();
  expect(await counted(edge, 1)).toMatchObject({ origin_errors: 0 });
  expect(edge.failures).toEqual([]);
});

it('the edge counts a redirect for its domain, and does not count a request without a domain', async () => {
  const { traffic, counted } = counting();
  const routes = {
    'www.acme.com': route(null, { redirectTo: 'acme.com' }),
    'held.acme.com': 'held' as const,
  };
  await using edge = await edgeWith(routes, { traffic });
  const ask = async (host: string) => (await send(edge.port, GET.replace(HOST, host))).status;
  expect([await ask('www.acme.com'), await ask('held.acme.com'), await ask('unknown.acme.com')]).toEqual([
    308, 451, 404,
  ]);
  expect(await counted(edge, 1)).toMatchObject({ status_3xx: 1, latencies: 0 });
});

it('the edge counts a visitor who leaves before the response', async () => {
  const { traffic, counted } = counting();
  const reached = Promise.withResolvers<void>();
  await using origin = await originWith(() => reached.resolve());
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { traffic });
  using visitor = await rawVisitor(edge.port);
  visitor.write(GET);
  await reached.promise;
  visitor.reset();
  expect(await counted(edge, 1)).toMatchObject({ aborted: 1, origin_errors: 0, latencies: 0 });
});

it.each([
  ['when it ends, with the bytes in both directions', ['127.0.0.1']],
  // Nothing listens at the first of these addresses.
  ['to the second address of its origin', ['127.0.0.9', '127.0.0.1']],
])('the edge counts a WebSocket %s', async (_title, addresses) => {
  const { traffic, counted } = counting();
  await using origin = await originWith(() => undefined);
  origin.server.on('upgrade', (req, socket) => {
    const accept = createHash('sha1').update(
      `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    );
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
    );
    socket.on('data', (chunk) => socket.write(chunk)).on('error', () => undefined);
  });
  await using edge = await edgeWith(
    { [HOST]: route(`http://origin.acme.com:${origin.port}`) },
    { traffic, lookup: async () => addresses },
  );
  using visitor = await rawVisitor(edge.port);
  visitor.write(
    `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await visitor.until((text) => text.endsWith('\r\n\r\n'));
  visitor.write(BODY);
  await visitor.until((text) => text.endsWith(BODY));
  visitor.socket.end();
  const sums = await counted(edge, 1);
  expect(sums).toMatchObject({ status_1xx: 1, latencies: 1 });
  for (const bytes of [sums.bytes_in, sums.bytes_out]) {
    expect(bytes).toBeGreaterThan(BODY.length);
    expect(bytes).toBeLessThan(BODY.length + 1_000);
  }
});

it('the edge does not lose its traffic counts when the session ticket keys change', async () => {
  const { traffic, counted } = counting();
  await using origin = await originWith(respond(200, 'ok'));
  await using edge = await edgeTo(origin.url, { traffic });
  for (let changes = 0; changes < 2; changes++) {
    using visitor = await http2Visitor(edge.port, HOST);
    await visitor.ask({ ':path': '/' });
    await edge.edge.setTicketKeys(randomBytes(48));
  }
  expect(await counted(edge, 2)).toMatchObject({ status_2xx: 2 });
});
