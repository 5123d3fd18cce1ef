import { renameSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LogUnderTest, logUnderTest, readLines } from './access-log-under-test.ts';
import {
  type EdgeUnderTest,
  edgeWith,
  HOST,
  type OriginUnderTest,
  originWith,
  route,
} from './edge-under-test.ts';
import { BEHIND_PROXY, NAMED } from './listeners/hops-under-test.ts';
import { edgeTo } from './tls/tls-edge-under-test.ts';
import { http2Visitor } from './wire/http2-visitor.ts';
import { rawVisitor, send } from './wire/raw-visitor.ts';

const TOKEN = `${'aB3-'.repeat(9)}xy`;
const HEAD = `Host: ${HOST}\r\nConnection: close\r\n`;

let origin: OriginUnderTest;
let log: LogUnderTest;
let edge: EdgeUnderTest;
beforeAll(async () => {
  origin = await originWith((req, res) => {
    if (req.url === '/never') return;
    res.writeHead(req.url === '/missing' ? 404 : 200, { 'content-length': 5 }).end('hello');
  });
  log = logUnderTest();
  edge = await edgeWith(
    { [HOST]: route(origin.url), 'none.acme.com': route(null), 'dead.acme.com': route('http://127.0.0.1:9') },
    { logTo: log.settings },
  );
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
  log[Symbol.dispose]();
});

// An engine writes its log lines after a second. The tests run concurrently, so that they share this wait.
describe.concurrent('a line of the access log describes one request', () => {
  it("describes a request and the origin's response, with the fields in the order of the guide", async () => {
    await send(edge.port, `GET /jobs?token=1 HTTP/1.1\r\n${HEAD}User-Agent: curl/8\r\n\r\n`);
    const [line] = await log.linesOf('url.path', '/jobs');
    expect(line).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'server.address': HOST,
      'url.path': '/jobs',
      'http.response.status_code': 200,
      'http.response.body.size': 5,
      'http.server.request.duration': expect.any(Number),
      'network.protocol.version': '1.1',
      'client.address': '127.0.0.1',
      'user_agent.original': 'curl/8',
      'nameplate.domain.id': 'dom_1',
      'nameplate.responder': 'origin',
    });
    expect(Object.keys(line ?? {})).toEqual([
      'timestamp',
      'http.request.method',
      'url.scheme',
      'server.address',
      'url.path',
      'http.response.status_code',
      'http.response.body.size',
      'http.server.request.duration',
      'network.protocol.version',
      'client.address',
      'user_agent.original',
      'nameplate.domain.id',
      'nameplate.responder',
    ]);
  });

  it.each([
    ['of a hostname that is not connected', 404, 'other.acme.com', undefined],
    ['of a domain without an origin', 503, 'none.acme.com', 'dom_1'],
    ['of an origin that refuses the connection', 502, 'dead.acme.com', 'dom_1'],
  ])(
    'names the edge as the responder, with the request id of its page: %s',
    async (title, status, host, domain) => {
      const path = `/${title.replaceAll(' ', '-')}`;
      const response = await send(
        edge.port,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(response.status).toBe(status);
      const [line] = await log.linesOf('url.path', path);
      expect(line).toMatchObject({
        'server.address': host,
        'http.response.status_code': status,
        'http.response.body.size': response.body.length,
        'nameplate.request.id': response.headers['x-request-id'],
        'nameplate.responder': 'edge',
      });
      // nginx logs the domain only for a request that may go to an origin.
      if (line?.['nameplate.domain.id'] !== undefined) expect(line['nameplate.domain.id']).toBe(domain);
    },
  );

  it.each([
    ['POST', 'of an origin that refuses the connection', 502, 'dead.acme.com'],
    ['OPTIONS', 'of a hostname that is not connected', 404, 'other.acme.com'],
  ])('has the method %s, also with a page of the edge: %s', async (method, title, status, host) => {
    const path = `/method-${title.replaceAll(' ', '-')}`;
    await send(
      edge.port,
      `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(await log.linesOf('url.path', path)).toMatchObject([
      { 'http.request.method': method, 'http.response.status_code': status, 'nameplate.responder': 'edge' },
    ]);
  });

  it('has no host if the request had no readable host', async () => {
    await send(edge.port, 'GET /no-host HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n');
    const [line] = await log.linesOf('url.path', '/no-host');
    expect(line).toMatchObject({ 'http.response.status_code': 400, 'nameplate.responder': 'edge' });
    expect(line).not.toHaveProperty(['server.address']);
  });

  it('has no status if the visitor leaves before the response', async () => {
    using visitor = await rawVisitor(edge.port);
    visitor.write(`GET /never HTTP/1.1\r\n${HEAD}\r\n`);
    await delay(50);
    visitor.reset();
    const [line] = await log.linesOf('url.path', '/never');
    expect(line).toMatchObject({ 'nameplate.domain.id': 'dom_1' });
    expect(line).not.toHaveProperty(['http.response.status_code']);
    expect(line).not.toHaveProperty(['nameplate.responder']);
  });

  it.each([
    ['a quote and a backslash', '/a"b\\c', '/a%22b%5Cc'],
    ['a challenge', `/.well-known/acme-challenge/${TOKEN}`, '/.well-known/acme-challenge/[redacted]'],
    ['a token of our probes', `/x/${TOKEN}`, '/x/[redacted]'],
    ['a signing secret', '/x/whsec_ab/cD+EF=', '/x/whsec_[redacted]'],
    ['a key', '/k/sk_live_abc', '/k/sk_live_[redacted]'],
    ['1100 characters', `/${'0.'.repeat(550)}`, `${`/${'0.'.repeat(550)}`.slice(0, 1024)}...`],
  ])('escapes or redacts a path with %s', async (_, path, logged) => {
    await send(edge.port, `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await log.linesOf('url.path', logged)).toHaveLength(1);
  });

  it.each([
    ['bytes that are no ASCII', 'é\t"x"', '%E9%09%22x%22'],
    ['a secret', 'bot sk_test_abc', 'bot sk_test_[redacted]'],
    ['500 characters', '0.'.repeat(250), `${'0.'.repeat(128)}...`],
  ])('escapes or redacts a user agent with %s', async (_, given, logged) => {
    await send(edge.port, `GET /agent HTTP/1.1\r\n${HEAD}User-Agent: ${given}\r\n\r\n`);
    expect(await log.linesOf('user_agent.original', logged)).toHaveLength(1);
  });

  it('never contains the token of a connect page that the edge itself serves', async () => {
    await send(
      edge.port,
      `GET /connect/mail/abc/unsubscribe HTTP/1.1\r\nHost: x.acme.com\r\nConnection: close\r\n\r\n`,
    );
    expect(await log.linesOf('url.path', '/connect/mail/[redacted]/unsubscribe')).toHaveLength(1);
    await send(edge.port, `GET /connect/mail/abc HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await log.linesOf('url.path', '/connect/mail/abc')).toHaveLength(1);
  });

  it.each([
    ['a connect page', '/connect/abc/live', '/connect/[redacted]/live'],
    ['a challenge', '/.well-known/acme-challenge/abc', '/.well-known/acme-challenge/[redacted]'],
  ])(
    'never contains the token of %s, even if the request target is a complete URL',
    async (_, path, logged) => {
      await send(
        edge.port,
        `GET http://x.acme.com${path} HTTP/1.1\r\nHost: x.acme.com\r\nConnection: close\r\n\r\n`,
      );
      expect((await log.linesOf('url.path', logged)).length).toBeGreaterThan(0);
    },
  );

  it("has the origin's status and a body size of 0 for a HEAD request", async () => {
    await send(edge.port, `HEAD /missing HTTP/1.1\r\n${HEAD}\r\n`);
    expect(await log.linesOf('url.path', '/missing')).toMatchObject([
      { 'http.response.status_code': 404, 'http.response.body.size': 0, 'nameplate.responder': 'origin' },
    ]);
  });
});

describe('an access log can be configured', () => {
  it('names the protocol of a request over HTTP/2', async () => {
    using own = logUnderTest();
    await using secure = await edgeTo(origin.url, { logTo: own.settings });
    using visitor = await http2Visitor(secure.port, HOST);
    await visitor.ask({ ':path': '/h2' });
    expect(await own.linesOf('url.path', '/h2')).toMatchObject([
      { 'url.scheme': 'https', 'network.protocol.version': '2', 'http.response.body.size': 5 },
    ]);
  });

  it('has query strings if the setting says so, and the address that a trusted proxy names', async () => {
    using own = logUnderTest({ query: true });
    await using behind = await edgeWith(
      { [HOST]: route(origin.url) },
      { logTo: own.settings, ...(BEHIND_PROXY.hops && { hops: BEHIND_PROXY.hops }) },
    );
    await send(behind.port, `GET /q?a=1&key=sk_live_x HTTP/1.1\r\n${HEAD}X-Forwarded-For: ${NAMED}\r\n\r\n`);
    expect(await own.linesOf('url.path', '/q')).toMatchObject([
      { 'url.query': 'a=1&key=sk_live_[redacted]', 'client.address': NAMED },
    ]);
  });

  it('continues in a new file once another program has moved the old one', async () => {
    await send(edge.port, `GET /before HTTP/1.1\r\n${HEAD}\r\n`);
    await log.linesOf('url.path', '/before');
    renameSync(log.file, `${log.file}.1`);
    await expect.poll(() => statSync(log.file, { throwIfNoEntry: false })?.size, POLL).toBeDefined();
    const after = () => send(edge.port, `GET /after HTTP/1.1\r\n${HEAD}\r\n`);
    await expect
      .poll(async () => {
        await after();
        return readLines(log.file).length;
      }, POLL)
      .toBeGreaterThan(0);
    expect(readLines(`${log.file}.1`).some((line) => line['url.path'] === '/before')).toBe(true);
    expect(readLines(log.file).every((line) => line['url.path'] === '/after')).toBe(true);
    // The owner of the log file may write, and the group may read.
    expect(statSync(log.file).mode & 0o777).toBe(0o640);
  });

  it('has a sample of the requests', async () => {
    using own = logUnderTest({ sample: 0.5 });
    {
      await using sampled = await edgeWith({ [HOST]: route(origin.url) }, { logTo: own.settings });
      using visitor = await rawVisitor(sampled.port);
      for (let i = 0; i < 200; i++) {
        visitor.write(`GET /${i} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
        await visitor.until((text) => text.split('hello').length > i + 1);
      }
    }
    // The sample has a size outside these bounds once in 10^12 runs.
    expect(readLines(own.file).length).toSatisfy((count: number) => count > 50 && count < 150);
  });
});

const POLL = { interval: 100 };
