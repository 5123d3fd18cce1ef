import { expect, test } from 'vitest';
import { addDomain, client, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';
import { CHANGED_DOMAIN } from '../resources.ts';

/** Tests the rules for the API as a whole (sections 1 and 9). */
export const general: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  const UNKNOWN = [
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/apps'],
    ['GET', '/v2/domains'],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/domains/dom_1/nothing'],
    ['PUT', '/v1/domains'],
    ['DELETE', '/v1/domains'],
    ['POST', '/v1/apps/current'],
    ['GET', '/v1/apps/current/signing-secret/rotate'],
    ['PATCH', '/v1/keys/key_1'],
    ['GET', '/v1/keys/key_1'],
    ['GET', '/v1/domains/dom_1/verify'],
    ['POST', '/v1/domains/dom_1'],
    ['DELETE', '/v1/events/evt_1'],
    ['POST', '/v1/events'],
    ['POST', '/v1/openapi.json'],
  ] as const;

  test.each(UNKNOWN)('7: %s %s is no endpoint: 404, with or without a key', async (method, path) => {
    (await live().send(method, path)).refused('not_found');
    (await client(driver(), null).send(method, path)).refused('not_found');
  });

  const ODD_IDS = [
    '%00',
    '%ff',
    '%2e%2e',
    '%2F',
    "'%20or%201=1--",
    'dom_%F0%9F%98%80',
    'x'.repeat(2000),
    'DOM_1',
  ];

  test.each(ODD_IDS)('7: an id such as %s is 404, and causes no other error', async (id) => {
    for (const path of [`/v1/domains/${id}`, `/v1/events/${id}`]) {
      (await live().get(path)).refused('not_found');
    }
    (await live().delete(`/v1/keys/${id}`)).refused('not_found');
    (await live().post(`/v1/domains/${id}/verify`)).refused('not_found');
  });

  test('1: a key has a mode, and the resources that it creates have the same mode', async () => {
    expect((await addDomain(live(), 'live.acme.com')).mode).toBe('live');
    expect((await addDomain(testMode(), 'test.acme.com')).mode).toBe('test');
  });

  test('1: a test domain is active after ten seconds, with a certificate of a test CA', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    await driver().advance('9s999ms');
    expect((await getDomain(testMode(), id)).status).toBe('issuing');
    await driver().advance('1ms');
    const { status, certificate } = await getDomain(testMode(), id);
    expect(status).toBe('active');
    expect(certificate?.issuer).toBe('Service Test CA');
  });

  test('1: a connect page exists for each domain', async () => {
    const pages = await Promise.all(
      ['careers.acme.com', 'acme.com'].map((hostname) => addDomain(testMode(), hostname)),
    );
    expect(new Set(pages.map(({ connect_url }) => connect_url)).size).toBe(2);
    for (const { connect_url, id, hostname } of pages) {
      expect(connect_url).not.toContain(id);
      const page = await fetch(connect_url);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toMatch(/^text\/html\b/);
      expect(await page.text()).toContain(hostname);
    }
  });

  test('1: the API reads and writes JSON in UTF-8', async () => {
    const metadata = { name: 'Bücher 漢字 😀', 'o"dd\\': '\u2028\u0007' };
    const added = await addDomain(live(), 'careers.acme.com', { metadata });
    expect(added.metadata).toEqual(metadata);
    expect((await getDomain(live(), added.id)).metadata).toEqual(metadata);
  });

  test('1: every response has its own request id', async () => {
    const paths = ['/v1/apps/current', '/v1/nothing', '/v1/openapi.json', '/v1/domains?limit=0', '/docs'];
    const ids = await Promise.all(
      paths.map(async (path) => (await live().get(path)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(paths.length);
  });

  test('9: unknown fields and parameters are ignored', async () => {
    const body = {
      hostname: 'careers.acme.com',
      status: 'active',
      id: 'dom_1',
      mode: 'test',
      later: { a: 1 },
    };
    const added = (await live().post('/v1/domains', body)).as(201, CHANGED_DOMAIN);
    expect(added).toMatchObject({ status: 'pending_dns', mode: 'live' });
    expect(added.id).not.toBe('dom_1');
    expect((await live().get('/v1/domains?later=1')).status).toBe(200);
  });

  test.each(['metadata.customer', 'metadata[customer]', 'metadata.'])(
    '9: the filter %s is an unknown field in a body',
    async (name) => {
      const added = await addDomain(live(), 'careers.acme.com', { [name]: 'c_1' });
      const patched = await live().patch(`/v1/domains/${added.id}`, { [name]: 'c_1' });
      const { metadata, warnings = [] } = patched.as(200, CHANGED_DOMAIN);
      expect(metadata).toBeNull();
      for (const [warning] of [added.warnings ?? [], warnings]) {
        expect(warning?.code).toBe('unknown_field_ignored');
        expect(warning?.message).toContain(name);
      }
    },
  );

  test('9: create and update of a domain warn about unknown fields by name', async () => {
    const added = await addDomain(live(), 'careers.acme.com', { orign: 'https://a.example', 'later\n': 1 });
    const warning = {
      code: 'unknown_field_ignored',
      message: 'These unknown fields were ignored: orign, later\\u{a}. Check their spelling.',
    };
    expect(added.warnings).toEqual([warning]);
    const repeated = { hostname: 'careers.acme.com', mode: 'live', metadata: {} };
    const again = (await live().post('/v1/domains', repeated)).as(200, CHANGED_DOMAIN);
    expect(again.warnings?.map(({ code }) => code)).toEqual([
      'unknown_field_ignored',
      'existing_domain_unchanged',
    ]);
    const path = `/v1/domains/${added.id}`;
    expect((await live().patch(path, { hostname: 'b.acme.com' })).as(200, CHANGED_DOMAIN).warnings).toEqual([
      { ...warning, message: warning.message.replace('orign, later\\u{a}', 'hostname') },
    ]);
    expect((await live().patch(path, { metadata: null })).as(200, CHANGED_DOMAIN).warnings).toBeUndefined();
  });

  test('9: X-Ignored-Parameters lists the parameters that the operation does not know', async () => {
    const ignored = (answer: { headers: Headers }) => answer.headers.get('x-ignored-parameters');
    expect(ignored(await live().get('/v1/domains?limit=1&hostnam=a&metadata.team=a&ein%20Wert=1'))).toBe(
      'hostnam, ein%20Wert',
    );
    expect(ignored(await live().get('/v1/domains?metadata[team]=a&status=active'))).toBeNull();
    expect(ignored(await live().get('/v1/apps/current?a=1&a=2&__proto__=3'))).toBe('a, __proto__');
    expect(ignored(await live().get('/v1/events?metadata.team=a'))).toBe('metadata.team');
    expect(ignored(await live().patch('/v1/apps/current', { name: 'Acme', nmae: 'b' }))).toBe('nmae');
    expect(ignored(await live().post('/v1/keys?b=1', { name: '', mode: 'test', kind: 'x' }))).toBe('b, kind');
    const many = Array.from({ length: 800 }, (_, n) => `unknown${n}=1`).join('&');
    expect(ignored(await live().get(`/v1/domains?${many}`))?.split(', ')).toHaveLength(10);
    const lone = await live().send('PATCH', '/v1/apps/current', {
      body: '{"\\ud800":1,"a,\\n":2}',
      headers: { 'content-type': 'application/json' },
    });
    expect(ignored(lone)).toBe('%EF%BF%BD, a%2C%0A');
  });

  test('9: the OpenAPI document needs no key and describes every endpoint and error code', async () => {
    const answer = await client(driver(), null).get('/v1/openapi.json');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
    const { openapi, info, paths } = JSON.parse(answer.text) as OpenApi;
    expect(openapi).toMatch(/^3\./);
    expect(info.version).toBe('1.0.0');
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => ['get', 'post', 'patch', 'delete', 'put'].includes(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([...ENDPOINTS].sort());
  });
};

interface OpenApi {
  openapi: string;
  info: { version: string };
  paths: Record<string, object>;
}

/** The endpoints of `docs/api.md#operations`, and the later additions to v1 (`docs/api.md#versioning`). */
const ENDPOINTS = [
  'GET /v1/apps/current',
  'PATCH /v1/apps/current',
  'POST /v1/apps/current/signing-secret/rotate',
  'GET /v1/keys',
  'POST /v1/keys',
  'DELETE /v1/keys/{id}',
  'POST /v1/domains',
  'GET /v1/domains',
  'GET /v1/domains/{id}',
  'PATCH /v1/domains/{id}',
  'DELETE /v1/domains/{id}',
  'POST /v1/domains/{id}/verify',
  'POST /v1/domains/{id}/connect-tokens',
  'GET /v1/events',
  'GET /v1/events/{id}',
  'POST /v1/events/{id}/redeliver',
  'GET /v1/domains/{id}/certificates',
  'GET /v1/domains/{id}/diagnosis',
  'GET /v1/events/stream',
  'GET /v1/domains/{id}/traffic',
  'GET /v1/traffic',
];
