import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { HOST, originWith } from '../edge-under-test.ts';
import { echoOrigin } from '../forwarding/echo-origin.ts';
import { edgeTo, PSEUDO } from '../tls/tls-edge-under-test.ts';
import { answerOf, http2Visitor } from './http2-visitor.ts';
import { DATA, END_STREAM, type GotFrame, RST_STREAM, rawHttp2 } from './raw-http2.ts';

describe('a request over HTTP/2', () => {
  it('reaches the origin over HTTP/1.1, signed, with the headers of the domain and none of HTTP/2', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const answer = await visitor.ask(
      {
        ':method': 'POST',
        ':path': '/a%20b?c=1',
        'x-tenant': 'evil',
        te: 'trailers',
        cookie: ['a=b', 'c=d'],
      },
      'abc',
    );
    const got = JSON.parse(answer.body);
    expect(got).toMatchObject({
      method: 'POST',
      url: '/a%20b?c=1',
      body: 'abc',
      headers: {
        host: HOST,
        cookie: 'a=b; c=d',
        'transfer-encoding': 'chunked',
        'x-tenant': 'acme',
        'x-forwarded-proto': 'https',
        'x-forwarded-for': '127.0.0.1',
        'x-service-domain-id': 'dom_1',
        'x-service-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
      },
    });
    const names = Object.keys(got.headers);
    expect(names.filter((name) => name.startsWith(':') || name === 'te')).toEqual([]);
    expect(edge.seen).toMatchObject([{ method: 'POST', path: '/a%20b?c=1', status: 200, host: HOST }]);
  });

  it.each([
    ['with a length', { 'content-length': '5' }, 'abcde', { 'content-length': '5' }],
    ['without a length', {}, 'abcde', { 'transfer-encoding': 'chunked' }],
    ['that is empty', { 'content-length': '0' }, '', { 'content-length': '0' }],
  ])('has a body %s', async (_, headers, body, framing) => {
    await using origin = await echoOrigin();
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const answer = await visitor.ask({ ':method': 'PUT', ...headers }, body);
    expect(JSON.parse(answer.body)).toMatchObject({ body, headers: framing });
  });

  it('without a body has no body at the origin either', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const { headers } = JSON.parse((await visitor.ask({ ':method': 'DELETE' })).body);
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(content-length|transfer-encoding)$/)]),
    );
  });

  it('gets a response of the edge if there is no reachable origin', async () => {
    await using edge = await edgeTo('https://inside.example', { lookup: async () => ['10.0.0.1'] });
    const statusOf = async (servername: string, headers = {}) => {
      using visitor = await http2Visitor(edge.port, servername);
      const { status, headers: got } = await visitor.ask(headers);
      expect(got['x-request-id']).toMatch(/^req_/);
      return status;
    };
    expect(await statusOf('unknown.acme.com')).toBe(404);
    expect(await statusOf(HOST, { ':authority': 'unknown.acme.com' })).toBe(421);
    expect(await statusOf('held.acme.com')).toBe(451);
    expect(await statusOf(HOST)).toBe(502);
    expect(await statusOf('www.acme.com', { ':path': '/a?b' })).toBe(308);
  });

  it('that is refused does not affect other requests on its connection', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    expect((await visitor.ask({ ':path': '/a#b' })).status).toBe(400);
    expect((await visitor.ask({ ':method': 'TRACE' })).status).toBe(501);
    expect((await visitor.ask()).status).toBe(200);
  });

  it('with Expect gets 100 once the origin accepts it', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': 'POST', expect: '100-continue' }, { endStream: false });
    await once(stream, 'continue');
    stream.end('abc');
    expect(JSON.parse((await answerOf(stream)).body)).toMatchObject({ body: 'abc' });
  });
});

describe('a response over HTTP/2', () => {
  it('has interim responses and repeated headers, but no hop-by-hop headers of the origin', async () => {
    const head = [
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n',
      'HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: a\r\nKeep-Alive: timeout=5\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d',
      'Server: one\r\nServer: two\r\nX-Bytes: caf\xe9\r\nAlt-Svc: h3=":443"\r\nContent-Length: 2\r\n\r\nok',
    ].join('\r\n');
    await using origin = await rawServer({ request: (socket) => socket.write(head, 'latin1') });
    await using edge = await edgeTo(`http://127.0.0.1:${origin.port}`);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({});
    const hints = once(stream, 'headers');
    const { status, headers, body } = await answerOf(stream);
    expect((await hints)[0]).toMatchObject({ ':status': 103, link: '</a>, </b>' });
    expect({ status, body }).toEqual({ status: 200, body: 'ok' });
    expect(headers).toMatchObject({ 'set-cookie': ['a=b', 'c=d'], 'x-bytes': 'caf\xe9' });
    for (const name of ['connection', 'x-hop', 'keep-alive', 'alt-svc'])
      expect(headers).not.toHaveProperty(name);
  });

  it.each([
    ['to a HEAD', 'HEAD', 200],
    ['204', 'GET', 204],
    ['205', 'GET', 205],
    ['304', 'GET', 304],
  ])('%s has no body, whatever the origin sends', async (_, method, status) => {
    await using origin = await originWith((_req, res) => {
      res.writeHead(status, { 'X-A': 'b' });
      res.end('not for you');
    });
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const answer = await visitor.ask({ ':method': method });
    expect(answer).toMatchObject({ status, body: '', reset: 0, headers: { 'x-a': 'b' } });
  });

  it.each([
    ['a control character', 'HTTP/1.1 200 OK\r\nX-A: b\x01\r\nContent-Length: 0\r\n\r\n'],
    ['a status that HTTP/2 does not allow', 'HTTP/1.1 799 Odd\r\nContent-Length: 0\r\n\r\n'],
  ])('with %s is 502', async (_, bytes) => {
    await using origin = await rawServer({ request: (socket) => socket.end(bytes, 'latin1') });
    await using edge = await edgeTo(`http://127.0.0.1:${origin.port}`);
    using visitor = await http2Visitor(edge.port, HOST);
    expect((await visitor.ask()).status).toBe(502);
  });

  it.each([
    ['with a length', 'Content-Length: 10\r\n\r\nabc'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ])('that breaks off %s is reset and not ended, and its connection continues', async (_, rest) => {
    await using origin = await rawServer({
      request: (socket, number) =>
        socket.end(`HTTP/1.1 200 OK\r\n${number === 0 ? rest : 'Content-Length: 3\r\n\r\nabc'}`),
    });
    await using edge = await edgeTo(`http://127.0.0.1:${origin.port}`);
    using visitor = await rawHttp2(edge.port, HOST);
    visitor.headers(1, [...PSEUDO, [':method', 'GET']]);
    const reset = await visitor.until(({ type }) => type === RST_STREAM);
    expect(reset?.payload.readUInt32BE(0)).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    const ended = ({ type, flags }: GotFrame) => type === DATA && (flags & END_STREAM) !== 0;
    expect(visitor.got.filter(ended)).toEqual([]);
    visitor.headers(3, [...PSEUDO, [':method', 'GET']]);
    expect((await visitor.until(ended))?.stream).toBe(3);
  });

  it('that comes before the end of an upload stops the upload without an error', async () => {
    await using origin = await originWith((_req, res) => res.writeHead(413).end('too large'));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': 'POST' }, { endStream: false });
    stream.write(Buffer.alloc(100_000));
    expect(await answerOf(stream)).toMatchObject({
      status: 413,
      body: 'too large',
      reset: constants.NGHTTP2_NO_ERROR,
    });
    expect((await visitor.ask()).status).toBe(413);
  });

  it('of any size arrives complete, even with bodies in both directions', async () => {
    await using origin = await originWith((req, res) => req.pipe(res));
    await using edge = await edgeTo(origin.url);
    using visitor = await http2Visitor(edge.port, HOST);
    const stream = visitor.request({ ':method': 'POST' }, { endStream: false });
    const [sent, got] = [createHash('sha256'), createHash('sha256')];
    stream.on('data', (chunk: Buffer) => got.update(chunk));
    for (let i = 0; i < 256; i++) {
      const chunk = Buffer.alloc(65_536, i);
      sent.update(chunk);
      if (!stream.write(chunk)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'close');
    expect(got.digest('hex')).toBe(sent.digest('hex'));
  });
});
