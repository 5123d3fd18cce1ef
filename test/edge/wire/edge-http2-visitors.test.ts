import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { type ConnectionOptions, connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { HOST, originWith } from '../edge-under-test.ts';
import { edgeTo, PSEUDO } from '../tls/tls-edge-under-test.ts';
import { answerOf, http2Visitor } from './http2-visitor.ts';
import { DATA, END_HEADERS, GOAWAY, RST_STREAM, rawHttp2 } from './raw-http2.ts';

describe('the flow control of HTTP/2 limits the faster side', () => {
  const MIB = 1024 * 1024;

  it('slows down the origin of a stream that the visitor does not read, and no other stream', async () => {
    let written = 0;
    await using origin = await originWith((req, res) => {
      if (req.url === '/small') return res.end('small');
      const pump = () => {
        while (written < 256 * MIB) {
          written += 65_536;
          if (!res.write(Buffer.alloc(65_536))) return;
        }
      };
      res.on('drain', pump);
      pump();
    });
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const slow = visitor.request({ ':path': '/large' });
    await once(slow, 'response');
    slow.pause();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(written).toBeLessThan(64 * MIB);
    expect((await visitor.ask({ ':path': '/small' })).body).toBe('small');
    slow.on('error', () => undefined).close();
  });

  it('slows the visitor down while the origin does not read', async () => {
    await using origin = await rawServer({
      connection: (socket) => {
        socket.pause();
        return false;
      },
    });
    await using edge = await edgeTo(`http://127.0.0.1:${origin.port}`);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': 'POST' }, { endStream: false });
    stream.on('error', () => undefined);
    let sent = 0;
    const pump = () => {
      while (sent < 256 * MIB) {
        sent += 65_536;
        if (!stream.write(Buffer.alloc(65_536))) return;
      }
    };
    stream.on('drain', pump);
    pump();
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(sent).toBeLessThan(64 * MIB);
  });
});

describe('an HTTP/2 visitor who leaves', () => {
  /** Starts an origin that records how the body of each request ended. */
  async function bodyOrigin() {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<'whole' | 'broken off'>();
    const origin = await originWith((req: IncomingMessage, _res: ServerResponse) => {
      req.once('data', () => begun.resolve());
      req.once('end', () => ended.resolve('whole'));
      req.once('error', () => ended.resolve('broken off'));
    });
    return Object.assign(origin, { begun: begun.promise, ended: ended.promise });
  }

  it.each([
    ['by CANCEL', constants.NGHTTP2_CANCEL],
    ['by NO_ERROR', constants.NGHTTP2_NO_ERROR],
    ['by an error', constants.NGHTTP2_PROTOCOL_ERROR],
  ])(
    'in the middle of an upload, %s, does not make the upload look complete at the origin',
    async (_, code) => {
      await using origin = await bodyOrigin();
      await using edge = await edgeTo(origin.url);
      using visitor = await rawHttp2(edge.port, HOST);
      visitor.headers(1, [...PSEUDO, [':method', 'POST']], END_HEADERS);
      visitor.frame({ type: DATA, stream: 1, payload: Buffer.from('abc') });
      await origin.begun;
      const payload = Buffer.alloc(4);
      payload.writeUInt32BE(code);
      visitor.frame({ type: RST_STREAM, stream: 1, payload });
      expect(await origin.ended).toBe('broken off');
      expect(edge.failures).toEqual([]);
    },
  );

  it('in the middle of an upload, by closing the connection, does not make the upload look complete at the origin', async () => {
    await using origin = await bodyOrigin();
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': 'POST', 'content-length': 100 }, { endStream: false });
    stream.on('error', () => undefined);
    stream.write('abc');
    await origin.begun;
    visitor.session.destroy();
    expect(await origin.ended).toBe('broken off');
  });

  it('ends its request at the origin, and other requests on the connection continue', async () => {
    await using origin = await rawServer({
      request: (socket, number) => {
        if (number === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc');
      },
    });
    await using edge = await edgeTo(`http://127.0.0.1:${origin.port}`);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({});
    stream.on('error', () => undefined);
    while (origin.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stream.close(constants.NGHTTP2_CANCEL);
    const [socket] = origin.sockets;
    if (socket && !socket.closed) await once(socket, 'close');
    expect((await visitor.ask()).body).toBe('abc');
    expect(edge.seen).toMatchObject([{ status: null }, { status: 200 }]);
  });
});

describe('a slow HTTP/2 visitor', () => {
  it.each([
    ['that sends no request', { headers_timeout_ms: 100 }, false],
    ['that sends no further request', { keep_alive_ms: 100 }, true],
  ])('%s, gets an error and is disconnected', async (_, limits, asks) => {
    await using edge = await edgeTo('https://inside.example', { limits, lookup: async () => ['10.0.0.1'] });
    using visitor = await rawHttp2(edge.port, HOST);
    if (asks) {
      visitor.headers(1, [...PSEUDO, [':method', 'GET']]);
      expect(await visitor.outcome(1)).toBe(502);
    }
    expect(await visitor.until(({ type }) => type === GOAWAY)).toMatchObject({ type: GOAWAY });
    await visitor.closed;
  });

  it('loses a stream whose body trickles, and keeps the others', async () => {
    await using origin = await originWith((req, res) => {
      req.resume();
      if (req.method === 'GET') res.end('answer');
    });
    const limits = { progress_window_ms: 200 };
    await using edge = await edgeTo(origin.url, { limits });
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': 'POST' }, { endStream: false });
    const trickle = setInterval(() => stream.writable && stream.write('a'), 20);
    expect(await answerOf(stream)).toMatchObject({ status: 0, reset: constants.NGHTTP2_INTERNAL_ERROR });
    clearInterval(trickle);
    expect((await visitor.ask()).body).toBe('answer');
  });

  it('loses a stream whose response is not read', async () => {
    const closed = Promise.withResolvers<void>();
    await using origin = await originWith((_req, res) => {
      res.once('close', () => closed.resolve());
      res.write(Buffer.alloc(64 * 1024 * 1024));
    });
    await using edge = await edgeTo(origin.url, { limits: { progress_window_ms: 200 } });
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({});
    stream.on('error', () => undefined);
    await once(stream, 'response');
    stream.pause();
    await closed.promise;
  });

  it('keeps a stream that waits for a slow origin', async () => {
    await using origin = await originWith((_req, res) => setTimeout(() => res.end('at last'), 600));
    const limits = { progress_window_ms: 100, keep_alive_ms: 100, headers_timeout_ms: 500 };
    await using edge = await edgeTo(origin.url, { limits });
    using visitor = await http2Visitor(edge.port, HOST);
    expect((await visitor.ask()).body).toBe('at last');
  });
});

it('the edge disconnects an HTTP/2 visitor that ignores GOAWAY, and frees its slot', async () => {
  await using origin = await originWith((_req, res) => res.end('hello'));
  const limits = { keep_alive_ms: 50, headers_timeout_ms: 1_000, connections_per_address_max: 1 };
  await using edge = await edgeTo(origin.url, { limits });
  // Node accepts `allowHalfOpen` here too, although its types do not list it.
  const halfOpen: ConnectionOptions & { allowHalfOpen: boolean } = {
    port: edge.port,
    host: '127.0.0.1',
    servername: HOST,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
    allowHalfOpen: true,
  };
  const staying = connect(halfOpen);
  staying.on('error', () => undefined).resume();
  await once(staying, 'secureConnect');
  staying.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), NO_SETTINGS]));
  const asked = async () => {
    using visitor = await http2Visitor(edge.port, HOST);
    return (await visitor.ask()).status;
  };
  await expect.poll(() => asked().catch(() => 0), { timeout: 15_000 }).toBe(200);
  staying.destroy();
});

/** An empty SETTINGS frame. */
const NO_SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

describe('an edge that is closing lets HTTP/2 requests finish', () => {
  it('sends GOAWAY, finishes its requests, and accepts no new ones', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using origin = await originWith((_req, res) => arrived.resolve(res));
    await using edge = await edgeTo(origin.url);
    using idle = await rawHttp2(edge.port, HOST);
    using busy = await http2Visitor(edge.port, HOST);
    const answer = busy.ask();
    const res = await arrived.promise;
    const away = once(busy.session, 'goaway');
    const closed = edge.edge.close({ graceMs: 60_000 });
    expect((await away)[0]).toBe(constants.NGHTTP2_NO_ERROR);
    await idle.closed;
    expect(idle.got.map(({ type }) => type)).toContain(GOAWAY);
    res.end('answer');
    expect(await answer).toMatchObject({ status: 200, body: 'answer', reset: 0 });
    await closed;
  });

  it('ends requests that last longer than the grace period', async () => {
    const arrived = Promise.withResolvers<void>();
    await using origin = await originWith(() => arrived.resolve());
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const answer = visitor.ask();
    await arrived.promise;
    await edge.edge.close({ graceMs: 50 });
    expect((await answer).status).toBe(0);
  });
});

it("the edge responds with 503 to a network's HTTP/2 requests beyond its share, and then serves the network again", async () => {
  const held: ServerResponse[] = [];
  await using origin = await originWith((req, res) => {
    if (req.url === '/held') held.push(res);
    else res.end('answer');
  });
  await using edge = await edgeTo(origin.url, { limits: { requestsInFlightMax: 10 } });
  using visitor = await http2Visitor(edge.port, HOST);
  const first = [visitor.ask({ ':path': '/held' }), visitor.ask({ ':path': '/held' })];
  while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(await visitor.ask()).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60', 'x-request-id': expect.stringMatching(/^req_/) },
  });
  for (const res of held) res.end('held');
  await Promise.all(first);
  expect(await visitor.ask()).toMatchObject({ status: 200, body: 'answer' });
});
