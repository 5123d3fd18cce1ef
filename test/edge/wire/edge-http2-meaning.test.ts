import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { HOST, originWith } from '../edge-under-test.ts';
import { edgeTo } from '../tls/tls-edge-under-test.ts';
import { answerOf, http2Visitor } from './http2-visitor.ts';
import { parseAnswer, rawVisitor } from './raw-visitor.ts';

describe('many cookies over HTTP/2 are accepted up to a size', () => {
  it.each([125, 180, 900])('reach the origin as one header if there are %i of them', async (count) => {
    await using origin = await originWith((req, res) => res.end(req.headers.cookie));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const cookies = Array.from({ length: count }, (_, i) => `c${i}=${'v'.repeat(8)}`);
    expect(await visitor.ask({ cookie: cookies })).toMatchObject({ status: 200, body: cookies.join('; ') });
  });

  it('may have as many bytes as over HTTP/1.1, and get 431 beyond that', async () => {
    await using origin = await originWith((req, res) => res.end(String(req.headers.cookie?.length)));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const ask = async (length: number) => {
      using one = await rawVisitor(edge.port, HOST);
      one.write(
        `GET / HTTP/1.1\r\nHost: ${HOST}\r\nCookie: ${'c'.repeat(length)}\r\nConnection: close\r\n\r\n`,
      );
      const { status } = parseAnswer(await one.ended());
      return [status, (await visitor.ask({ cookie: 'c'.repeat(length) })).status];
    };
    expect(await ask(15_000)).toEqual([200, 200]);
    expect(await ask(16_500)).toEqual([431, 431]);
  });
});

describe('a request over HTTP/2 that ends with an empty DATA frame', () => {
  it.each([
    ['at once', 'GET'],
    ['at once', 'HEAD'],
    ['at once', 'DELETE'],
    ['later', 'GET'],
    ['later', 'HEAD'],
  ])('sent %s reaches the origin without a body: %s', async (when, method) => {
    await using origin = await originWith((req, res) => {
      res.setHeader('x-framing', String(req.headers['transfer-encoding'] ?? req.headers['content-length']));
      res.end('page');
    });
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': method }, { endStream: false });
    if (when === 'later') await visitor.ask();
    stream.end();
    const { status, headers } = await answerOf(stream);
    expect(status).toBe(200);
    expect(['undefined', '0']).toContain(headers['x-framing']);
  });

  it('is distinguished from a GET with a body, which reaches the origin', async () => {
    await using origin = await originWith((req, res) => req.pipe(res));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    expect(await visitor.ask({ ':method': 'GET' }, 'abc')).toMatchObject({ status: 200, body: 'abc' });
  });
});

it('a response of the origin that is not HTTP becomes 502 over HTTP/2', async () => {
  await using origin = await rawServer({ request: (socket) => socket.end('\x00\x01 what\r\n\r\n') });
  await using edge = await edgeTo(`http://127.0.0.1:${origin.port}`);
  using visitor = await http2Visitor(edge.port, HOST);
  const { status, headers } = await visitor.ask();
  expect({ status, id: headers['x-request-id'] }).toMatchObject({
    status: 502,
    id: expect.stringMatching(/^req_/),
  });
});

describe('a request over HTTP/2', () => {
  it('with a trailer reaches the origin without it, and the connection goes on', async () => {
    await using origin = await originWith((req, res) => req.pipe(res));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.session.request({ ':method': 'POST' }, { waitForTrailers: true } as object);
    stream.once('wantTrailers', () => stream.sendTrailers({ 'x-checksum': 'abc' }));
    stream.end('body');
    expect(await answerOf(stream)).toMatchObject({ status: 200, body: 'body' });
    expect(await visitor.ask()).toMatchObject({ status: 200 });
  });

  it('with a host that equals its authority reaches the origin', async () => {
    await using origin = await originWith((_, res) => res.end('page'));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    expect(await visitor.ask({ ':authority': HOST, host: HOST })).toMatchObject({ status: 200 });
  });
});

describe('many HTTP/2 requests of one network queue for the origin', () => {
  it('wait for connections to the origin instead of being refused', async () => {
    await using origin = await originWith((_, res) => void setImmediate(() => res.end('page')));
    await using edge = await edgeTo(origin.url);
    const visitors = await Promise.all(Array.from({ length: 30 }, () => http2Visitor(edge.port, HOST)));
    const answers = await Promise.all(
      visitors.flatMap((visitor) => Array.from({ length: 20 }, () => visitor.ask())),
    );
    for (const visitor of visitors) visitor[Symbol.dispose]();
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
