import { inspect } from 'node:util';
import { expect, expectTypeOf, test } from 'vitest';
import { type ClientOptions, createClient } from '../../shared/client/client.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { type Answer, apiError, startFakeApi } from '../cli/fake-api.ts';
import { domainOf, page, TEST_KEY } from '../cli/resources.ts';
import { ENDPOINTS } from '../conformance/resources.ts';

/** Creates a client that records its waits instead of waiting. */
function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const waitsMs: number[] = [];
  const sleep = async (waitMs: number) => void waitsMs.push(waitMs);
  return {
    client: createClient({ apiKey: TEST_KEY, baseUrl, sleep, ...options }),
    waits_ms: waitsMs,
  };
}

test('the client sends every operation with the method and path of `docs/api.md#operations`, and the key', async () => {
  const ok = { body: {} };
  await using api = await startFakeApi(
    Object.fromEntries(
      ENDPOINTS.map(([method, path]) => [`${method} ${path}`, method === 'DELETE' ? { status: 204 } : ok]),
    ),
  );
  const { client } = clientFor(`${api.url}/`);
  await client.apps.get();
  await client.apps.update({ name: 'New' });
  await client.apps.rotateSecret();
  await client.keys.list();
  await client.keys.create({ name: 'ci', mode: 'test' });
  await client.keys.revoke('key_1');
  await client.domains.create({ hostname: 'a.acme.com' });
  await client.domains.list();
  await client.domains.get('dom_1');
  await client.domains.update('dom_1', { origin: null });
  await client.domains.delete('dom_1');
  await client.domains.verify('dom_1');
  await client.events.list();
  await client.events.get('evt_1');
  await client.events.redeliver('evt_1');
  expect(api.requests.map(({ method, path }) => [method, path])).toEqual(ENDPOINTS);
  expect(new Set(api.requests.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Bearer ${TEST_KEY}`]),
  );
});

test('the client returns unknown fields and values unchanged', async () => {
  const domain = domainOf({ status: 'paused', new_field: [1] });
  await using api = await startFakeApi({ 'GET /v1/domains/dom_1': { body: domain } });
  expect(await clientFor(api.url).client.domains.get('dom_1')).toEqual(domain);
});

test('the client throws an ApiError with all fields of an API error', async () => {
  const detail = { fields: [{ path: 'name', message: 'too long' }] };
  const answer = apiError(422, 'validation_failed', { status_detail: detail, request_id: 'req_1' });
  await using api = await startFakeApi({ 'GET /v1/apps/current': answer });
  const error = await clientFor(api.url)
    .client.apps.get()
    .catch((caught) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect({ ...error, message: error.message }).toMatchObject({
    code: 'validation_failed',
    message: 'Message of validation_failed.',
    fix: 'Fix of validation_failed.',
    docs: 'https://docs.example.com/errors/validation_failed',
    status: 422,
    status_detail: detail,
    request_id: 'req_1',
  });
});

test('the client throws an ApiError with the status of a proxy error page', async () => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': { status: 502, body: '<html>' } });
  await expect(clientFor(api.url, { retries: 0 }).client.apps.get()).rejects.toMatchObject({
    code: 'http_502',
    status: 502,
  });
});

test.each<[string, Answer]>([
  ['a lost connection', { hangUp: true }],
  ['a 500', apiError(500, 'internal_error')],
  ['a 503', apiError(503, 'billing_unavailable')],
  ['a 429', apiError(429, 'rate_limited')],
  ['an Idempotency-Key in use', apiError(409, 'idempotency_key_in_use')],
])(
  'the client retries after %s up to three times, with growing delays and the same Idempotency-Key',
  async (_, answer) => {
    const created = { status: 201, body: domainOf() };
    await using api = await startFakeApi({ 'POST /v1/domains': [answer, answer, answer, created] });
    const { client, waits_ms } = clientFor(api.url);
    expect(await client.domains.create({ hostname: 'careers.acme.com' })).toEqual(created.body);
    const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(waits_ms).toHaveLength(3);
    for (const [index, waitMs] of waits_ms.entries()) {
      expect(waitMs).toBeGreaterThanOrEqual(125 * 2 ** index);
      expect(waitMs).toBeLessThanOrEqual(250 * 2 ** index);
    }
  },
);

test('the client sends each POST with its own Idempotency-Key, and other methods without a key', async () => {
  await using api = await startFakeApi({
    'POST /v1/domains': { body: domainOf() },
    'GET /v1/domains': page(),
  });
  const { client } = clientFor(api.url);
  await client.domains.create({ hostname: 'a.acme.com' });
  await client.domains.create({ hostname: 'a.acme.com' });
  await client.domains.list();
  const keys = api.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys[2]).toBeUndefined();
});

test('the client waits for as long as Retry-After says, and throws immediately if that is too long', async () => {
  const limited = (seconds: string) => ({
    ...apiError(429, 'rate_limited'),
    headers: { 'retry-after': seconds },
  });
  await using api = await startFakeApi({
    'GET /v1/domains': [limited('7'), page()],
    'GET /v1/keys': limited('31'),
  });
  const { client, waits_ms } = clientFor(api.url);
  await client.domains.list();
  expect(waits_ms).toEqual([7_000]);
  await expect(client.keys.list()).rejects.toMatchObject({ status: 429, retry_after_s: 31 });
  expect(waits_ms).toHaveLength(1);
});

test.each([400, 401, 402, 403, 404, 413, 422])('the client does not retry after a %i', async (status) => {
  await using api = await startFakeApi({ 'GET /v1/apps/current': apiError(status, 'some_code') });
  await expect(clientFor(api.url).client.apps.get()).rejects.toMatchObject({ status });
  expect(api.requests).toHaveLength(1);
});

test('the client treats a deletion as done if a retry after a lost response gets 404, but throws not_found for a first 404', async () => {
  await using api = await startFakeApi({
    'DELETE /v1/domains/dom_1': [{ hangUp: true }, apiError(404, 'not_found')],
    'DELETE /v1/domains/dom_2': apiError(404, 'not_found'),
  });
  const { client } = clientFor(api.url);
  await expect(client.domains.delete('dom_1')).resolves.toBeUndefined();
  await expect(client.domains.delete('dom_2')).rejects.toMatchObject({ code: 'not_found' });
});

test('the client throws a NetworkError if no attempt gets a response', async () => {
  const { client, waits_ms } = clientFor('http://127.0.0.1:1', { retries: 2 });
  await expect(client.apps.get()).rejects.toBeInstanceOf(NetworkError);
  expect(waits_ms).toHaveLength(2);
});

test('the client throws a NetworkError if an attempt takes too long', async () => {
  const fetch: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const { client } = clientFor('http://127.0.0.1:1', { fetch, timeoutMs: 1, retries: 0 });
  await expect(client.apps.get()).rejects.toThrow('did not respond in time');
});

test('the client does not follow a redirect, so that the key goes to no other server', async () => {
  await using elsewhere = await startFakeApi({});
  const answer = { status: 302, headers: { location: `${elsewhere.url}/v1/apps/current` } };
  await using api = await startFakeApi({ 'GET /v1/apps/current': answer });
  await expect(clientFor(api.url, { retries: 0 }).client.apps.get()).rejects.toBeInstanceOf(NetworkError);
  expect(elsewhere.requests).toEqual([]);
});

test.each(['..', '', 'a/b', 'a?b', '%2e%2e'])(
  'the client refuses the id "%s", which could reach another endpoint',
  async (id) => {
    await using api = await startFakeApi({});
    const { client } = clientFor(api.url);
    await expect(client.domains.delete(id)).rejects.toThrow(TypeError);
    expect(() => client.domains.get(id)).toThrow(TypeError);
    expect(api.requests).toEqual([]);
  },
);

test('the client refuses a key unfit for a header, and no error or client shows the key', async () => {
  expect(() => createClient({ apiKey: 'sk_test_a\nb', baseUrl: 'http://127.0.0.1:1' })).toThrow(
    /^(?!.*sk_test_a).*apiKey/,
  );
  const { client } = clientFor('http://127.0.0.1:1', { retries: 0 });
  const error = await client.apps.get().catch((caught) => caught);
  expect(inspect([client, error], { depth: 10 })).not.toContain(TEST_KEY);
});

test.each<[string, object, RegExp]>([
  ['no key', { apiKey: undefined }, /^apiKey is missing: .*NAMEPLATE_API_KEY/],
  ['no URL', { baseUrl: undefined }, /^baseUrl is missing: /],
  ['an invalid URL', { baseUrl: 'api.example.com' }, /^baseUrl must be/],
  ['a secret in place of the key', { apiKey: 'whsec_abc' }, /^apiKey must be an API key/],
  ['a misspelled name', { api_key: TEST_KEY }, /^createClient has no option api_key: use apiKey\.$/],
  ['an unknown name', { retry: 3 }, /^createClient has no option retry\.$/],
  ['retries that are not a number', { retries: Number.NaN }, /^retries must be/],
  ['a timeout of zero', { timeoutMs: 0 }, /^timeoutMs must be/],
])('createClient refuses %s', (_, options, message) => {
  const make = () =>
    createClient({ apiKey: TEST_KEY, baseUrl: 'http://127.0.0.1:1', ...options } as ClientOptions);
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

test("the client sends the caller's own Idempotency-Key, so that the caller can retry after a crash", async () => {
  await using api = await startFakeApi({
    'POST /v1/domains': [{ hangUp: true }, { status: 201, body: domainOf() }],
  });
  const { client } = clientFor(api.url);
  await client.domains.create({ hostname: 'careers.acme.com' }, { idempotencyKey: 'order-42' });
  expect(api.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-42', 'order-42']);
});

test('the client iterates over every page of a list with the same filters', async () => {
  await using api = await startFakeApi({
    'GET /v1/domains': ({ query }) => {
      const at = Number(query.get('cursor') ?? 0);
      return { body: { data: [domainOf({ id: `dom_${at}` })], next_cursor: at < 2 ? `${at + 1}` : null } };
    },
  });
  const { client } = clientFor(api.url);
  const seen: string[] = [];
  for await (const domain of client.domains.all({ status: 'active', metadata: { customer: '42' } })) {
    expectTypeOf(domain).toEqualTypeOf<DomainResource>();
    seen.push(domain.id);
  }
  expect(seen).toEqual(['dom_0', 'dom_1', 'dom_2']);
  for (const { query } of api.requests) {
    expect([query.get('status'), query.get('metadata.customer')]).toEqual(['active', '42']);
  }
});

test('the client requests a page only once the previous page is used up, and stops at a repeated cursor', async () => {
  await using api = await startFakeApi({
    'GET /v1/events': { body: { data: [{ id: 'evt_1' }], next_cursor: 'same' } },
  });
  const { client } = clientFor(api.url);
  for await (const event of client.events.all()) {
    expect(event.id).toBe('evt_1');
    break;
  }
  expect(api.requests).toHaveLength(1);
  let count = 0;
  for await (const _ of client.events.all()) count++;
  expect(count).toBe(2);
});
