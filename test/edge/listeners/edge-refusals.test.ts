import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EdgeUnderTest,
  edgeWith,
  HOST,
  type OriginUnderTest,
  originWith,
  route,
} from '../edge-under-test.ts';
import { parseAnswer, rawVisitor, send } from '../wire/raw-visitor.ts';

let edge: EdgeUnderTest;
let origin: OriginUnderTest;
const arrived: string[] = [];

beforeAll(async () => {
  origin = await originWith((req, res) => {
    arrived.push(`${req.method} ${req.url}`);
    req.resume();
    res.end('from the origin');
  });
  edge = await edgeWith({
    [HOST]: route(origin.url),
    'held.acme.com': 'held',
    'www.acme.com': route(origin.url, { redirectTo: 'acme.com' }),
    'no-origin.acme.com': route(null),
  });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

const HEAD = `Host: ${HOST}\r\n`;

it.each([
  ['one request', 1],
  ['several requests', 3],
])('the edge responds to %s before it refuses the malformed bytes that follow', async (_, count) => {
  const arrived = Promise.withResolvers<void>();
  const held: ServerResponse[] = [];
  await using origin = await originWith((req, res) => {
    if (!req.url?.startsWith('/held')) return res.end(`answer to ${req.url}`);
    held.push(res);
    return arrived.resolve();
  });
  await using edge = await edgeWith({ [HOST]: route(origin.url) });
  using visitor = await rawVisitor(edge.port);
  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 1\r\n\r\nx`;
  visitor.write(post('/held') + Array.from({ length: count - 1 }, (_each, i) => post(`/${i}`)).join(''));
  await arrived.promise;
  visitor.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n: b\r\n\r\n`);
  visitor.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n: b\r\n\r\n`);
  // Once the edge has served a later visitor, it has also read the bytes above.
  expect((await send(edge.port, `GET /other HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)).status).toBe(200);
  for (const res of held) res.end('answer to /held');
  const text = await visitor.ended();
  expect(text.match(/HTTP\/1\.1 \d+|answer to [^\s]+?(?=HTTP|$)/g)).toEqual([
    'HTTP/1.1 200',
    expect.stringContaining('answer to /held'),
    ...Array.from({ length: count - 1 }, (_each, i) => ['HTTP/1.1 200', `answer to /${i}`]).flat(),
    'HTTP/1.1 400',
  ]);
});

it('the edge refuses a request with a malformed chunk, and leaves the request to the origin incomplete', async () => {
  const reached = Promise.withResolvers<void>();
  const broken = Promise.withResolvers<boolean>();
  await using slow = await originWith((req) => {
    req.on('data', () => reached.resolve());
    req.on('end', () => broken.resolve(false));
    req.on('error', () => broken.resolve(true));
  });
  await using underTest = await edgeWith({ [HOST]: route(slow.url) });
  using visitor = await rawVisitor(underTest.port);
  visitor.write(`POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`);
  await reached.promise;
  visitor.write('zz\r\n');
  expect(parseAnswer(await visitor.ended()).status).toBe(400);
  expect(await broken.promise).toBe(true);
});

describe('the edge responds itself', () => {
  const get = (host: string) => send(edge.port, `GET /a HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

  it.each([
    ['an unknown hostname', 'unknown.acme.com', 404],
    ['an address', '127.0.0.1', 404],
    ['an IPv6 address', '[::1]', 404],
    ['localhost', 'localhost', 404],
    ['a held hostname', 'held.acme.com', 451],
    ['a domain without an origin', 'no-origin.acme.com', 503],
  ])('to a request for %s', async (_, host, status) => {
    arrived.length = 0;
    const answer = await get(host);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(answer.body).toContain(answer.headers['x-request-id']);
    expect(answer.body).not.toContain('127.0.0.1');
    expect(arrived).toEqual([]);
  });

  it('to a HEAD request, without a body', async () => {
    using visitor = await rawVisitor(edge.port);
    visitor.write('HEAD / HTTP/1.1\r\nHost: unknown.acme.com\r\nConnection: close\r\n\r\n');
    const answer = parseAnswer(await visitor.ended());
    expect(answer).toMatchObject({ status: 404, body: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);
  });

  it('to unknown hostnames, but not to other spellings of a known hostname', async () => {
    edge.asked.length = 0;
    for (const host of [HOST, HOST.toUpperCase(), `${HOST}.`, `${HOST}:8080`, `${HOST}.:80`]) {
      expect((await get(host)).body).toBe('from the origin');
    }
    expect(new Set(edge.asked)).toEqual(new Set([HOST]));
  });

  it('with 503 if the route cannot be looked up, and reports the failure with the request', async () => {
    await using broken = await edgeWith({}, { findRoute: () => Promise.reject(new Error('database away')) });
    const answer = await send(broken.port, `GET / HTTP/1.1\r\n${HEAD}\r\n`);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '60' } });
    expect(answer.body).not.toContain('database');
    await broken.collected();
    expect(broken.failures).toMatchObject([{ of: 'route', request_id: answer.headers['x-request-id'] }]);
  });

  it('and keeps the connection open if the request has a body that the edge does not need', async () => {
    using visitor = await rawVisitor(edge.port);
    visitor.write(
      `POST / HTTP/1.1\r\nHost: unknown.acme.com\r\nContent-Length: 5\r\n\r\nabcdeGET / HTTP/1.1\r\n${HEAD}\r\n`,
    );
    const text = await visitor.until((all) => all.includes('from the origin'));
    expect(text).toContain('HTTP/1.1 404 ');
    expect(text).toContain('HTTP/1.1 200 ');
  });

  it('without reading an endless request body', async () => {
    using visitor = await rawVisitor(edge.port);
    visitor.write(`POST / HTTP/1.1\r\nHost: unknown.acme.com\r\nContent-Length: 99999999999\r\n\r\n`);
    const pump = () => {
      while (!visitor.socket.destroyed && visitor.socket.write(Buffer.alloc(65_536)));
    };
    visitor.socket.on('drain', pump);
    pump();
    expect(await visitor.ended()).toContain('HTTP/1.1 404 ');
  });
});

describe('the edge redirects www.<apex> to the apex', () => {
  it.each([
    ['www.acme.com', 'http://acme.com/a/b?c=d&e='],
    ['www.acme.com:8080', 'http://acme.com:8080/a/b?c=d&e='],
    ['WWW.acme.com.', 'http://acme.com/a/b?c=d&e='],
  ])('redirects %s to %s with the same method, path and query', async (host, location) => {
    arrived.length = 0;
    const answer = await send(
      edge.port,
      `POST /a/b?c=d&e= HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\n\r\na`,
    );
    expect(answer).toMatchObject({ status: 308, headers: { location } });
    expect(arrived).toEqual([]);
  });

  it('does not mistake a path that starts with // for a hostname', async () => {
    const answer = await send(edge.port, 'GET //evil.example/ HTTP/1.1\r\nHost: www.acme.com\r\n\r\n');
    expect(answer.headers['location']).toBe('http://acme.com//evil.example/');
  });

  it("redirects to an https URL if visitors use https, and keeps the emulator's suffix", async () => {
    const routes = { 'www.acme.com': route(null, { redirectTo: 'acme.com' }) };
    await using secure = await edgeWith(routes, { scheme: 'https', localhostSuffix: true });
    const answer = await send(secure.port, 'GET /a HTTP/1.1\r\nHost: www.acme.com.localhost:4401\r\n\r\n');
    expect(answer.headers['location']).toBe('https://acme.com.localhost:4401/a');
  });
});
