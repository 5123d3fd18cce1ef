import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { edgeWith, HOST, isNow, originWith, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor, send } from '../wire/raw-visitor.ts';
import { echoOrigin } from './echo-origin.ts';

const HEAD = `Host: ${HOST}\r\n`;

describe('a request that the edge forwards to the origin is signed and complete', () => {
  it('has a signature that can be verified without our library', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const answer = await send(
      edge.port,
      `POST /a%20b?c=1&c=2 HTTP/1.1\r\n${HEAD}Content-Length: 3\r\n\r\nabc`,
    );
    const got = JSON.parse(answer.body);
    expect(got).toMatchObject({ method: 'POST', url: '/a%20b?c=1&c=2', body: 'abc' });
    const { headers } = got;
    const content = `${headers['x-service-timestamp']}.POST.${headers.host}./a%20b?c=1&c=2.${headers['x-service-domain-id']}`;
    const hex = createHmac('sha256', 'whsec_one').update(content).digest('hex');
    expect(headers).toMatchObject({
      host: HOST,
      'x-service-signature': `v1=${hex}`,
      'x-service-domain-id': 'dom_1',
      'x-service-app-id': 'app_1',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
      'content-length': '3',
    });
    expect(isNow(headers['x-service-timestamp'])).toBe(true);
  });

  it("has the domain's origin headers exactly once, whatever the visitor sent", async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({
      [HOST]: route(origin.url, { origin_headers: { 'X-Tenant': 'acme' } }),
    });
    const forged =
      'x-tenant: evil\r\nX_Tenant: evil\r\nX-Service-Domain-Id: dom_2\r\nConnection: X-Tenant, X-Service-Signature\r\n';
    const { rawHeaders } = JSON.parse((await send(edge.port, `GET / HTTP/1.1\r\n${HEAD}${forged}\r\n`)).body);
    const names = rawHeaders
      .filter((_: string, i: number) => i % 2 === 0)
      .map((name: string) => name.toLowerCase());
    expect(rawHeaders).not.toContain('evil');
    expect(rawHeaders).not.toContain('dom_2');
    for (const name of ['x-tenant', 'x-service-domain-id', 'x-service-signature']) {
      expect(names.filter((each: string) => each === name)).toHaveLength(1);
    }
  });

  it("has the domain's origin headers once while its route is looked up, and afterwards", async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({
      [HOST]: route(origin.url, { origin_headers: { 'X-Tenant': 'acme' } }),
    });
    const visit = () => send(edge.port, `GET / HTTP/1.1\r\n${HEAD}X-Tenant: evil\r\n\r\n`);
    const answers = [...(await Promise.all(Array.from({ length: 8 }, visit))), await visit()];
    for (const { body } of answers) expect(JSON.parse(body).headers['x-tenant']).toBe('acme');
  });

  it('keeps non-ASCII bytes and repeated headers unchanged', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const { rawHeaders } = JSON.parse(
      (
        await send(
          edge.port,
          `GET / HTTP/1.1\r\n${HEAD}X-A: caf\xe9\r\nX-A: b\r\nCookie: a=b\r\ncookie: c=d\r\n\r\n`,
        )
      ).body,
    );
    const at = rawHeaders.indexOf('X-A');
    expect(rawHeaders.slice(at, at + 8)).toEqual([
      'X-A',
      'caf\xe9',
      'X-A',
      'b',
      'Cookie',
      'a=b',
      'cookie',
      'c=d',
    ]);
  });

  it("has the hostname without the emulator's suffix, even if the visitor used it", async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) }, { localhostSuffix: true });
    const answer = await send(edge.port, `GET / HTTP/1.1\r\nHost: ${HOST}.localhost:${edge.port}\r\n\r\n`);
    expect(JSON.parse(answer.body).headers.host).toBe(HOST);
  });

  it('may have the path /_emulator', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const answer = await send(edge.port, `GET /_emulator/status HTTP/1.1\r\n${HEAD}\r\n`);
    expect(JSON.parse(answer.body).url).toBe('/_emulator/status');
  });

  it.each([
    [
      'in chunks',
      'POST',
      'Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer-A: b\r\n\r\n',
      'abcde',
    ],
    ['in no chunk at all', 'POST', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', ''],
    ['with a length', 'PUT', 'Content-Length: 5\r\n\r\nabcde', 'abcde'],
    ['of no length', 'POST', 'Content-Length: 0\r\n\r\n', ''],
    ['on a GET', 'GET', 'Content-Length: 5\r\n\r\nabcde', 'abcde'],
    ['on a DELETE in chunks', 'DELETE', 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n', 'a'],
  ])('has the body %s', async (_, method, rest, body) => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const answer = await send(edge.port, `${method} / HTTP/1.1\r\n${HEAD}${rest}`);
    expect(JSON.parse(answer.body)).toMatchObject({ method, body });
  });

  it('has no upgrade to a protocol that the edge does not support', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const { headers } = JSON.parse((await send(edge.port, `GET / HTTP/1.1\r\n${HEAD}${upgrade}\r\n`)).body);
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/upgrade|http2/)]),
    );
  });

  it('is reported to `onRequest` before the visitor gets the response', async () => {
    await using origin = await echoOrigin();
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    const got = JSON.parse((await send(edge.port, `GET /a?b HTTP/1.1\r\n${HEAD}X-A: b\r\n\r\n`)).body);
    await send(edge.port, 'GET / HTTP/1.1\r\nHost: unknown.acme.com\r\n\r\n');
    await send(edge.port, 'GET / HTTP/1.1\r\n\r\n');
    expect(edge.seen).toMatchObject([
      { method: 'GET', path: '/a?b', host: HOST, domain_id: 'dom_1', status: 200 },
      { host: 'unknown.acme.com', domain_id: null, status: 404, headers: [] },
      { host: null, domain_id: null, status: 400, headers: [] },
    ]);
    const headers = Object.fromEntries(
      (edge.seen[0]?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(got.headers).toEqual({ ...headers, connection: 'keep-alive' });
  });
});

describe('a response that the edge sends to the visitor is valid HTTP', () => {
  const from = async (answer: string, bytes = `GET / HTTP/1.1\r\n${HEAD}\r\n`) => {
    await using origin = await rawServer({ request: (socket) => socket.end(answer, 'latin1') });
    await using edge = await edgeWith({ [HOST]: route(`http://127.0.0.1:${origin.port}`) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(bytes.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    return { text: await visitor.ended(), failures: edge.failures };
  };

  it('has the headers of the origin without hop-by-hop headers', async () => {
    const { text } = await from(
      'HTTP/1.1 200 Fine\r\nSet-Cookie: a=b\r\nSet-Cookie: c=d\r\nX-A: caf\xe9\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n' +
        'Keep-Alive: timeout=9\r\nAlt-Svc: h3=":443"\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    );
    const { headers, ...rest } = parseAnswer(text);
    expect(rest).toEqual({ status: 200, body: 'abc' });
    expect(headers).toEqual({
      'set-cookie': 'a=b\nc=d',
      'x-a': 'caf\xe9',
      date: expect.any(String),
      connection: 'close',
      'transfer-encoding': 'chunked',
    });
  });

  it('has no body with 204 or 304, whatever its length says', async () => {
    expect(parseAnswer((await from('HTTP/1.1 204 No Content\r\nETag: "a"\r\n\r\n')).text)).toMatchObject({
      status: 204,
      headers: { etag: '"a"' },
      body: '',
    });
    expect(
      parseAnswer((await from('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n')).text),
    ).toMatchObject({
      status: 304,
      headers: { 'content-length': '9' },
      body: '',
    });
  });

  it('has a length but no body if the request is HEAD', async () => {
    const head = `HEAD / HTTP/1.1\r\n${HEAD}\r\n`;
    const { text } = await from('HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n', head);
    expect(parseAnswer(text)).toMatchObject({ status: 200, headers: { 'content-length': '1234' }, body: '' });
    const chunked = await from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', head);
    expect(parseAnswer(chunked.text)).toMatchObject({ status: 200, body: '' });
  });

  it('has a body that ends when the origin closes its connection', async () => {
    expect(parseAnswer((await from('HTTP/1.1 200 OK\r\n\r\nuntil the end')).text).body).toBe('until the end');
  });

  it('comes without the interim responses over HTTP/1.1', async () => {
    const answer =
      'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 102 \r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na';
    for (const version of ['1.0', '1.1'])
      expect((await from(answer, `GET / HTTP/${version}\r\n${HEAD}\r\n`)).text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([15, 40, 1000])(
    'may come after a 100 that nobody asked for, in pieces of %i bytes',
    async (bytes) => {
      const answer =
        'HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.0 100 \r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na';
      await using origin = await rawServer({
        async request(socket) {
          for (let at = 0; at < answer.length; at += bytes) {
            socket.write(answer.slice(at, at + bytes));
            await new Promise((resolve) => setImmediate(resolve));
          }
        },
      });
      await using edge = await edgeWith({ [HOST]: route(`http://127.0.0.1:${origin.port}`) });
      for (let i = 0; i < 3; i += 1)
        expect(await send(edge.port, `GET / HTTP/1.1\r\n${HEAD}\r\n`)).toMatchObject({
          status: 200,
          body: 'a',
        });
      expect(origin.sockets).toHaveLength(1);
    },
  );

  it('has no chunked coding in HTTP/1.0', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const { text } = await from(answer, `GET / HTTP/1.0\r\n${HEAD}\r\n`);
    expect(text).toMatch(/\r\n\r\nabc$/);
    expect(text).not.toMatch(/transfer-encoding/i);
  });

  it('may have a status without a standard reason phrase', async () => {
    expect(parseAnswer((await from('HTTP/1.1 599 Odd\r\nContent-Length: 1\r\n\r\na')).text)).toMatchObject({
      status: 599,
      body: 'a',
    });
  });

  it('has its head sent before there is a body', async () => {
    await using origin = await originWith((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.flushHeaders();
    });
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await visitor.until((text) => text.includes('\r\n\r\n'))).toContain('text/event-stream');
  });

  it('comes in the order of the requests on its connection', async () => {
    const slow = Promise.withResolvers<void>();
    await using origin = await originWith((req, res) => {
      if (req.url !== '/1') slow.resolve();
      else void slow.promise.then(() => res.end('answer to 1'));
      if (req.url !== '/1') res.end(`answer to ${req.url?.slice(1)}`);
    });
    await using edge = await edgeWith({ [HOST]: route(origin.url) });
    using visitor = await rawVisitor(edge.port);
    visitor.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`).join(''));
    const text = await visitor.until((all) => all.includes('answer to 3'));
    expect(text.match(/answer to \d/g)).toEqual(['answer to 1', 'answer to 2', 'answer to 3']);
  });
});
