import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../cli/commands.ts';
import { type Client, createClient } from '../../shared/client/client.ts';
import { signWebhook } from '../../shared/core/signature.ts';
import type { Driver } from '../conformance/driver.ts';
import { startEmulatorDriver } from '../conformance/emulator-driver.ts';
import { type Receiver, startReceiver } from '../conformance/receiver.ts';
import { startServiceDriver } from '../conformance/service-driver.ts';
import { type BinProcess, emptyHome, runBin, startBin } from './bin-process.ts';
import { userConfig } from './config-folders.ts';
import { emptyFolder, keyFor } from './run-cli.ts';

/** Every command as the built binary: with text and with one document. */
const HOST = 'careers.acme.com';
const ESC = '\x1b';

/** What is run, after the words of the command. */
interface Run {
  args?: string[];
  env?: Record<string, string>;
  stdin?: string;
  /** How it may end; with 0 where nothing is said. */
  exits?: number[];
}

interface Situation {
  driver: Driver;
  client: Client;
  /** A name that no run has had. */
  fresh(): string;
  file(content: string): string;
}

/** Whose command lines end by themselves, and work on a server. */
const ON_A_SERVER: Readonly<Record<string, (situation: Situation) => Run | Promise<Run>>> = {
  'apps:get': () => ({}),
  'apps:rotate-secret': ({ driver }) => ({ args: ['--yes'], env: liveKey(driver) }),
  'apps:update': ({ driver }) => ({ args: ['--name', 'New'], env: liveKey(driver) }),
  completion: () => ({ args: ['bash'] }),
  doctor: () => ({}),
  'domains:add': ({ fresh }) => ({ args: [fresh()] }),
  'domains:diagnose': async ({ client, fresh }) => {
    const { hostname } = await client.domains.create({ hostname: fresh() });
    return { args: [hostname], exits: [3, 9] };
  },
  'domains:get': () => ({ args: [HOST] }),
  'domains:list': () => ({}),
  'domains:open': () => ({ args: [HOST] }),
  'domains:remove': async ({ client, fresh }) => {
    const { hostname } = await client.domains.create({ hostname: fresh() });
    return { args: [hostname, '--yes'] };
  },
  'domains:update': () => ({ args: [HOST, '--metadata', 'a=b'] }),
  'domains:verify': async ({ driver, fresh }) => {
    const live = createClient({ base_url: driver.base_url, api_key: driver.live_key });
    return { args: [(await live.domains.create({ hostname: fresh() })).id], env: liveKey(driver) };
  },
  'domains:wait': () => ({ args: [HOST, '--for', 'pending_dns'] }),
  'events:get': async ({ client }) => ({ args: [await eventId(client)] }),
  'events:list': () => ({}),
  'events:redeliver': async ({ client }) => ({ args: [await eventId(client)] }),
  help: () => ({ args: ['exit-codes'] }),
  'keys:create': () => ({ args: ['--name', 'ci', '--mode', 'test'] }),
  'keys:list': () => ({}),
  'keys:revoke': async ({ client }) => ({
    args: [(await client.keys.create({ name: 'gone', mode: 'test' })).id, '--yes'],
  }),
  login: ({ driver }) => ({ args: ['--with-key', '-'], stdin: driver.test_key }),
  logout: ({ driver }) => ({ env: profiles(driver) }),
  'profiles:list': ({ driver }) => ({ env: profiles(driver) }),
  'profiles:remove': ({ driver }) => ({ args: ['other', '--yes'], env: profiles(driver) }),
  'profiles:use': ({ driver }) => ({ args: ['other'], env: profiles(driver) }),
  'webhooks:sign': ({ driver, file }) => ({ args: ['--body', file('{}')], env: secretOf(driver) }),
  'webhooks:verify': async ({ driver, client, file }) => {
    const body = (await client.events.get(await eventId(client))).body ?? '';
    return { args: ['--body', file(body), '--signature', signed(body, driver)], env: secretOf(driver) };
  },
  whoami: () => ({}),
};

/** Those of an emulator that runs, in this order. */
const OF_THE_EMULATOR: Readonly<Record<string, (situation: Pick<Situation, 'fresh' | 'file'>) => Run>> = {
  'emulator:status': () => ({}),
  'emulator:open': () => ({}),
  'emulator:trust': () => ({}),
  'emulator:chaos': () => ({}),
  'emulator:clock': () => ({}),
  'emulator:clock:advance': () => ({ args: ['1s'] }),
  'emulator:expect': () => ({ args: [`domain.created host=${HOST}`] }),
  'emulator:hold': ({ fresh }) => ({ args: [fresh()] }),
  // Held by the row above.
  'emulator:release': ({ fresh }) => ({ args: [fresh()] }),
  'emulator:trigger': () => ({ args: [HOST, 'dns_seen'], exits: [0, 1] }),
  'emulator:seed': ({ file }) => ({ args: [file('{"account": {"plan": "growth"}}')] }),
  'emulator:export': () => ({}),
  'emulator:import': () => ({ args: ['state.json', '--yes'] }),
  'emulator:reset': () => ({ args: ['--yes'] }),
};

/** Those that go on until they are ended, or end an emulator: their own test runs the binary. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'emulator:exec': 'emulator-exec.test.ts',
  'emulator:start': 'emulator-start.test.ts',
  'emulator:stop': 'emulator-start.test.ts',
  'events:tail': 'events/tail-terminal.test.ts',
  listen: 'matrix.test.ts',
};

const ids = Object.keys(COMMANDS);

test('there is a run of every command', () => {
  const run = [ON_A_SERVER, OF_THE_EMULATOR, ELSEWHERE].flatMap(Object.keys);
  expect(ids.filter((id) => !run.includes(id))).toEqual([]);
  for (const [id, file] of Object.entries(ELSEWHERE)) {
    const text = readFileSync(path.join(import.meta.dirname, file), 'utf8');
    const words = id.split(':').map((word) => `'${word}'`);
    expect({ id, is_there: text.includes(words.join(', ')) }).toEqual({ id, is_there: true });
  }
});

describe.each([
  ['the emulator', startEmulatorDriver],
  ['the service on Postgres', startServiceDriver],
])('with %s', (_, start) => {
  let driver: Driver;
  let receiver: Receiver;
  let situation: Situation;
  beforeAll(async () => {
    [driver, receiver] = await Promise.all([start(), startReceiver()]);
    const client = createClient({ base_url: driver.base_url, api_key: driver.test_key });
    await client.apps.update({ webhook_url: receiver.url });
    await client.domains.create({ hostname: HOST });
    situation = { driver, client, fresh: freshNames(), file: fileOf };
  });
  afterAll(() => Promise.all([driver.close(), receiver[Symbol.asyncDispose]()]));

  test.each(ids.filter((id) => id in ON_A_SERVER))('%s prints text, and one document', async (id) => {
    const next = async () => ({ exits: [0], ...(await ON_A_SERVER[id]?.(situation)) });
    const env = () => ({ ...emptyHome(), ...keyFor(driver.base_url, driver.test_key) });
    expectText(await runOf(id, await next(), env()));
    expectDocument(await runOf(id, await next(), env(), ['--json']));
  });
});

describe('with an emulator that it finds', () => {
  const env = emptyHome();
  const folder = emptyFolder();
  let emulator: BinProcess;
  beforeAll(async () => {
    emulator = startBin(['emulator', 'start', '--port', '0', '--ephemeral', '--clock', 'frozen'], env);
    await emulator.untilStdout(/ready at/);
    for (const argv of [
      ['domains', 'add', HOST],
      ['emulator', 'export', 'state.json'],
    ])
      expect((await runBin(argv, env, folder)).exit).toBe(0);
  });
  afterAll(() => emulator[Symbol.asyncDispose]());

  test.each(Object.keys(OF_THE_EMULATOR).filter((id) => ids.includes(id)))(
    '%s prints text, and one document',
    async (id) => {
      const situation = { fresh: freshNames(), file: fileOf };
      const next = () => ({ exits: [0], ...OF_THE_EMULATOR[id]?.(situation) });
      expectText(await runOf(id, next(), env, [], folder));
      expectDocument(await runOf(id, next(), env, ['--json'], folder));
    },
  );
});

async function runOf(id: string, run: Run, env: Record<string, string>, more: string[] = [], cwd?: string) {
  const argv = [...id.split(':'), ...(run.args ?? []), ...more];
  const { exit, stdout, stderr } = await runBin(argv, { ...env, ...run.env }, cwd, run.stdin);
  expect(run.exits, `${argv.join(' ')}: ${exit}\n${stdout}${stderr}`).toContain(exit);
  return stdout;
}

function expectText(stdout: string): void {
  expect(stdout).toMatch(/\S/);
  expect(stdout).not.toContain(ESC);
}

function expectDocument(stdout: string): void {
  expect(JSON.parse(stdout)).toBeTypeOf('object');
}

function freshNames(): () => string {
  let count = 0;
  return () => `fresh-${++count}.acme.com`;
}

function fileOf(content: string): string {
  const file = path.join(emptyFolder(), 'file.json');
  writeFileSync(file, content);
  return file;
}

function liveKey(driver: Driver): Record<string, string> {
  return keyFor(driver.base_url, driver.live_key);
}

function secretOf({ webhook_secret }: Driver): Record<string, string> {
  return { NAMEPLATE_WEBHOOK_SECRET: webhook_secret };
}

function signed(body: string, { webhook_secret }: Driver): string {
  return signWebhook({ secrets: [webhook_secret], timestamp_s: Math.floor(Date.now() / 1000), body });
}

function profiles({ base_url, test_key }: Driver): Record<string, string> {
  const profile = { base_url, api_key: test_key };
  return { XDG_CONFIG_HOME: userConfig({ default: profile, other: profile }) };
}

async function eventId(client: Client): Promise<string> {
  const [event] = (await client.events.list({ limit: 1 })).data;
  if (event === undefined) throw new Error('there is no event');
  return event.id;
}
