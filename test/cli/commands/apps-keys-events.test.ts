import { expect, test } from 'vitest';
import { apiError, startFakeApi } from '../fake-api.ts';
import { appOf, eventOf, LIVE_KEY, page } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

const KEY_ID = 'key_01k00000000000000000000001';
const EVENT_ID = eventOf().id;

test('apps update sends the fields of its flags, and null for the fields that it clears', async () => {
  await using api = await startFakeApi({ 'PATCH /v1/apps/current': { body: appOf() } });
  const argv = ['apps', 'update', '--name', 'New', '--origin', 'https://a.example.com', '--clear-webhook'];
  expect(
    (await runCli([...argv, '--clear-whitelabel', '--apex-redirect', 'www'], { env: keyFor(api.url) })).exit,
  ).toBe(0);
  expect(api.requests[0]?.body).toEqual({
    name: 'New',
    origin_url: 'https://a.example.com',
    webhook_url: null,
    whitelabel_host: null,
    apex_redirect_default: 'www',
  });
});

test('apps rotate-secret prints the new secret', async () => {
  const body = { signing_secret: 'whsec_abc123', previous_valid_until: '2026-11-21T12:00:00.000Z' };
  await using api = await startFakeApi({ 'POST /v1/apps/current/signing-secret/rotate': { body } });
  const env = keyFor(api.url, LIVE_KEY);
  const text = await runCli(['apps', 'rotate-secret', '--yes'], { env });
  expect(text.stdout).toBe('whsec_abc123\n');
  expect(text.stderr).toContain('stays valid until');
  const json = await runCli(['apps', 'rotate-secret', '--yes', '--json'], { env });
  expect(JSON.parse(json.stdout)).toEqual(body);
});

test('keys create prints only the key on stdout, so that it can be piped', async () => {
  const key = 'sk_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
  const body = { id: KEY_ID, name: 'ci', mode: 'test', prefix: 'sk_test_zzzz', last4: 'zzzz', key };
  await using api = await startFakeApi({ 'POST /v1/keys': { status: 201, body } });
  const argv = ['keys', 'create', '--name', 'ci', '--mode', 'test'];
  const { stdout } = await runCli(argv, { env: keyFor(api.url) });
  expect(stdout).toBe(`${key}\n`);
  expect(JSON.parse((await runCli([...argv, '--json'], { env: keyFor(api.url) })).stdout)).toEqual(body);
});

test('keys list shows the keys, and keys revoke reports the revoked key', async () => {
  const key = {
    id: KEY_ID,
    name: 'ci',
    mode: 'test',
    prefix: 'sk_test_zzzz',
    last4: 'zzzz',
    created_at: '2026-11-20T12:00:00.000Z',
    last_used_at: null,
  };
  await using api = await startFakeApi({
    'GET /v1/keys': page(key),
    [`DELETE /v1/keys/${KEY_ID}`]: { status: 204 },
  });
  const env = keyFor(api.url);
  expect((await runCli(['keys', 'list'], { env })).stdout).toContain(KEY_ID);
  const { stdout } = await runCli(['keys', 'revoke', KEY_ID, '--yes', '--json'], { env });
  expect(JSON.parse(stdout)).toEqual({ id: KEY_ID, revoked: true });
});

const FAILED_DELIVERY = {
  id: 'dlv_1',
  event_id: EVENT_ID,
  attempt: 1,
  status_code: 500,
  response_ms: 12,
  error: null,
  delivered_at: null,
  next_attempt_at: null,
  created_at: '2026-11-20T12:00:00.000Z',
};

test('events get shows the deliveries', async () => {
  await using api = await startFakeApi({
    [`GET /v1/events/${EVENT_ID}`]: { body: { ...eventOf(), deliveries: [FAILED_DELIVERY] } },
  });
  const { stdout } = await runCli(['events', 'get', EVENT_ID], { env: keyFor(api.url) });
  expect(stdout).toContain('issuing -> active');
  expect(stdout).toMatch(/1 +500 +12 +2026-11-20 12:00:00Z/);
});

test('events get shows the first lines of the latest response if the receiver refused the event', async () => {
  const delivery = {
    ...FAILED_DELIVERY,
    response_headers: { 'content-type': 'text/plain' },
    response_body: `Error: no such hook\r\n    at \x1b[31mserver.js\n${'more\n'.repeat(30)}`,
  };
  const accepted = { ...delivery, attempt: 2, status_code: 200, response_body: 'ok' };
  await using api = await startFakeApi({
    [`GET /v1/events/${EVENT_ID}`]: { body: { ...eventOf(), deliveries: [accepted, delivery] } },
  });
  const { stdout } = await runCli(['events', 'get', EVENT_ID], { env: keyFor(api.url) });
  expect(stdout).toContain("The receiver's response to attempt 1:\n  Error: no such hook\n      at ");
  expect(stdout).not.toContain('\x1b');
  expect(stdout).toMatch(/(?: {2}more\n){18} {2}…\n$/);
});

test('events list --delivery lists only events with the given delivery status', async () => {
  await using api = await startFakeApi({
    'GET /v1/events': { body: { data: [eventOf()], next_cursor: null } },
  });
  const list = (status: string) =>
    runCli(['events', 'list', '--delivery', status, '--json'], { env: keyFor(api.url) });
  for (const status of ['pending', 'delivered', 'failed', 'none']) {
    const { exit } = await list(status);
    expect(exit).toBe(0);
    expect(api.requests.at(-1)?.query.get('delivery')).toBe(status);
  }
  const { exit, stdout } = await list('faild');
  expect({ exit, asked: api.requests.length }).toEqual({ exit: 2, asked: 4 });
  expect(JSON.parse(stdout).error.fix).toBe('Did you mean failed?');
});

test('events redeliver waits for the rate limit and sends the same event again', async () => {
  const delivery = {
    id: 'dlv_1',
    event_id: EVENT_ID,
    attempt: 2,
    status_code: 200,
    response_ms: 12,
    error: null,
  };
  const limited = { ...apiError(429, 'rate_limited'), headers: { 'retry-after': '42' } };
  await using api = await startFakeApi({
    [`GET /v1/events/${EVENT_ID}`]: { body: eventOf() },
    [`POST /v1/events/${EVENT_ID}/redeliver`]: [limited, { status: 201, body: delivery }],
  });
  const { exit, stdout, sleptMs } = await runCli(['events', 'redeliver', EVENT_ID, '--json'], {
    env: keyFor(api.url),
  });
  expect({ exit, sleptMs }).toEqual({ exit: 0, sleptMs: 42_000 });
  expect(JSON.parse(stdout)).toEqual({ data: [delivery] });
});

test('events redeliver gives up with exit code 6 if the rate limit does not end', async () => {
  const limited = { ...apiError(429, 'rate_limited'), headers: { 'retry-after': '60' } };
  await using api = await startFakeApi({
    [`GET /v1/events/${EVENT_ID}`]: { body: eventOf() },
    [`POST /v1/events/${EVENT_ID}/redeliver`]: limited,
  });
  const { exit, sleptMs } = await runCli(['events', 'redeliver', EVENT_ID], { env: keyFor(api.url) });
  expect({ exit, sleptMs }).toEqual({ exit: 6, sleptMs: 240_000 });
});

test('events redeliver --failed sends the failed events since --since, oldest first; --dry-run sends none', async () => {
  const at = (createdAt: string, id: string, status: string) =>
    eventOf({ id, created_at: createdAt, delivery: { ...eventOf().delivery, status } });
  await using api = await startFakeApi({
    'GET /v1/events': page(
      at('2026-11-20T12:00:00.000Z', 'evt_3', 'failed'),
      at('2026-11-20T11:00:00.000Z', 'evt_2', 'delivered'),
      at('2026-11-20T10:00:00.000Z', 'evt_1', 'failed'),
      at('2026-11-19T10:00:00.000Z', 'evt_0', 'failed'),
    ),
    'POST /v1/events/evt_1/redeliver': { status: 201, body: { id: 'dlv_1', status_code: 200 } },
    'POST /v1/events/evt_3/redeliver': { status: 201, body: { id: 'dlv_3', status_code: 200 } },
  });
  const argv = ['events', 'redeliver', '--failed', '--since', '2026-11-20T00:00:00Z', '--json'];
  const dry = await runCli([...argv, '--dry-run'], { env: keyFor(api.url) });
  expect(JSON.parse(dry.stdout).data.map((event: { id: string }) => event.id)).toEqual(['evt_1', 'evt_3']);
  const listing = api.requests.find(({ path }) => path === '/v1/events');
  expect(listing?.query.get('delivery')).toBe('failed');
  expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  await runCli(argv, { env: keyFor(api.url) });
  expect(api.requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/v1/events/evt_1/redeliver',
    '/v1/events/evt_3/redeliver',
  ]);
});

test("events redeliver exits with 1 if the receiver refuses an event, and prints the receiver's response", async () => {
  const delivery = {
    id: 'dlv_1',
    event_id: EVENT_ID,
    attempt: 2,
    status_code: 500,
    response_ms: 12,
    error: null,
  };
  await using api = await startFakeApi({
    [`GET /v1/events/${EVENT_ID}`]: { body: eventOf() },
    [`POST /v1/events/${EVENT_ID}/redeliver`]: { status: 201, body: delivery },
  });
  const env = keyFor(api.url);
  const json = await runCli(['events', 'redeliver', EVENT_ID, '--json'], { env });
  expect({ exit: json.exit, document: JSON.parse(json.stdout) }).toEqual({
    exit: 1,
    document: { data: [delivery] },
  });
  const text = await runCli(['events', 'redeliver', EVENT_ID], { env });
  expect(text.stderr).toContain(`${EVENT_ID}: 500 in 12 ms`);
  expect(text.stdout).toBe('Redelivered 1 event, 1 refused by the receiver.\n');
});

test('events redeliver exits with 5 if one of the ids does not exist, and sends nothing', async () => {
  await using api = await startFakeApi({ [`GET /v1/events/${EVENT_ID}`]: { body: eventOf() } });
  const { exit } = await runCli(['events', 'redeliver', EVENT_ID, 'evt_gone'], { env: keyFor(api.url) });
  expect(exit).toBe(5);
  expect(api.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
