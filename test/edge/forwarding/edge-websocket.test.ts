import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { edgeWith, HOST, originWith, reportsRequests, route } from '../edge-under-test.ts';
import { expectOpen } from '../listeners/strangers.ts';
import { edgeTo } from '../tls/tls-edge-under-test.ts';
import { parseAnswer, rawVisitor } from '../wire/raw-visitor.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
/** The Sec-WebSocket-Accept value for the key (RFC 6455 section 4.2.2). */
const ACCEPT = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
const HANDSHAKE = `GET /chat?a=b HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`;
/** "Hello" in a masked and in an unmasked frame, as in RFC 6455 section 5.7. */
const MASKED_HELLO = '\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58';
const HELLO = '\x81\x05Hello';

/** Starts an origin that accepts the WebSocket handshake, and echoes every frame of one short text, unmasked. */
async function webSocketOrigin() {
  const handshakes: IncomingMessage[] = [];
  const sockets: Duplex[] = [];
  const server = createServer();
  server.on('upgrade', (req, socket, head) => {
    handshakes.push(req);
    sockets.push(socket);
    socket.on('error', () => socket.destroy()).on('end', () => socket.end());
    const accept = createHash('sha1').update(
      `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    );
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\nX-A: b\r\n\r\n`,
    );
    const echo = (frame: Buffer) => {
      const mask = frame.subarray(2, 6);
      const text = frame.subarray(6).map((byte, i) => byte ^ (mask[i % 4] ?? 0));
      socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
    };
    if (head.length > 0) echo(head);
    socket.on('data', echo);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handshakes,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it('the edge does not close a WebSocket whose visitor sends steadily but does not read', async () => {
  await using origin = await webSocketOrigin();
  const limits = { progress_window_ms: 800, progress_bytes_min: 1024 };
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  await visitor.until((text) => text.endsWith('\r\n\r\n'));
  visitor.socket.pause();
  const [atOrigin] = origin.sockets;
  let received = 0;
  atOrigin?.removeAllListeners('data').on('data', (bytes: Buffer) => {
    received += bytes.length;
  });
  atOrigin?.write(Buffer.alloc(64 * 1024 * 1024));
  const sending = setInterval(() => visitor.socket.write(Buffer.alloc(4096)), 20);
  try {
    await vi.waitUntil(() => received > 800_000 || atOrigin?.destroyed, { timeout: 20_000, interval: 20 });
    expect(received).toBeGreaterThan(800_000);
  } finally {
    clearInterval(sending);
  }
});

it('the edge forwards a signed WebSocket handshake, and then bytes in both directions', async () => {
  await using origin = await webSocketOrigin();
  await using edge = await edgeWith({
    [HOST]: route(origin.url, { origin_headers: { 'X-Tenant': 'acme' } }),
  });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  const head = await visitor.until((text) => text.endsWith('\r\n\r\n'));
  expect(parseAnswer(head)).toMatchObject({
    status: 101,
    headers: {
      upgrade: 'websocket',
      connection: expect.stringMatching(/^upgrade$/i),
      'sec-websocket-accept': ACCEPT,
      'x-a': 'b',
    },
  });
  for (let i = 1; i <= 3; i++) {
    visitor.write(MASKED_HELLO);
    expect(await visitor.until((text) => text === head + HELLO.repeat(i))).toBe(head + HELLO.repeat(i));
  }
  expect(origin.handshakes[0]?.url).toBe('/chat?a=b');
  expect(origin.handshakes[0]?.headers).toMatchObject({
    host: HOST,
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': KEY,
    'x-tenant': 'acme',
    'x-service-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
  });
  if (reportsRequests()) expect(edge.seen).toMatchObject([{ status: 101, domain_id: 'dom_1' }]);
});

it('the edge forwards a WebSocket handshake over TLS too', async () => {
  await using origin = await webSocketOrigin();
  await using edge = await edgeTo(origin.url);
  using visitor = await rawVisitor(edge.port, HOST);
  visitor.write(HANDSHAKE + MASKED_HELLO);
  expect(await visitor.until((text) => text.endsWith(HELLO))).toMatch(/^HTTP\/1\.1 101 /);
  expect(origin.handshakes[0]?.headers).toMatchObject({ host: HOST, 'x-forwarded-proto': 'https' });
  const closed = once(origin.sockets[0] as Duplex, 'close');
  visitor.socket.destroy();
  await closed;
});

it('the edge forwards a WebSocket frame that arrives together with the handshake', async () => {
  await using origin = await webSocketOrigin();
  await using edge = await edgeWith({ [HOST]: route(origin.url) });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE + MASKED_HELLO);
  expect(await visitor.until((text) => text.endsWith(HELLO))).toMatch(/^HTTP\/1\.1 101 /);
});

it('if one side of a WebSocket ends, the edge closes the other side after the last bytes', async () => {
  await using origin = await webSocketOrigin();
  await using edge = await edgeWith({ [HOST]: route(origin.url) });
  using one = await rawVisitor(edge.port);
  one.write(HANDSHAKE);
  await one.until((text) => text.endsWith('\r\n\r\n'));
  origin.sockets[0]?.end('last'.repeat(100_000));
  expect(await one.ended()).toMatch(/(last){100000}$/);

  const two = await rawVisitor(edge.port);
  two.write(HANDSHAKE);
  await two.until((text) => text.endsWith('\r\n\r\n'));
  const closed = once(origin.sockets[1] as Duplex, 'close');
  two.socket.destroy();
  await closed;
});

it('the edge limits the open WebSockets of an origin and of a network, separately from requests', async () => {
  await using origin = await webSocketOrigin();
  const limits = {
    origin_connections_max: 1,
    origin_connections_per_network_max: 1,
    origin_tunnels_max: 3,
    origin_tunnels_per_network_max: 2,
  };
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits });
  const open = async (address?: string) => {
    const visitor = await rawVisitor(edge.port, undefined, address);
    visitor.write(HANDSHAKE);
    const { status } = parseAnswer(await visitor.until((text) => text.includes('\r\n\r\n')));
    return { visitor, status };
  };
  const one = await open();
  using two = (await open()).visitor;
  expect(one.status).toBe(101);
  expect((await open()).status).toBe(503);
  const elsewhere = await open('127.0.0.2');
  expect([elsewhere.status, (await open('127.0.0.3')).status]).toEqual([101, 503]);
  expect(origin.sockets).toHaveLength(3);
  one.visitor.socket.destroy();
  await expect.poll(async () => (await open('127.0.0.4')).status).toBe(101);
  expect(two.socket.destroyed).toBe(false);
});

it('the edge releases the connection slot of a failed WebSocket handshake', async () => {
  await using origin = await originWith((_req, res) => res.writeHead(426).end());
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits: { origin_tunnels_max: 1 } });
  for (let i = 0; i < 3; i++) {
    using visitor = await rawVisitor(edge.port);
    visitor.write(HANDSHAKE);
    expect(parseAnswer(await visitor.ended()).status).toBe(426);
  }
});

it('the edge closes an idle WebSocket', async () => {
  await using origin = await webSocketOrigin();
  await using edge = await edgeWith({ [HOST]: route(origin.url) }, { limits: { tunnel_idle_ms: 50 } });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  expect(parseAnswer(await visitor.ended()).status).toBe(101);
});

it.each([
  ['HTTP', (url: string, limits: object) => edgeWith({ [HOST]: route(url) }, { limits }), undefined],
  ['HTTPS', (url: string, limits: object) => edgeTo(url, { limits }), HOST],
])(
  'the edge closes an ended tunnel by %s if its visitor does not take the last bytes',
  async (_, open, servername) => {
    await using origin = await webSocketOrigin();
    await using edge = await open(origin.url, { progress_window_ms: 100 });
    using visitor = await rawVisitor(edge.port, servername);
    visitor.write(HANDSHAKE);
    await visitor.until((text) => text.endsWith('\r\n\r\n'));
    visitor.socket.pause();
    const socket = origin.sockets[0] as Socket;
    for (let i = 0; i < 400; i++) socket.write(Buffer.alloc(65_536));
    await expect.poll(hasStalled(socket), { interval: 100 }).toBe(true);
    socket.resetAndDestroy();
    // While the visitor reads nothing, the edge reads nothing from the origin. So the edge notices the reset only when it writes.
    visitor.write(MASKED_HELLO);
    await expectOpen(edge.port, 0);
  },
);

/** Returns a function that returns whether a socket has data to send but has sent nothing since the previous call. */
function hasStalled(socket: Socket): () => boolean {
  let before = 0;
  return () => {
    const stalled = socket.writableLength > 0 && socket.writableLength === before;
    before = socket.writableLength;
    return stalled;
  };
}

it('the edge forwards an ordinary response to a WebSocket handshake, and ends the connection', async () => {
  const body = 'no sockets here '.repeat(100_000);
  await using origin = await originWith((_req, res) => {
    res.writeHead(426, { 'X-A': 'b' });
    res.end(body);
  });
  await using edge = await edgeWith({ [HOST]: route(origin.url) });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  const answer = parseAnswer(await visitor.ended());
  expect(answer).toMatchObject({ status: 426, headers: { 'x-a': 'b', connection: 'close' } });
  expect(answer.body.length).toBe(body.length);
});

it.each([
  ['an unknown hostname', 404, {}],
  ['a held hostname', 451, { [HOST]: 'held' as const }],
  ['www.<apex>', 308, { [HOST]: route(null, { redirectTo: 'acme.com' }) }],
  ['a domain without an origin', 503, { [HOST]: route(null) }],
  ['an origin that cannot be reached', 502, { [HOST]: route('https://inside.example') }],
])('the edge itself responds to a WebSocket handshake for %s', async (_, status, routes) => {
  await using edge = await edgeWith(routes, { lookup: async () => ['10.0.0.1'] });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  expect(parseAnswer(await visitor.ended())).toMatchObject({ status, headers: { connection: 'close' } });
});

it('the edge ends the WebSocket handshake at the origin if the visitor leaves', async () => {
  const arrived = Promise.withResolvers<void>();
  await using origin = await rawServer({ request: () => arrived.resolve() });
  await using edge = await edgeWith({ [HOST]: route(`http://127.0.0.1:${origin.port}`) });
  const visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  await arrived.promise;
  visitor.socket.resetAndDestroy();
  await origin.ended();
});

it('the edge closes its WebSockets when it closes', async () => {
  await using origin = await webSocketOrigin();
  await using edge = await edgeWith({ [HOST]: route(origin.url) });
  using visitor = await rawVisitor(edge.port);
  visitor.write(HANDSHAKE);
  await visitor.until((text) => text.endsWith('\r\n\r\n'));
  await edge.edge.close();
  await visitor.ended();
  expect(visitor.socket.closed).toBe(true);
});
