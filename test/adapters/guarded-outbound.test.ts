import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../fixtures/raw-server.ts';
import {
  GOOD,
  HEAD,
  LONG_MS,
  outboundOfEachTest,
  SHORT_MS,
  write,
  writeAndEnd,
} from '../ports/outbound-under-test.ts';

const { outbound, post } = outboundOfEachTest();

describe('a request of the outbound client contains only what its caller wants', () => {
  it("has the method, path and query, the given headers, the URL's Host, and the bytes of the body", async () => {
    await using server = await rawServer({ request: write(GOOD) });
    const headers = {
      'Content-Type': 'application/json',
      'X-CamelCase': 'a  b',
      'User-Agent': 'Service-Webhooks/1',
    };
    await post(server, {
      url: `http://localhost:${server.port}/a%20b/../c?d=%65#f`,
      headers,
      body: '{"é":1}',
    });
    expect(Buffer.from(server.requests[0] ?? '', 'latin1').toString()).toBe(
      `POST /c?d=%65 HTTP/1.1\r\nhost: localhost:${server.port}\r\nconnection: keep-alive\r\nContent-Type: application/json\r\n` +
        'X-CamelCase: a  b\r\nUser-Agent: Service-Webhooks/1\r\ncontent-length: 8\r\n\r\n{"é":1}',
    );
  });

  it('adds no header except Host, Connection and the length', async () => {
    await using server = await rawServer({ request: write(GOOD) });
    const url = `http://127.0.0.1:${server.port}`;
    await outbound().send({ method: 'GET', url, headers: {}, timeoutMs: LONG_MS, maxResponseBytes: 64 });
    expect(server.requests).toEqual([
      `GET / HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: keep-alive\r\n\r\n`,
    ]);
  });

  it.each([
    { 'X-Split': 'a\r\nX-Injected: b' },
    { 'Bad Name': 'a' },
    { host: 'example.com' },
    { HOST: 'example.com' },
    { 'Transfer-Encoding': 'chunked' },
    { Expect: '100-continue' },
  ])('throws for headers that must not be sent: %j', async (headers) => {
    await using server = await rawServer({ request: write(GOOD) });
    await expect(post(server, { headers })).rejects.toThrow();
    expect(server.requests).toEqual([]);
  });
});

describe('the outbound client reads a response within its limits', () => {
  it('the result has the headers, repeated headers as a list, and the response time', async () => {
    await using server = await rawServer({
      request: write(`${HEAD}X-A: 1\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n`),
    });
    const result = await post(server);
    expect(result).toMatchObject({ headers: { 'x-a': ['1', '2'], 'content-length': '0' } });
    expect(Number.isInteger(result.response_ms) && result.response_ms >= 0).toBe(true);
  });

  it.each([
    ['up to the limit keeps its connection', 64, 1],
    ['beyond the limit is cut off, and its connection ended', 65, 2],
  ])(
    'the connection is reused or ended depending on the size of the body: a body %s',
    async (_title, length, connections) => {
      await using server = await rawServer({
        request: write(`${HEAD}Content-Length: ${length}\r\n\r\n${'x'.repeat(length)}`),
      });
      const result = { ok: true, status_code: 200 };
      expect(await post(server, { maxResponseBytes: 64 })).toMatchObject(result);
      await turn();
      expect(await post(server, { maxResponseBytes: 64 })).toMatchObject(result);
      expect(server.sockets).toHaveLength(connections);
    },
  );

  it.each([
    ['a whole body', `Content-Length: 5\r\n\r\nhello`, 'hel'],
    ['a body that breaks off', `Content-Length: 9\r\n\r\nhello`, 'hel'],
    ['a body that never ends', `Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n`, 'he'],
    ['no body', `Content-Length: 0\r\n\r\n`, ''],
  ])('the result has the first bytes of %s', async (_title, rest, sample) => {
    await using server = await rawServer({
      request: (socket) => {
        socket.write(HEAD + rest);
        if (rest.includes('9')) socket.end();
      },
    });
    const result = await post(server, { sampleBytes: 3 });
    expect(result).toMatchObject({ ok: true, status_code: 200 });
    expect('sample' in result && Buffer.from(result.sample ?? []).toString()).toBe(sample);
  });

  it('the body is not decompressed, and the size limit applies to the received bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024));
    await using server = await rawServer({
      request(socket) {
        socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
        socket.write(bomb);
      },
    });
    await post(server);
    await turn();
    expect(await post(server)).toMatchObject({ ok: true, headers: { 'content-encoding': 'gzip' } });
    expect(server.sockets).toHaveLength(1);
  });

  it('a request cannot ask for more bytes than the client reads', async () => {
    await using server = await rawServer({ request: write(GOOD) });
    await expect(post(server, { maxResponseBytes: 1024 * 1024 })).rejects.toThrow(RangeError);
  });
});

describe('the outbound client reuses kept-alive connections', () => {
  it('one connection carries several requests, one after the other', async () => {
    await using server = await rawServer({ request: write(GOOD) });
    for (let i = 0; i < 5; i++) {
      expect(await post(server)).toMatchObject({ ok: true });
      await turn();
    }
    expect(server.sockets).toHaveLength(1);
  });

  it('a connection that the server has closed is not used again', async () => {
    await using server = await rawServer({ request: writeAndEnd(GOOD) });
    expect(await post(server)).toMatchObject({ ok: true });
    await server.ended();
    expect(await post(server)).toMatchObject({ ok: true });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['ended', (socket: Socket) => socket.end()],
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
  ])(
    'if a connection is %s just as a request is sent, the request is sent again on a new connection',
    async (_title, fail) => {
      await using server = await rawServer({
        request: (socket, number) => (number === 1 ? fail(socket) : socket.write(GOOD)),
      });
      await post(server);
      await turn();
      expect(await post(server)).toMatchObject({ ok: true, status_code: 200 });
      const [, lost, again] = server.requests;
      expect(again?.replace('connection: close', 'connection: keep-alive')).toBe(lost);
      expect(server.requests).toHaveLength(3);
      await outbound().close();
      await server.ended();
    },
  );

  it('a request is repeated only once: if the server closes again, the connection has failed', async () => {
    await using server = await rawServer({
      request: (socket, number) => (number === 0 ? socket.write(GOOD) : socket.end()),
    });
    await post(server);
    await turn();
    expect(await post(server)).toMatchObject({ ok: false, problem: 'connection_failed' });
    expect(server.requests).toHaveLength(3);
  });

  it('a 100 response that no request asked for is ignored', async () => {
    await using server = await rawServer({
      request: (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${GOOD}`),
    });
    for (let i = 0; i < 3; i++) {
      expect(await post(server)).toMatchObject({ ok: true });
      await turn();
    }
    expect(server.sockets).toHaveLength(1);
  });

  it('a request is not repeated once its response has begun', async () => {
    await using server = await rawServer({
      request: (socket, number) => (number === 0 ? socket.write(GOOD) : socket.end('HTTP/1.1 ')),
    });
    await post(server);
    await turn();
    expect(await post(server)).toMatchObject({ ok: false, problem: 'connection_failed' });
    expect(server.requests).toHaveLength(2);
  });

  it('the two attempts of a repeated request share one timeout', async () => {
    await using server = await rawServer({
      request(socket, number) {
        if (number === 0) socket.write(GOOD);
        if (number === 1) socket.end();
      },
    });
    await post(server);
    await turn();
    expect(await post(server, { timeoutMs: SHORT_MS })).toMatchObject({ ok: false, problem: 'timeout' });
  });
});

describe("the outbound client's connections to one origin are limited", () => {
  const MAX = 128;

  it('requests over the limit wait for their turn', async () => {
    const waiting: Socket[] = [];
    let most = 0;
    await using server = await rawServer({
      request(socket) {
        waiting.push(socket);
        most = Math.max(most, server.open());
        if (waiting.length < MAX && server.requests.length <= MAX) return;
        for (const ready of waiting.splice(0)) ready.write(GOOD);
      },
    });
    const results = await Promise.all(Array.from({ length: MAX + 20 }, () => post(server)));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(most).toBe(MAX);
  });

  it('if the origin hangs, all requests time out, including the queue, and later requests work again', async () => {
    let hangs = true;
    await using server = await rawServer({ request: (socket) => (hangs ? undefined : socket.write(GOOD)) });
    const results = await Promise.all(
      Array.from({ length: MAX + 20 }, () => post(server, { timeoutMs: SHORT_MS })),
    );
    expect(results.every((result) => !result.ok && result.problem === 'timeout')).toBe(true);
    hangs = false;
    expect(await post(server)).toMatchObject({ ok: true, status_code: 200 });
    await outbound().close();
    await server.ended();
  });
});

describe('closing the outbound client ends its connections', () => {
  it('idle and busy connections end, and requests in flight fail', async () => {
    await using server = await rawServer({
      request: (socket, number) => (number === 0 ? socket.write(GOOD) : undefined),
    });
    await post(server);
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    await using hanging = await rawServer({ request: () => resolve() });
    const inFlight = post(hanging);
    await arrived;
    await outbound().close();
    expect(await inFlight).toMatchObject({ ok: false, problem: 'connection_failed' });
    await Promise.all([server.ended(), hanging.ended()]);
  });

  it('a request after the close fails, and a second close has no effect', async () => {
    await using server = await rawServer({ request: write(GOOD) });
    await outbound().close();
    await outbound().close();
    await expect(post(server)).rejects.toThrow('closed');
    expect(server.sockets).toEqual([]);
  });
});
