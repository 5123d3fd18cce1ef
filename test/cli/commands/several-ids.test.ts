import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { apiError, startFakeApi } from '../fake-api.ts';
import { eventOf } from '../resources.ts';
import { keyFor, runCli } from '../run-cli.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ clock: 'frozen' });
});
afterAll(() => emulator.close());

const env = () => keyFor(emulator.url, emulator.keys.test);
const client = () => createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });
let count = 0;

async function addTwo(): Promise<[string, string]> {
  const names: [string, string] = [`a${++count}.acme.com`, `b${count}.acme.com`];
  for (const hostname of names) await client().domains.create({ hostname });
  return names;
}

async function json(argv: string[]) {
  const { exit, stdout, stderr } = await runCli([...argv, '--json'], { env: env() });
  return { exit, document: JSON.parse(stdout), stderr };
}

test('domains get prints several domains, as text and as one JSON document', async () => {
  const names = await addTwo();
  const { exit, stdout } = await runCli(['domains', 'get', ...names], { env: env() });
  expect(exit).toBe(0);
  for (const name of names) expect(stdout).toContain(name);
  const { document } = await json(['domains', 'get', ...names]);
  expect(document).toMatchObject({ data: names.map((hostname) => ({ hostname })) });
  expect(Object.keys(document)).toEqual(['data']);
});

test('domains get --json prints a single domain without a list around it, even if the domain is given twice', async () => {
  const [name] = await addTwo();
  expect((await json(['domains', 'get', name, name])).document).toMatchObject({ hostname: name });
});

test('a command that fails for some ids prints the results, names the failed ids, and exits with the code of their error', async () => {
  const [first, second] = await addTwo();
  const argv = ['domains', 'get', first, 'missing.acme.com', second];
  const text = await runCli(argv, { env: env() });
  expect(text.exit).toBe(5);
  expect(text.stdout).toContain(second);
  expect(text.stderr).toContain('Error: missing.acme.com: No domain missing.acme.com in this app and mode.');
  const { exit, document } = await json(argv);
  expect(exit).toBe(5);
  expect(document.data).toHaveLength(2);
  expect(document.failed).toMatchObject([{ ref: 'missing.acme.com', error: { code: 'not_found', exit: 5 } }]);
});

test('domains remove deletes the domains that exist, and names the missing domains', async () => {
  const names = await addTwo();
  const { exit, document } = await json(['domains', 'rm', ...names, 'missing.acme.com', '--yes']);
  expect(exit).toBe(5);
  expect(document.data).toMatchObject(names.map((hostname) => ({ hostname, deleted: true })));
  expect(document.failed).toHaveLength(1);
  const { data } = await client().domains.list({ hostname: names[0] });
  expect(data).toEqual([]);
});

test('domains remove deletes a domain once if both its hostname and its id are given', async () => {
  const [first, second] = await addTwo();
  const { id } = (await client().domains.list({ hostname: first })).data[0] ?? {};
  const once = await json(['domains', 'rm', first, String(id), first.toUpperCase(), '--yes']);
  expect(once).toMatchObject({ exit: 0, document: { id, hostname: first, deleted: true } });
  const other = (await client().domains.list({ hostname: second })).data[0];
  const both = await json(['domains', 'rm', second, 'missing.acme.com', String(other?.id), '--yes']);
  expect(both).toMatchObject({ exit: 5, document: { data: [{ hostname: second }], failed: [{}] } });
});

test('domains update and emulator trigger, hold and release accept several domains', async () => {
  const names = await addTwo();
  const updated = await json(['domains', 'update', ...names, '--metadata', 'plan=gold']);
  expect(updated.document.data).toMatchObject([
    { metadata: { plan: 'gold' } },
    { metadata: { plan: 'gold' } },
  ]);
  const control = ['--base-url', emulator.url];
  const moved = await json(['emulator', 'trigger', ...names, 'dns_confirmed', ...control]);
  expect(moved.document.data).toMatchObject(names.map(() => ({ domain: { status: 'issuing' } })));
  const held = await json(['emulator', 'hold', ...names, ...control]);
  expect(held.document.data).toMatchObject(names.map((hostname) => ({ hostname })));
  expect((await client().domains.list({ status: 'held' })).data).toHaveLength(2);
  expect((await json(['emulator', 'release', ...names, ...control])).exit).toBe(0);
});

test('keys revoke refuses a malformed id before it revokes any key', async () => {
  const key = await client().keys.create({ name: 'ci', mode: 'test' });
  const other = await client().keys.create({ name: 'ci', mode: 'test' });
  expect((await json(['keys', 'revoke', key.id, 'nonsense', '--yes'])).exit).toBe(2);
  const { exit, document } = await json(['keys', 'rm', key.id, other.id, '--yes']);
  expect({ exit, data: document.data }).toEqual({
    exit: 0,
    data: [key, other].map(({ id }) => ({ id, revoked: true })),
  });
});

test('a command whose ids fail for different reasons exits with 1', async () => {
  await using api = await startFakeApi({
    'POST /v1/domains/dom_1/verify': apiError(429, 'rate_limited', { retry_after_s: 60 }),
    'POST /v1/domains/dom_3/verify': { status: 202, body: { queued: true } },
  });
  const { exit, stdout, stderr } = await runCli(['domains', 'verify', 'dom_1', 'dom_2', 'dom_3'], {
    env: keyFor(api.url),
  });
  expect(exit).toBe(1);
  expect(stdout).toBe('Check queued for dom_3.\n');
  expect(stderr).toContain('dom_1: Message of rate_limited.');
  expect(stderr).toContain('dom_2: Message of not_found.');
  expect(stderr).toContain('Then run: nameplate domains wait dom_3');
});

test('a command stops at an error that every further request would get, and names the ids that it did not try', async () => {
  const [one, two] = [eventOf({ id: 'evt_1', deliveries: [] }), 'evt_2'];
  await using api = await startFakeApi(
    { 'GET /v1/events/evt_1': { body: one } },
    apiError(401, 'unauthorized'),
  );
  const { exit, stdout } = await runCli(['events', 'get', 'evt_1', two, 'evt_3', '--json'], {
    env: keyFor(api.url),
  });
  expect(exit).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    data: [{ id: 'evt_1' }],
    failed: [{ ref: 'evt_2', error: { code: 'unauthorized' } }],
    not_run: ['evt_3'],
  });
});
