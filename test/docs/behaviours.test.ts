import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/start.ts';

/** Reads statements about responses from the guides, and compares each with the response of the emulator. */
const docs = path.resolve(import.meta.dirname, '../../shared/docs');
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ clock: 'frozen' });
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

type Sent = () => Promise<Response>;
const HOSTNAME = 'careers.acme.com';
const add = (key?: string) => send('POST', '/v1/domains', { hostname: HOSTNAME }, key);
const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;
const setOrigin = (originUrl: string) => send('PATCH', '/v1/apps/current', { origin_url: originUrl });
const setAccount = (change: object) => send('PATCH', '/_emulator/account', change);

/**
 * Table rows and sentences of the guides, each with its page and with requests. The emulator must respond to each request as the statement
 * says.
 */
const STATEMENTS: readonly (readonly [page: string, statement: string, ...sent: Sent[]])[] = [
  [
    'api',
    '| `https`, with scheme, host and an optional port only |',
    () => setOrigin('http://app.example.com'),
    () => setOrigin('https://app.example.com/jobs'),
    () => setOrigin('app.example.com'),
  ],
  [
    'api',
    '| a public hostname: no IP address, no host of the service, no domain of another app |',
    () => setOrigin('https://8.8.8.8'),
    () => setOrigin('https://k7m2q9.edge.nameplate.test'),
    () => setOrigin('https://co.uk'),
  ],
  [
    'api',
    '| text of 1 to 2048 characters |',
    () => setOrigin(''),
    () => setOrigin(`https://${'a'.repeat(2048)}.example.com`),
  ],
  ['api', 'A key that is missing, invalid or revoked gets', () => add('sk_test_0'), () => add('')],
  [
    'api',
    'A suspended account gets',
    async () => {
      await setAccount({ suspended: true });
      return add();
    },
  ],
  [
    'test-mode',
    '| create a live key, or rotate the signing secret |',
    () => send('POST', '/v1/keys', { mode: 'live', name: 'CI' }),
    () => send('POST', '/v1/apps/current/signing-secret/rotate'),
  ],
  [
    'test-mode',
    '| change the app once it has a live domain |',
    async () => {
      await add(emulator.keys.live);
      return send('PATCH', '/v1/apps/current', { name: 'Acme' });
    },
  ],
  [
    'test-mode',
    '| read, change or delete a live domain, or revoke a live key |',
    ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => async () => {
      const id = await idOf(await add(emulator.keys.live));
      return send(method, `/v1/domains/${id}`, method === 'PATCH' ? { metadata: null } : undefined);
    }),
    async () => {
      const keys = (await (await send('GET', '/v1/keys', undefined, emulator.keys.live)).json()) as Listed;
      return send('DELETE', `/v1/keys/${keys.data.find(({ mode }) => mode === 'live')?.id}`);
    },
  ],
  [
    'domains',
    'For a test domain, and in `issuing`, `held` and `expired`, there is nothing to check: the response is',
    async () => send('POST', `/v1/domains/${await idOf(await add())}/verify`),
  ],
  ['domains', 'A filter that names no key gets', () => send('GET', '/v1/domains?metadata.=people')],
  [
    'idempotency-and-rates',
    'A different request with the same key gets',
    async () => {
      const headers = { 'idempotency-key': 'one' };
      await send('POST', '/v1/domains', { hostname: HOSTNAME }, undefined, headers);
      return send('POST', '/v1/domains', { hostname: 'jobs.acme.com' }, undefined, headers);
    },
  ],
  [
    'webhooks',
    'If the service no longer has the events since the position in `Last-Event-ID`, you get',
    () => send('GET', '/v1/events/stream', undefined, undefined, { 'last-event-id': 'evt_gone' }),
  ],
  [
    'plans-and-limits',
    'Live keys need a card on file',
    async () => {
      const trialEndsAt = new Date(Number(emulator.clock.now()) + 86_400_000).toISOString();
      await setAccount({ plan: 'free', trial_ends_at: trialEndsAt, card_on_file: false });
      return add(emulator.keys.live);
    },
  ],
  [
    'plans-and-limits',
    'On Free, live keys need a promotional account or a card on file. Without either, you get',
    async () => {
      await setAccount({ plan: 'free', promotional: false, card_on_file: false });
      return add(emulator.keys.live);
    },
  ],
];

test.each(STATEMENTS)(
  'the emulator responds as the guide %s.md says: %s …',
  async (page, statement, ...sent) => {
    const [, said] = readFileSync(path.join(docs, `${page}.md`), 'utf8').split(String(statement));
    const [, status, code] = /^[^.\n]*?\b(\d{3}) `(\w+)`/.exec(said ?? '') ?? [];
    for (const each of sent as Sent[]) {
      await emulator.reset();
      const response = await each();
      const { error } = (await response.json()) as { error?: { code: string; message: string } };
      expect([response.status, error?.code], error?.message).toEqual([Number(status), code]);
    }
  },
);

test('the origin gets the hostname in lowercase and without a port as Host, as the guide origins.md says', async () => {
  const text = readFileSync(path.join(docs, 'origins.md'), 'utf8');
  expect(text).toContain('`Host` is the hostname of the visited domain, in lowercase and without a port.');
  const hosts: (string | undefined)[] = [];
  const origin = createServer(({ headers }, response) => {
    hosts.push(headers.host);
    response.end();
  });
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  await setOrigin(`http://127.0.0.1:${(origin.address() as AddressInfo).port}`);
  await add();
  await emulator.clock.untilIdle();
  hosts.length = 0;
  for (const host of [HOSTNAME, 'Careers.ACME.com:4401', `${HOSTNAME}.`, `${HOSTNAME}.localhost:4401`])
    await new Promise((resolve, reject) => {
      request(emulator.edgeUrl, { headers: { host } }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
  origin.close();
  expect(hosts).toEqual([HOSTNAME, HOSTNAME, HOSTNAME, HOSTNAME]);
});

interface Listed {
  data: { id: string; mode: string }[];
}

function send(
  method: string,
  address: string,
  body?: object,
  key: string = emulator.keys.test,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(emulator.url + address, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
