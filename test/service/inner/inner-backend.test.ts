import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from 'h3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabaseBackend, type EdgeBackend } from '../../../service/edge/edge-backend.ts';
import { createInnerBackend } from '../../../service/inner/inner-backend.ts';
import { type InnerRequest, readSignature, signInner } from '../../../service/inner/inner-signature.ts';
import { serveInner } from '../../../service/inner/serve-inner.ts';
import { systemRandom } from '../../../shared/adapters/system.ts';
import { createValueBox } from '../../../shared/adapters/value-box.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { COUNTER_INDEX, noTraffic } from '../../../shared/core/traffic/traffic-counts.ts';
import { createApi } from '../../../shared/http/api.ts';
import { readTraffic } from '../../../shared/store/traffic/traffic.ts';
import { type ConnectUnderTest, connectUnderTest } from '../../connect/connect-under-test.ts';

const RING = { current: 'e1', keys: new Map([['e1', new Uint8Array(32).fill(5)]]) };
const BOX = createValueBox(RING, systemRandom);
const OTHER_RING = { current: 'e1', keys: new Map([['e1', new Uint8Array(32).fill(6)]]) };
const HOST = 'connect.agency.com';
const WRITER = '3f0e9d6a-1c53-4f0b-9a43-3c6c3c1c7a10';

let underTest: ConnectUnderTest;
const backends = new Map<string, EdgeBackend>();
const warned: string[] = [];
let url: string;
let clock: { now(): number };
let domain: { id: DomainId; app_id: string; connect_url: string };

beforeAll(async () => {
  underTest = await connectUnderTest();
  const { context } = underTest.composition;
  ({ clock } = context);
  const direct = createDatabaseBackend(context, () => context.store);
  const app = createApi(context, {}, serveInner(direct, { edgeKeys: RING, box: BOX, clock }));
  const server = createServer(toNodeHandler(app) as RequestListener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_: object, line: string) => warned.push(line),
  };
  backends.set('the database', direct);
  backends.set('the API nodes', createInnerBackend({ url, edgeKeys: RING, box: BOX, clock, log }));
  const added = await underTest.add('careers.acme.com', 'test', { origin_headers: { 'X-Key': 'swordfish' } });
  const values = await direct.findTestDomain(added.id);
  domain = { ...added, id: added.id as DomainId, app_id: values?.host.app_id ?? expect.fail('no values') };
});
afterAll(async () => {
  await backends.get('the API nodes')?.close();
  await underTest[Symbol.asyncDispose]();
});

describe.each(['the database', 'the API nodes'])('An edge whose backend is %s', (name) => {
  const backend = () => backends.get(name) ?? expect.fail('no backend');
  const page = (path: string, init?: RequestInit) =>
    backend().serveHost(
      new Request(`https://${HOST}${path}`, init),
      { app_id: domain.app_id, hostname: HOST },
      '192.0.2.1',
    );

  test('the edge finds the values of a test domain, and none of a domain that does not exist', async () => {
    expect(await backend().findTestDomain(domain.id)).toMatchObject({
      hostname: 'careers.acme.com',
      host: { domain_id: domain.id, mode: 'test', origin_headers: { 'X-Key': 'swordfish' } },
      app: { secret: expect.stringMatching(/^whsec_/) },
    });
    expect(await backend().findTestDomain('dom_none')).toBeNull();
    expect(await backend().findTestDomain('../../etc')).toBeNull();
  });

  test('the edge finds no values of a live domain, which the edge has in its replica', async () => {
    const live = await underTest.add(`${name === 'the database' ? 'a' : 'b'}.acme.org`, 'live');
    expect(await backend().findTestDomain(live.id)).toBeNull();
  });

  test('the edge serves the page of a customer at the white-label host, and the form on it', async () => {
    const { pathname } = new URL(domain.connect_url);
    const response = await page(pathname, { headers: { 'accept-language': 'de', accept: 'text/html' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const text = await response.text();
    expect(text).toContain('lang="de"');
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${HOST}` };
    const sent = await page(`${pathname}/check`, { method: 'POST', headers: form, body: '' });
    expect(sent.status).toBeLessThan(400);
  });

  test('the edge refuses a form that is too large and an unknown path, and sends only headers for HEAD', async () => {
    const { pathname } = new URL(domain.connect_url);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${HOST}` };
    const large = await page(`${pathname}/notify`, { method: 'POST', headers, body: 'x'.repeat(100_000) });
    expect(large.status).toBe(413);
    expect((await page('/v1/domains')).status).toBe(404);
    const head = await page(pathname, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('the edge adds counts once, even if it sends them twice', async () => {
    const counts = noTraffic();
    counts[COUNTER_INDEX.requests] = 3;
    const [id, writer] = [domain.id, name === 'the database' ? WRITER : WRITER.replace('3', '4')];
    const { store } = underTest.composition.context;
    const range = { interval: 'day', since: 0, until: clock.now() * 2 } as const;
    const requests = async () =>
      [...(await readTraffic(store, id, { mode: 'test' }, range)).values()][0]?.[COUNTER_INDEX.requests] ?? 0;
    const before = await requests();
    const hour = Math.floor(clock.now() / 3_600_000) * 3_600_000;
    const batch = { writer, number: 1, hour, domains: new Map([[id, counts]]), apps: new Map() };
    await backend().writeTraffic(batch);
    await backend().writeTraffic(batch);
    expect((await requests()) - before).toBe(3);
  });
});

const ASKED: InnerRequest = { method: 'GET', target: '/inner/test-domains/dom_none', body: new Uint8Array() };

test.each<[string, (now: number) => string | null]>([
  ['no signature', () => null],
  ['the signature of another ring', (now) => signInner(OTHER_RING, ASKED, now)],
  ['a signature under an unknown key', (now) => signInner(RING, ASKED, now).replace('e1', 'e2')],
  ['an old signature', (now) => signInner(RING, ASKED, now - 6 * MINUTE_MS)],
  ['a signature of the future', (now) => signInner(RING, ASKED, now + 6 * MINUTE_MS)],
  ['the signature of another path', (now) => signInner(RING, { ...ASKED, target: '/inner/traffic' }, now)],
  ['the signature of another method', (now) => signInner(RING, { ...ASKED, method: 'POST' }, now)],
  ['the signature of another body', (now) => signInner(RING, { ...ASKED, body: Buffer.from('x') }, now)],
  ['an API key', () => 'Bearer sk_live_x'],
  ['a malformed signature', () => 'Edge e1..'],
])('the API answers an inner request with %s as an unknown path', async (_, sign) => {
  const authorization = sign(clock.now());
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, {
      headers: authorization === null ? {} : { authorization },
    });
    const { request_id: _id, ...body } = ((await response.json()) as { error: { request_id: string } }).error;
    return [response.status, body];
  };
  expect(await ask(ASKED.target)).toEqual(await ask('/unknown'));
  expect((await ask(ASKED.target))[0]).toBe(404);
});

test('the API reads no body of a request with a forged signature', async () => {
  const target = '/inner/traffic';
  const forged = signInner(OTHER_RING, { ...ASKED, method: 'POST', target }, clock.now());
  const request = requestOf(`${url}${target}`, { method: 'POST', headers: { authorization: forged } });
  request.on('error', () => undefined);
  const answered = new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  // The body never ends.
  request.write('{');
  expect((await answered).statusCode).toBe(404);
  request.destroy();
});

test('the API accepts a signed form once, because a listener on the inner network could send it again', async () => {
  const { pathname } = new URL(domain.connect_url);
  const query = new URLSearchParams({
    app_id: domain.app_id,
    hostname: HOST,
    network: '192.0.2.1',
    url: `https://${HOST}${pathname}/check`,
  });
  const asked = { method: 'POST', target: `/inner/pages?${query}`, body: new Uint8Array() };
  const send = async (authorization: string) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${HOST}` };
    const response = await fetch(`${url}${asked.target}`, {
      method: 'POST',
      headers: { ...form, authorization },
      redirect: 'manual',
    });
    return response.status < 400 ? 'accepted' : response.status;
  };
  const [first, second] = [signInner(RING, asked, clock.now()), signInner(RING, asked, clock.now())];
  expect([await send(first), await send(first), await send(second)]).toEqual(['accepted', 404, 'accepted']);
});

test('a signature names its key and hides it, and verifies with each key of the ring', () => {
  const now = clock.now();
  const both = { current: 'e2', keys: new Map([...RING.keys, ['e2', new Uint8Array(32).fill(7)]]) };
  const header = signInner(RING, ASKED, now);
  expect(header).toMatch(/^Edge e1\.\d+\.[\w-]{16}(\.[\w-]{43}){2}$/);
  expect(header).not.toContain(createHash('sha256').update(new Uint8Array(32).fill(5)).digest('base64url'));
  expect(readSignature(both, header, ASKED, now)).not.toBeNull();
  expect(readSignature(RING, signInner(both, ASKED, now), ASKED, now)).toBeNull();
});

test('the values of a test domain cross the inner network sealed', async () => {
  const asked = { ...ASKED, target: `/inner/test-domains/${domain.id}` };
  const authorization = signInner(RING, asked, clock.now());
  const body = await (await fetch(`${url}${asked.target}`, { headers: { authorization } })).text();
  expect(body).not.toContain('swordfish');
});

test.each([
  ['without a number', { number: 0, hour: 0 }],
  ['of no whole hour', { number: 1, hour: 1 }],
  ['of an hour to come', { number: 1, hour: 1e6 * HOUR_MS }],
])('counts %s are dropped with an error, because each retry would fail too', async (_, given) => {
  const backend = backends.get('the API nodes') ?? expect.fail('no backend');
  warned.length = 0;
  await backend.writeTraffic({ writer: WRITER, ...given, domains: new Map(), apps: new Map() });
  expect(warned).toEqual(['the API refused the counts of this edge: update the API first']);
});

test('an edge gets an error if the API does not accept its requests or cannot be reached', async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const asOther = createInnerBackend({ url, edgeKeys: OTHER_RING, box: BOX, clock, log });
  await expect(asOther.findTestDomain(domain.id)).rejects.toThrow(
    /compare their NAMEPLATE_EDGE_KEYS and clocks/,
  );
  await asOther.close();
  const away = createInnerBackend({ url: 'http://127.0.0.1:9', edgeKeys: RING, box: BOX, clock, log });
  await expect(away.findTestDomain(domain.id)).rejects.toThrow(/ECONNREFUSED/);
  await away.close();
});

test('while the API does not respond, requests beyond the connections of an edge wait no longer than the others', async () => {
  const hanging = createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const { port } = hanging.address() as AddressInfo;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const parts = { url: `http://127.0.0.1:${port}`, edgeKeys: RING, box: BOX, clock, log };
  const backend = createInnerBackend({ ...parts, timeoutMs: 500 });
  const asked = Array.from({ length: 100 }, () => backend.findTestDomain(domain.id));
  const settled = await Promise.allSettled(asked);
  // Each request ends by its own time, which includes the wait for a connection.
  const reasons = settled.map((each) => (each.status === 'rejected' ? each.reason.name : 'fulfilled'));
  expect(new Set(reasons)).toEqual(new Set(['TimeoutError']));
  await backend.close();
  hanging.closeAllConnections();
  hanging.close();
});
