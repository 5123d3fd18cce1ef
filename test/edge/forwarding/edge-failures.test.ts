import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { edgeWith, HOST, originWith, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor, send } from '../wire/raw-visitor.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
const at = (port: number) => ({ [HOST]: route(`http://127.0.0.1:${port}`) });

/** Sends one request to an origin that responds with these bytes and closes the connection. */
async function answeredBy(bytes: string) {
  await using origin = await rawServer({ request: (socket) => socket.end(bytes, 'latin1') });
  await using edge = await edgeWith(at(origin.port));
  const answer = await send(edge.port, GET);
  await edge.collected();
  return { answer, failures: edge.failures, origin: `127.0.0.1:${origin.port}` };
}

describe('the edge responds with 502', () => {
  it.each([
    ['no bytes', ''],
    ['noise', '\x00\x01\x02 what\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 OK\r\nX-A: b'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown transfer coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['both framings', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ...['+5', '-5', '5x', 'x5', '0x5', '5.0', '5, 6', '5,5', '5 5', '', '18446744073709551617'].map(
      (length): [string, string] => [
        `the length "${length}"`,
        `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nabcde`,
      ],
    ),
    ['a folded line', 'HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n'],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nX-A: b\x01\r\nContent-Length: 0\r\n\r\n'],
    [
      'a switch of protocols without a request for it',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['a switch to nothing', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a status under 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['status 600', 'HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['status 999', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(80_000)}\r\n\r\n`],
    ['endless interim responses', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)],
  ])('if the origin sends %s', async (_, bytes) => {
    const { answer, failures, origin } = await answeredBy(bytes);
    expect(answer).toMatchObject({
      status: 502,
      headers: { 'x-request-id': expect.stringMatching(/^req_/) },
    });
    expect(answer.body).not.toContain(origin);
    expect(failures).toMatchObject([
      {
        of: 'origin',
        domain_id: 'dom_1',
        request_id: answer.headers['x-request-id'],
        error: expect.any(Error),
      },
    ]);
  });

  it('if the origin refuses the connection', async () => {
    const closed = await rawServer({});
    await closed[Symbol.asyncDispose]();
    await using edge = await edgeWith(at(closed.port));
    expect((await send(edge.port, GET)).status).toBe(502);
  });

  it('if the origin resets the connection', async () => {
    await using origin = await rawServer({ request: (socket) => socket.resetAndDestroy() });
    await using edge = await edgeWith(at(origin.port));
    expect((await send(edge.port, GET)).status).toBe(502);
  });

  it("if the origin's name does not resolve", async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    await using edge = await edgeWith({ [HOST]: route('https://nowhere.example') }, { lookup });
    expect((await send(edge.port, GET)).status).toBe(502);
  });

  it.each(['10.0.0.1', '169.254.169.254', '2001:db8::1'])(
    "if the origin's name resolves to %s",
    async (address) => {
      await using edge = await edgeWith(
        { [HOST]: route('https://inside.example') },
        { lookup: async () => [address] },
      );
      expect((await send(edge.port, GET)).status).toBe(502);
      await edge.collected();
      expect(edge.failures).toMatchObject([{ error: { error: 'url_not_allowed' } }]);
    },
  );
});

describe('the edge responds with 504', () => {
  it('if the origin accepts the request but does not respond', async () => {
    await using origin = await rawServer({});
    await using edge = await edgeWith(at(origin.port), { limits: { origin_headers_timeout_ms: 100 } });
    expect((await send(edge.port, GET)).status).toBe(504);
    await origin.ended();
  });

  it('if the edge gets no connection to the origin in time', async () => {
    const lookup = () => new Promise<string[]>(() => undefined);
    const routes = { [HOST]: route('https://slow.example') };
    await using edge = await edgeWith(routes, { lookup, connectTimeoutMs: 50 });
    expect((await send(edge.port, GET)).status).toBe(504);
  });
});

describe('the edge does not make a truncated response of the origin look complete', () => {
  it.each([
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
    ['with a length', 'Content-Length: 10\r\n\r\nabc'],
    ['in malformed chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n'],
  ])('if it was sent %s', async (_, rest) => {
    await using origin = await rawServer({ request: (socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`) });
    await using edge = await edgeWith(at(origin.port));
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    const text = await visitor.ended();
    expect(parseAnswer(text).status).toBe(200);
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('if the origin stops sending', async () => {
    await using origin = await rawServer({
      request: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
    });
    await using edge = await edgeWith(at(origin.port), { limits: { origin_idle_ms: 100 } });
    using visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    expect(await visitor.ended()).toMatch(/abc$/);
    await origin.ended();
  });
});

describe('a visitor who leaves ends the work at the origin', () => {
  it('ends its request at the origin before the response', async () => {
    const arrived = Promise.withResolvers<void>();
    await using origin = await rawServer({ request: () => arrived.resolve() });
    await using edge = await edgeWith(at(origin.port));
    const visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    await arrived.promise;
    visitor.socket.destroy();
    await origin.ended();
    expect(edge.seen).toMatchObject([{ status: null, domain_id: 'dom_1' }]);
    expect(edge.failures).toEqual([]);
  });

  it('ends its request at the origin in the middle of the response', async () => {
    await using origin = await rawServer({
      request: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
    });
    await using edge = await edgeWith(at(origin.port));
    const visitor = await rawVisitor(edge.port);
    visitor.write(GET);
    await visitor.until((text) => text.endsWith('abc'));
    visitor.socket.destroy();
    await origin.ended();
    expect(edge.seen).toMatchObject([{ status: 200 }]);
    expect(edge.failures).toEqual([]);
  });

  it.each([
    ['with a length', 'Content-Length: 10\r\n\r\nabc'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('does not make an unfinished upload %s look complete at the origin', async (_, rest) => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<string>();
    await using origin = await originWith((req) => {
      req.once('data', () => begun.resolve());
      req.once('end', () => ended.resolve('whole'));
      req.once('error', () => ended.resolve('broken off'));
    });
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const visitor = await rawVisitor(edge.port);
    visitor.write(`POST / HTTP/1.1\r\nHost: ${HOST}\r\n${rest}`);
    await begun.promise;
    visitor.socket.destroy();
    expect(await ended.promise).toBe('broken off');
  });

  it('drops its queued request without blocking the pool', async () => {
    const held: ServerResponse[] = [];
    const paths: string[] = [];
    const first = Promise.withResolvers<void>();
    await using origin = await originWith((req, res) => {
      paths.push(req.url ?? '');
      if (req.url !== '/first') res.end(`answer to ${req.url}`);
      else {
        held.push(res);
        first.resolve();
      }
    });
    await using edge = await edgeWith(
      { [HOST]: route(origin.url) },
      { limits: { origin_connections_max: 1 } },
    );
    const ask = async (path: string, rest = '\r\n', method = 'GET') => {
      const visitor = await rawVisitor(edge.port);
      visitor.write(`${method} ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${rest}`);
      return visitor;
    };
    using one = await ask('/first');
    await first.promise;
    const gone = [await ask('/gone'), await ask('/gone', 'Content-Length: 3\r\n\r\nabc', 'POST')];
    using last = await ask('/last');
    // After four route lookups, the edge has accepted all four requests.
    while (edge.asked.length < 4) await new Promise((resolve) => setImmediate(resolve));
    for (const visitor of gone) visitor.socket.destroy();
    while (edge.seen.length < 2) await new Promise((resolve) => setImmediate(resolve));
    held[0]?.end('answer to /first');
    expect(await one.until((text) => text.includes('answer'))).toContain('answer to /first');
    expect(await last.until((text) => text.includes('answer'))).toContain('answer to /last');
    expect(paths).toEqual(['/first', '/last']);
  });
});

describe('the edge responds with 503 to a request that waits for an origin', () => {
  it.each([
    ['if the queue of the origin is full', { origin_queued_max: 1 }, 2],
    ['if no connection becomes free in time', { origin_queue_ms: 100 }, 1],
  ])('%s', async (_, limits, queued) => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using origin = await originWith((req, res) => {
      if (req.url === '/held') arrived.resolve(res);
      else res.end('answer');
    });
    await using edge = await edgeWith(
      { [HOST]: route(origin.url) },
      { limits: { origin_connections_max: 1, ...limits } },
    );
    using held = await rawVisitor(edge.port);
    held.write(GET.replace('/', '/held'));
    const res = await arrived.promise;
    const visitors = await Promise.all(Array.from({ length: queued }, () => rawVisitor(edge.port)));
    for (const visitor of visitors) visitor.write(GET);
    const refused = await Promise.any(
      visitors.map((visitor) => visitor.until((text) => text.includes('503 '))),
    );
    expect(parseAnswer(refused)).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    res.end('first');
    expect(await held.until((text) => text.includes('first'))).toContain('200 OK');
    expect((await send(edge.port, GET)).body).toBe('answer');
    for (const visitor of visitors) visitor[Symbol.dispose]();
  });
});

describe('origin pools keep connections to origins', () => {
  it('reuse a connection for the next request, whatever its hostname', async () => {
    await using origin = await rawServer({
      request: (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na'),
    });
    const to = route(`http://127.0.0.1:${origin.port}`);
    await using edge = await edgeWith({ [HOST]: to, 'jobs.acme.com': to });
    await send(edge.port, GET);
    await send(edge.port, GET.replace(HOST, 'jobs.acme.com'));
    expect(origin.sockets).toHaveLength(1);
    expect(origin.requests[1]).toMatch(/^host: jobs\.acme\.com\r$/im);
  });

  it('close the connections of the least recently used origin, but not connections with an unfinished request', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using old = await originWith((req, res) => {
      if (req.url === '/held') arrived.resolve(res);
      else res.end('old');
    });
    await using other = await originWith((_req, res) => res.end('other'));
    const routes = { [HOST]: route(old.url), 'jobs.acme.com': route(other.url) };
    await using edge = await edgeWith(routes, { limits: { pools_max: 1 } });
    using held = await rawVisitor(edge.port);
    held.write(GET.replace('/', '/held'));
    const res = await arrived.promise;
    expect((await send(edge.port, GET.replace(HOST, 'jobs.acme.com'))).body).toBe('other');
    const closed = once(res, 'close');
    res.end('still here');
    expect(await held.until((text) => text.includes('still here'))).toContain('200 OK');
    await closed;
    expect((await send(edge.port, GET)).body).toBe('old');
  });
});
