import { expect, expectTypeOf, test, vi } from 'vitest';
import {
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
} from '../../shared/client/client.ts';
import { TEST_KEY } from '../cli/resources.ts';

/** Creates a client that records its waits instead of waiting. */
function clientFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const waitsMs: number[] = [];
  const sleep = async (waitMs: number) => void waitsMs.push(waitMs);
  return { client: createClient({ apiKey: TEST_KEY, baseUrl, sleep, ...options }), waits_ms: waitsMs };
}

test('the client asks frameworks not to store responses, and rethrows errors that Next.js throws to stop a rendering', async () => {
  const inits: RequestInit[] = [];
  const stop = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
  const fetch: ClientOptions['fetch'] = async (_url, init) => {
    inits.push(init);
    throw stop;
  };
  const { client, waits_ms } = clientFor('http://127.0.0.1:1', { fetch });
  await expect(client.apps.get()).rejects.toBe(stop);
  await expect(client.events.follow().next()).rejects.toBe(stop);
  expect(inits.map(({ cache }) => cache)).toEqual(['no-store', 'no-store']);
  expect(waits_ms).toEqual([]);
});

test('the client leaves out the cache option in a worker that refuses it', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  vi.stubGlobal('Request', class {});
  const inits: object[] = [];
  const fetch: ClientOptions['fetch'] = async (_url, init) => {
    inits.push(init);
    return Response.json({});
  };
  await clientFor('http://127.0.0.1:1', { fetch }).client.apps.get();
  vi.unstubAllGlobals();
  expect(inits[0]).not.toHaveProperty('cache');
});

/** Every call of the client that takes an abort signal. */
const WITH_SIGNAL: Record<string, (client: Client, signal: AbortSignal) => Promise<unknown>> = {
  'apps.get': (client, signal) => client.apps.get({ signal }),
  'apps.update': (client, signal) => client.apps.update({ name: 'a' }, { signal }),
  'apps.rotateSecret': (client, signal) => client.apps.rotateSecret({ signal }),
  'keys.list': (client, signal) => client.keys.list({}, { signal }),
  'keys.all': (client, signal) => client.keys.all({}, { signal }).next(),
  'keys.create': (client, signal) => client.keys.create({ name: 'a', mode: 'test' }, { signal }),
  'keys.revoke': (client, signal) => client.keys.revoke('key_1', { signal }),
  'domains.create': (client, signal) => client.domains.create({ hostname: 'a.acme.com' }, { signal }),
  'domains.list': (client, signal) => client.domains.list({}, { signal }),
  'domains.all': (client, signal) => client.domains.all({}, { signal }).next(),
  'domains.get': (client, signal) => client.domains.get('dom_1', { signal }),
  'domains.update': (client, signal) => client.domains.update('dom_1', {}, { signal }),
  'domains.delete': (client, signal) => client.domains.delete('dom_1', { signal }),
  'domains.verify': (client, signal) => client.domains.verify('dom_1', { signal }),
  'domains.createConnectToken': (client, signal) =>
    client.domains.createConnectToken('dom_1', {}, { signal }),
  'domains.diagnose': (client, signal) => client.domains.diagnose('dom_1', { signal }),
  'domains.certificates': (client, signal) => client.domains.certificates('dom_1', {}, { signal }),
  'domains.traffic': (client, signal) => client.domains.traffic('dom_1', {}, { signal }),
  'traffic.get': (client, signal) => client.traffic.get({}, { signal }),
  'events.list': (client, signal) => client.events.list({}, { signal }),
  'events.all': (client, signal) => client.events.all({}, { signal }).next(),
  'events.get': (client, signal) => client.events.get('evt_1', { signal }),
  'events.redeliver': (client, signal) => client.events.redeliver('evt_1', { signal }),
  request: (client, signal) => client.request({ method: 'GET', path: '/v1/keys', signal }),
};

test('every call of the client has a test of its signal', () => {
  const { client } = clientFor('http://127.0.0.1:1');
  const calls = Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'function' ? name : Object.keys(value).map((each) => `${name}.${each}`),
  );
  expect(Object.keys(WITH_SIGNAL).toSorted()).toEqual(
    calls.filter((call) => call !== 'events.follow').toSorted(),
  );
});

test.each(Object.keys(WITH_SIGNAL))(
  'the call %s of the client rejects with the reason of its signal, without another attempt',
  async (name) => {
    const ending = new AbortController();
    let attempts = 0;
    const fetch: ClientOptions['fetch'] = async (_url, { signal }) => {
      attempts++;
      queueMicrotask(() => ending.abort(new Error('left the page')));
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      throw new Error('not reached');
    };
    const { client } = clientFor('http://127.0.0.1:1', { fetch });
    await expect(WITH_SIGNAL[name]?.(client, ending.signal)).rejects.toThrow('left the page');
    expect(attempts).toBe(1);
  },
);

test("a signal also ends the client's wait between two attempts", async () => {
  const ending = new AbortController();
  const fetch: ClientOptions['fetch'] = async () => new Response('{}', { status: 503 });
  const sleep = async (_waitMs: number, signal?: AbortSignal) => {
    expect(signal).toBe(ending.signal);
    ending.abort(new Error('left the page'));
  };
  const { client } = clientFor('http://127.0.0.1:1', { fetch, sleep });
  await expect(client.apps.get({ signal: ending.signal })).rejects.toThrow('left the page');
});

test("the client's types accept what process.env returns, and undefined in every option, query and call", () => {
  const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
  expectTypeOf({ apiKey, baseUrl, retries: undefined, timeoutMs: undefined }).toExtend<ClientOptions>();
  type Lists = Client['domains']['list' | 'all'] | Client['events']['list'];
  expectTypeOf({ cursor: undefined, limit: undefined }).toExtend<NonNullable<Parameters<Lists>[0]>>();
  expectTypeOf({ signal: undefined, idempotencyKey: undefined }).toExtend<CallOptions>();
});
