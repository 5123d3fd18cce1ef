import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { edgeTo } from '../tls/tls-edge-under-test.ts';
import { type Field, rawHttp2, WINDOW_UPDATE } from '../wire/raw-http2.ts';
import { parseAnswer, type RawVisitor, rawVisitor } from '../wire/raw-visitor.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
const SLOW = GET.replace('/', '/slow');
const ELSEWHERE = '127.0.0.2';

async function answerOf(visitor: RawVisitor) {
  visitor.write(GET);
  return parseAnswer(await visitor.until((text) => text.includes('answer')));
}

it('the edge prevents one visitor from taking all connections of an origin, or its whole queue', async () => {
  const held: ServerResponse[] = [];
  await using origin = await originWith((req, res) => {
    if (req.url === '/slow') held.push(res);
    else res.end('answer');
  });
  const limits = {
    origin_connections_max: 4,
    origin_connections_per_network_max: 2,
    origin_queued_max: 4,
    origin_queued_per_network_max: 2,
  };
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
  const greedy = await Promise.all(Array.from({ length: 5 }, () => rawVisitor(edge.port)));
  for (const visitor of greedy) visitor.write(SLOW);
  // Two of the five requests have an origin connection, two wait, and the edge refuses one.
  const refused = await Promise.any(
    greedy.map((visitor) => visitor.until((text) => text.includes('</html>'))),
  );
  expect(parseAnswer(refused).status).toBe(503);
  using other = await rawVisitor(edge.port, undefined, ELSEWHERE);
  expect((await answerOf(other)).status).toBe(200);
  expect(held.length).toBeLessThanOrEqual(2);
  for (const visitor of greedy) visitor[Symbol.dispose]();
});

it('the edge closes the connection of a slow reader if another visitor needs a connection', async () => {
  const closed: Promise<unknown>[] = [];
  await using origin = await originWith((req, res) => {
    if (req.url !== '/slow') return void res.end('answer');
    closed.push(once(res, 'close'));
    res.write(Buffer.alloc(64 * 1024 * 1024));
  });
  const limits = { origin_connections_max: 2, contested_window_ms: 200, contested_bytes_min: 1024 };
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
  const crawling = await Promise.all([rawVisitor(edge.port), rawVisitor(edge.port)]);
  for (const { socket, write } of crawling) {
    socket.pause();
    write(SLOW);
  }
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve));
  using other = await rawVisitor(edge.port, undefined, ELSEWHERE);
  expect((await answerOf(other)).status).toBe(200);
  await Promise.any(closed);
  for (const visitor of crawling) visitor[Symbol.dispose]();
});

it('the edge ends HTTP/2 streams that read a byte at a time if another visitor needs a connection', async () => {
  const closed: Promise<unknown>[] = [];
  await using origin = await originWith((req, res) => {
    if (req.url !== '/slow') return void res.end('answer');
    closed.push(once(res, 'close'));
    res.write(Buffer.alloc(1024 * 1024));
  });
  const limits = { origin_connections_max: 2, contested_window_ms: 200, contested_bytes_min: 1024 };
  await using edge = await edgeTo(origin.url, { limits });
  using crawling = await rawHttp2(edge.port, HOST, { window: 0 });
  for (const stream of [1, 3]) crawling.headers(stream, fieldsOf('/slow'));
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const oneByte = Buffer.from([0, 0, 0, 1]);
  const trickle = setInterval(() => {
    for (const stream of [1, 3]) crawling.frame({ type: WINDOW_UPDATE, stream, payload: oneByte });
  }, 50);
  using other = await rawVisitor(edge.port, HOST, ELSEWHERE);
  expect((await answerOf(other)).status).toBe(200);
  await Promise.any(closed);
  clearInterval(trickle);
});

const fieldsOf = (path: string): Field[] => [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', HOST],
  [':path', path],
];
