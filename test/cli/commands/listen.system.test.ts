import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forwardTarget } from '../../../cli/listen/send-locally.ts';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { verifyWebhook } from '../../../shared/client/webhooks.ts';
import { startReceiver } from '../../conformance/receiver.ts';
import { emptyHome, startBin } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf } from '../resources.ts';
import { emptyFolder, keyFor, runCli } from '../run-cli.ts';
import { type RunningCli, startCli } from '../running-cli.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

const env = () => keyFor(emulator.url, emulator.keys.test);
const client = () => createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });

/** Starts `nameplate listen`, and resolves once the command listens. */
async function listen(
  to: string,
  options: { flags?: string[]; keys?: boolean; cwd?: string } = {},
): Promise<RunningCli> {
  const { flags = [], ...rest } = options;
  const cli = startCli(['listen', '--forward-to', to, ...flags], { env: env(), ...rest });
  await cli.untilPrinted(/Forwarding|"listening"/);
  return cli;
}

const ROUTE = '/a/path?with=query';

test('listen forwards events in order, with their original bodies, signed with the printed secret', async () => {
  await using receiver = await startReceiver();
  await client().domains.create({ hostname: 'before.acme.com' });
  await using cli = await listen(`${receiver.url}${ROUTE}`);
  const secret = /^Signing secret for this session: (whsec_\S+)\n/.exec(cli.stdout())?.[1] ?? '';
  const { id } = await client().domains.create({ hostname: 'careers.acme.com' });
  await emulator.clock.advance('10s');
  // Two of the five events are of `before.acme.com`, which existed before the command started.
  await expect.poll(() => receiver.requests.length).toBe(5);
  const types = [];
  for (const { raw, headers, path: route } of receiver.requests.filter(({ raw }) => raw.includes(id))) {
    const signature = headers['service-signature'];
    const event = await verifyWebhook({ body: raw, signature: String(signature), secret });
    expect(headers['service-event-id']).toBe(event.id);
    expect(headers['content-type']).toBe('application/json');
    expect(route).toBe(ROUTE);
    expect(raw).toBe((await client().events.get(event.id)).body);
    expect(event.data.domain['id']).toBe(id);
    types.push(event.type);
  }
  expect(types).toEqual(['domain.created', 'domain.verified', 'domain.active']);
  expect(secret).not.toBe(emulator.webhookSecret);
  cli.interrupt();
  expect(await cli.ended).toBe(130);
  expect(cli.stderr()).toContain('Forwarded 5 events, 0 refused.');
});

test('an event that the receiver refuses delays only events of its domain; r repeats the event, s skips it', async () => {
  await using receiver = await startReceiver(() => 500);
  await using cli = await listen(receiver.url, { keys: true });
  const first = await client().domains.create({ hostname: 'one.acme.com' });
  await cli.untilPrinted(/domain\.created .*500 in/);
  await client().domains.delete(first.id);
  await client().domains.create({ hostname: 'two.acme.com' });
  await cli.untilPrinted(/two\.acme\.com .*500 in/);
  receiver.answer = () => 204;
  cli.press('r');
  await expect.poll(() => receiver.requests.length).toBe(5);
  const seen = receiver.requests.map(({ raw }) => JSON.parse(raw));
  const of = (id: string) => seen.filter(({ data }) => data.domain.id === id).map(({ type }) => type);
  expect(of(first.id)).toEqual(['domain.created', 'domain.created', 'domain.deleted']);

  receiver.answer = () => 500;
  await client().domains.create({ hostname: 'three.acme.com' });
  await cli.untilPrinted(/three\.acme\.com .*500 in/);
  cli.press('s');
  cli.press('r');
  await cli.untilPrinted(/No event is waiting/);
  cli.press('q');
  expect(await cli.ended).toBe(0);
  expect(cli.stderr()).toContain('Forwarded 3 events, 3 refused.');
});

test('without a terminal, listen skips an event that the receiver refuses; --json prints one document per line', async () => {
  await using receiver = await startReceiver(() => 500);
  await using cli = await listen(receiver.url, { flags: ['--json'] });
  const { id } = await client().domains.create({ hostname: 'careers.acme.com' });
  await client().domains.delete(id);
  await expect.poll(() => receiver.requests.length).toBe(2);
  await cli.untilPrinted(/domain\.deleted/);
  const [begin, ...rest] = cli
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(begin.listening).toMatchObject({
    forward_to: `${receiver.url}/`,
    base_url: emulator.url,
    mode: 'test',
  });
  expect(rest.map(({ forwarded }) => forwarded)).toMatchObject([
    { type: 'domain.created', outcome: 'passed_over', status_code: 500, attempt: 1 },
    { type: 'domain.deleted', outcome: 'passed_over' },
  ]);
});

test("listen delays events while nothing listens at the receiver's address, then sends them in order", async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  await receiver[Symbol.asyncDispose]();
  await using cli = await listen(port);
  const { id } = await client().domains.create({ hostname: 'careers.acme.com' });
  await client().domains.delete(id);
  await cli.untilPrinted(/nothing is listening; retrying/);
  await using again = await startReceiver(() => 200, Number(port));
  await expect.poll(() => again.requests.length).toBe(2);
  expect(again.requests.map(({ raw }) => JSON.parse(raw).type)).toEqual(['domain.created', 'domain.deleted']);
  expect(cli.stdout().match(/nothing is listening/g)).toHaveLength(1);
});

test('listen --since starts with past events; --type and --domain filter the events', async () => {
  await using receiver = await startReceiver();
  const { id } = await client().domains.create({ hostname: 'careers.acme.com' });
  await client().domains.create({ hostname: 'jobs.acme.com' });
  await client().domains.delete(id);
  const flags = ['--since', '1h', '--type', 'domain.deleted', '--domain', id];
  await using _cli = await listen(receiver.url, { flags });
  await expect.poll(() => receiver.requests.length).toBe(1);
  expect(JSON.parse(receiver.requests[0]?.raw ?? '').type).toBe('domain.deleted');
});

test('listen --secret-file creates the secret once, reuses it and never overwrites another value', async () => {
  await using receiver = await startReceiver();
  const cwd = emptyFolder();
  const file = path.join(cwd, '.env.local');
  const flags = ['--secret-file', '.env.local', '--print-secret'];
  const secrets = [];
  for (const _ of [1, 2]) {
    await using cli = await listen(receiver.url, { flags, cwd });
    secrets.push(cli.stdout().split('\n')[0]);
  }
  expect(secrets[0]).toMatch(/^whsec_/);
  expect(secrets[1]).toBe(secrets[0]);
  expect(readFileSync(file, 'utf8')).toBe(`NAMEPLATE_WEBHOOK_SECRET=${secrets[0]}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  writeFileSync(file, 'A=1\nNAMEPLATE_WEBHOOK_SECRET=\nB=2');
  await using cli = await listen(receiver.url, { flags, cwd });
  expect(readFileSync(file, 'utf8')).toBe(
    `A=1\nNAMEPLATE_WEBHOOK_SECRET=${cli.stdout().split('\n')[0]}\nB=2`,
  );
  writeFileSync(file, 'NAMEPLATE_WEBHOOK_SECRET=op://vault/item');
  const refused = await runCli(['listen', '--forward-to', '3000', '--secret-file', file], { env: env() });
  expect(refused.exit).toBe(2);
  expect(readFileSync(file, 'utf8')).toContain('op://');
});

test('the built binary creates the file of listen --secret-file if it is missing', async () => {
  await using receiver = await startReceiver();
  const cwd = emptyFolder();
  const argv = ['listen', '--forward-to', receiver.url, '--secret-file', '.env.local'];
  await using bin = startBin(argv, { ...emptyHome(), ...env() }, cwd);
  const [, secret] = await bin.untilStdout(/(whsec_\S+)/);
  expect(readFileSync(path.join(cwd, '.env.local'), 'utf8')).toBe(`NAMEPLATE_WEBHOOK_SECRET=${secret}\n`);
});

test('listen reports a lost connection, reconnects, and misses no event', async () => {
  await using receiver = await startReceiver();
  const event = (n: number) => ({
    id: `evt_${n}`,
    type: 'domain.created',
    domain_id: 'dom_1',
    hostname: 'careers.acme.com',
    previous_status: null,
    status: 'pending_dns',
    created_at: `2026-11-20T12:00:0${n}.000Z`,
    delivery: {
      status: 'none',
      attempts: 0,
      last_status_code: null,
      last_error: null,
      last_attempt_at: null,
      next_attempt_at: null,
    },
  });
  let known = [event(1)];
  let isAway = false;
  const detail = (n: number) => () =>
    isAway ? { hangUp: true } : { body: { ...event(n), deliveries: [], body: `{"id":"evt_${n}"}` } };
  await using api = await startFakeApi({
    'GET /v1/events': () => (isAway ? { hangUp: true } : { body: { data: known, next_cursor: null } }),
    'GET /v1/events/evt_2': detail(2),
    'GET /v1/events/evt_3': detail(3),
  });
  await using cli = startCli(['listen', '--forward-to', receiver.url], { env: keyFor(api.url) });
  await cli.untilPrinted(/Forwarding/);
  known = [event(2), event(1)];
  await expect.poll(() => receiver.requests.length).toBe(1);
  isAway = true;
  await cli.untilPrinted(/Retrying until it responds/);
  known = [event(3), event(2), event(1)];
  isAway = false;
  await cli.untilPrinted(/Reconnected after/);
  await expect.poll(() => receiver.requests.length).toBe(2);
  expect(receiver.requests.map(({ raw }) => raw)).toEqual(['{"id":"evt_2"}', '{"id":"evt_3"}']);
});

test('listen exits with 4 if the server refuses the key', async () => {
  await using api = await startFakeApi({
    'GET /v1/events': {
      status: 401,
      body: { error: { code: 'unauthorized', message: 'No.', fix: 'F.', docs: 'D' } },
    },
  });
  const { exit, stdout } = await runCli(['listen', '--forward-to', '3000', '--json'], {
    env: keyFor(api.url),
  });
  expect(exit).toBe(4);
  expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '').error.code).toBe('unauthorized');
});

test.each([
  ['3000', 'http://localhost:3000/'],
  ['5331/hooks', 'http://localhost:5331/hooks'],
  ['5331/hooks?a=1', 'http://localhost:5331/hooks?a=1'],
  ['localhost:3000/hooks', 'http://localhost:3000/hooks'],
  ['https://localhost:3000/hooks', 'https://localhost:3000/hooks'],
])('listen --forward-to %s forwards to %s', (text, url) => {
  expect(forwardTarget(text, false).href).toBe(url);
});

test.each([
  '0.0.20.211/hooks',
  'https://example.com/hooks',
  'http://192.168.1.4:3000',
  'http://localhost.example.com',
  'ftp://127.0.0.1',
  'http://u:p@127.0.0.1',
])('listen refuses to forward to %s, which is not on this machine', async (to) => {
  await using api = await startFakeApi({ 'GET /v1/domains': { body: domainOf() } });
  const { exit, stdout } = await runCli(['listen', '--forward-to', to], { env: keyFor(api.url) });
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(api.requests).toEqual([]);
});
