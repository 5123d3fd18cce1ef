import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { EdgeRoute } from '../../../shared/core/edge/edge-route.ts';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { edgeTo } from '../tls/tls-edge-under-test.ts';
import { answerOf, http2Visitor } from '../wire/http2-visitor.ts';
import { parseAnswer, rawVisitor } from '../wire/raw-visitor.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
const UPGRADE = GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
const limits = { route_check_ms: 20 };

type Routes = Record<string, EdgeRoute | 'held'>;

const ENDS: [what: string, (routes: Routes) => void, status: number][] = [
  ['is deleted', (routes) => delete routes[HOST], 404],
  ['is held', (routes) => (routes[HOST] = 'held'), 451],
  ['is replaced by another one', (routes) => (routes[HOST] = route(null, { domain_id: 'dom_2' })), 404],
];

/** Starts an origin that accepts every WebSocket and keeps it open. */
async function webSocketOrigin() {
  const sockets: Duplex[] = [];
  const server = createServer().on('upgrade', (_req, socket) => {
    sockets.push(socket);
    socket
      .on('error', () => socket.destroy())
      .on('end', () => socket.end())
      .resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.each(ENDS)('the edge reacts at once when the domain %s', (_, change, status) => {
  it('ends its WebSockets on both sides', async () => {
    await using origin = await webSocketOrigin();
    const routes: Routes = { [HOST]: route(origin.url) };
    await using edge = await edgeWith(routes, { limits });
    using visitor = await rawVisitor(edge.port);
    visitor.write(UPGRADE);
    await visitor.until((text) => text.endsWith('\r\n\r\n'));
    const closed = once(origin.sockets[0] as Duplex, 'close');
    change(routes);
    await edge.edge.certificateChanged(HOST);
    await Promise.all([visitor.ended(), closed]);
  });

  it('breaks off a response that has already begun', async () => {
    await using origin = await originWith((_req, res) => res.write('begun'));
    const routes: Routes = { [HOST]: route(origin.url) };
    await using edge = await edgeWith(routes, { limits });
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    await visitor.until((text) => text.includes('begun'));
    change(routes);
    await edge.edge.certificateChanged(HOST);
    expect(await visitor.ended()).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('sends the reason to a request without a response yet', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using origin = await originWith((_req, res) => arrived.resolve(res));
    const routes: Routes = { [HOST]: route(origin.url) };
    await using edge = await edgeWith(routes, { limits });
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    const closed = once(await arrived.promise, 'close');
    change(routes);
    await edge.edge.certificateChanged(HOST);
    expect(parseAnswer(await visitor.until((text) => text.includes('</html>'))).status).toBe(status);
    await closed;
  });
});

it('the edge ends a WebSocket of a deleted domain, even if the WebSocket is older than the session ticket keys', async () => {
  await using origin = await webSocketOrigin();
  const routes: Routes = { [HOST]: route(origin.url) };
  await using edge = await edgeWith(routes, { limits });
  using visitor = await rawVisitor(edge.port);
  visitor.write(UPGRADE);
  await visitor.until((text) => text.endsWith('\r\n\r\n'));
  await edge.edge.setTicketKeys(randomBytes(48));
  delete routes[HOST];
  await edge.edge.certificateChanged(HOST);
  await visitor.ended();
});

it('the edge ends the requests of deleted domains while many other routes cannot be looked up', async () => {
  await using origin = await originWith((_req, res) => res.write('begun'));
  let isAway = false;
  await using edge = await edgeWith(
    {},
    {
      limits: { ...limits, origin_connections_per_network_max: 128 },
      findRoute: async (hostname) => {
        if (!isAway) return route(origin.url);
        if (hostname.startsWith('gone')) return null;
        throw new Error('the database is away');
      },
    },
  );
  const visitors = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const visitor = await rawVisitor(edge.port);
      visitor.write(GET.replace(HOST, `${n % 4 === 0 ? 'gone' : 'kept'}${n}.acme.com`));
      await visitor.until((text) => text.includes('begun'));
      return visitor;
    }),
  );
  isAway = true;
  await edge.edge.certificateChanged(null);
  await Promise.all(visitors.filter((_, n) => n % 4 === 0).map((visitor) => visitor.ended()));
  expect(visitors.filter(({ socket }) => socket.closed)).toHaveLength(25);
  for (const visitor of visitors) visitor[Symbol.dispose]();
});

it('the edge breaks off one HTTP/2 stream of a domain without a route, and keeps the session', async () => {
  await using origin = await originWith((_req, res) => res.write('begun'));
  let gone = false;
  await using edge = await edgeTo(origin.url, {
    findRoute: () => (gone ? null : route(origin.url)),
    limits,
  });
  await using visitor = await http2Visitor(edge.port, HOST);
  const stream = visitor.request({ ':path': '/' });
  await once(stream, 'data');
  gone = true;
  await once(stream, 'error');
  expect((await answerOf(visitor.request({ ':path': '/' }))).status).toBe(404);
});

it('requests continue if the origin changes or the route cannot be looked up', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  await using origin = await originWith((_req, res) => arrived.resolve(res));
  let asked = 0;
  await using edge = await edgeWith(
    {},
    {
      limits,
      findRoute: async () => {
        asked++;
        if (asked === 3) throw new Error('the database is away');
        return route(asked === 1 ? origin.url : 'https://elsewhere.example');
      },
    },
  );
  using visitor = await rawVisitor(edge.port);
  visitor.write(GET);
  const res = await arrived.promise;
  while (asked < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  res.end('whole');
  expect(await visitor.until((text) => text.includes('whole'))).toContain('200 OK');
});
