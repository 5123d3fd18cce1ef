import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../shared/client/client.ts';
import { type BinProcess, emptyHome, runBin, startBin } from '../bin-process.ts';
import { runOnTerminal } from '../pty-process.ts';
import { emptyFolder } from '../run-cli.ts';
import { registryFiles } from './registered.ts';

const START = ['emulator', 'start', '--ephemeral', '--clock', 'frozen'];

/** An emulator that was started in a certain folder. */
interface Started extends AsyncDisposable {
  url: string;
  folder: string;
  bin: BinProcess;
}

async function startIn(folder: string, env: Record<string, string>): Promise<Started> {
  const bin = startBin([...START, '--port', '0'], env, folder);
  const [, url = ''] = await bin.untilStdout(/ready at (http:\S+)/);
  return { url, folder, bin, [Symbol.asyncDispose]: () => bin[Symbol.asyncDispose]() };
}

interface Exported {
  tables: { domains: { hostname: string; status: string }[]; holds: unknown[] };
  keys: { test: string };
  mode: string;
  now: string;
}

async function inFolder(cwd: string, argv: string[], env: Record<string, string>) {
  const { exit, stdout, stderr } = await runBin([...argv, '--json'], env, cwd);
  return { exit, document: JSON.parse(stdout), stderr };
}

describe('two emulators can run in two folders at the same time', () => {
  const env = emptyHome();
  const file = path.join(emptyFolder(), 'seed.json');
  let emulators: [Started, Started];
  beforeAll(async () => {
    emulators = await Promise.all([startIn(emptyFolder(), env), startIn(emptyFolder(), env)]);
    writeFileSync(file, JSON.stringify({ domains: [{ hostname: 'seeded.acme.com', status: 'active' }] }));
  });
  afterAll(() => Promise.all(emulators.map((emulator) => emulator[Symbol.asyncDispose]())));
  beforeEach(async () => {
    for (const { url } of emulators) {
      await control(url, 'POST', 'reset', {});
      await control(url, 'PATCH', 'clock', { mode: 'frozen' });
    }
  });

  async function control(url: string, method: string, call: string, body?: object) {
    const headers = { 'content-type': 'application/json' };
    const content = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${url}/_emulator/${call}`, { method, headers, body: content });
    expect(response.status).toBe(200);
    return (await response.json()) as Exported;
  }

  /** Reads from an emulator the state that the commands of this test change. */
  async function stateOf({ url }: Started) {
    const { tables } = await control(url, 'GET', 'export');
    const domains = tables.domains.map(({ hostname, status }) => `${hostname} ${status}`).sort();
    const { mode, now } = await control(url, 'GET', 'clock');
    return { domains, holds: tables.holds.length, mode, now };
  }

  async function add({ url }: Started): Promise<void> {
    const apiKey = (await control(url, 'GET', 'status')).keys.test;
    await createClient({ baseUrl: url, apiKey }).domains.create({ hostname: 'careers.acme.com' });
  }

  test.each([0, 1] as const)('commands in folder %i show the emulator of that folder', async (own) => {
    const [here, other] = [emulators[own], emulators[1 - own] as Started];
    await add(here);
    const show = async (...argv: string[]) => (await inFolder(here.folder, argv, env)).document;
    expect(await show('emulator', 'status')).toMatchObject({ pid: here.bin.child.pid });
    expect(await show('whoami')).toMatchObject({ base_url: here.url });
    expect((await show('domains', 'list')).data).toMatchObject([{ hostname: 'careers.acme.com' }]);
    expect((await show('events', 'list')).data).toMatchObject([{ hostname: 'careers.acme.com' }]);
    const listed = (await show('emulator', 'list')).data;
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(expect.objectContaining({ url: here.url, is_here: true }));
    expect(listed).toContainEqual(
      expect.objectContaining({ url: other.url, is_here: false, folder: other.folder }),
    );
    expect(listed[0].clock.mode).toBe('frozen');
  });

  test.each([
    ['domains add', ['domains', 'add', 'new.acme.com']],
    ['clock advance', ['emulator', 'clock', 'advance', '72h']],
    ['trigger', ['emulator', 'trigger', 'careers.acme.com', 'dns_seen']],
    ['hold', ['emulator', 'hold', 'careers.acme.com']],
    ['seed', ['emulator', 'seed', file]],
    ['reset', ['emulator', 'reset', '--yes']],
  ])('the command %s changes only the emulator of its folder', async (_, argv) => {
    for (const emulator of emulators) await add(emulator);
    for (const own of [0, 1] as const) {
      const [here, other] = [emulators[own], emulators[1 - own] as Started];
      const [before, otherBefore] = [await stateOf(here), await stateOf(other)];
      expect(await inFolder(here.folder, argv, env)).toMatchObject({ exit: 0 });
      expect(await stateOf(here)).not.toEqual(before);
      expect(await stateOf(other)).toEqual(otherBefore);
    }
  });

  test("expect waits for the events of its folder's emulator", async () => {
    const [here, other] = emulators;
    await add(here);
    const argv = ['emulator', 'expect', 'domain.created host=careers.acme.com', '--within', '1s'];
    expect((await inFolder(here.folder, argv, env)).exit).toBe(0);
    expect((await inFolder(other.folder, argv, env)).exit).toBe(3);
  });

  test('a command in a subfolder uses the nearest emulator above it, even through symbolic links', async () => {
    const [here] = emulators;
    const below = path.join(here.folder, 'packages', 'web');
    mkdirSync(below, { recursive: true });
    const link = path.join(emptyFolder(), 'link');
    symlinkSync(below, link);
    for (const folder of [below, link]) {
      expect((await inFolder(folder, ['whoami'], env)).document.base_url).toBe(here.url);
    }
    await using nearer = await startIn(path.dirname(below), env);
    expect((await inFolder(below, ['whoami'], env)).document.base_url).toBe(nearer.url);
    expect((await inFolder(here.folder, ['whoami'], env)).document.base_url).toBe(here.url);
  });

  test.each([
    [['emulator', 'status']],
    [['emulator', 'stop']],
    [['emulator', 'reset', '--yes']],
    [['domains', 'list']],
    [['login', '--with-key', '-']],
  ])('in another folder, the command %j exits with 2 and names both emulators', async (argv) => {
    const { exit, document } = await inFolder(emptyFolder(), argv, env);
    expect({ exit, code: document.error.code }).toEqual({ exit: 2, code: 'several_emulators' });
    expect(document.error.fix).toContain('--base-url http://127.0.0.1:');
    for (const { url, folder } of emulators) {
      expect(document.error.message).toContain(`${url}, started in ${folder}`);
    }
    const { stderr } = await runBin(argv, env);
    expect(stderr).toContain('(several_emulators)');
  });

  test('--base-url selects either emulator, without a key', async () => {
    for (const { url } of emulators) {
      expect((await inFolder(emptyFolder(), ['whoami', '--base-url', url], env)).document.base_url).toBe(url);
    }
  });

  test('on a terminal, a command names the emulator that it uses', async () => {
    const [here] = emulators;
    for (const argv of [
      ['domains', 'list'],
      ['emulator', 'clock'],
    ]) {
      const shown = await runOnTerminal(argv, { columns: 200, env, cwd: here.folder });
      const words = `Using emulator ${here.url} in ${here.folder}, 1 of 2`;
      expect(shown.screen).toContain(words);
    }
  });

  test('emulator list marks the emulator of this folder in its table', async () => {
    const [here, other] = emulators;
    const { stdout } = await runBin(['emulator', 'list'], env, here.folder);
    expect(stdout).toMatch(/^HERE +URL +FOLDER +STARTED +CLOCK +EDGE$/m);
    expect(stdout).toMatch(new RegExp(`^\\* +${here.url} `, 'm'));
    expect(stdout).toMatch(new RegExp(`^ +${other.url} `, 'm'));
  });

  test('a port conflict names the emulator that has the port', async () => {
    const [here] = emulators;
    const { port } = new URL(here.url);
    const { exit, stderr } = await runBin([...START, '--port', port], env);
    expect(exit).toBe(1);
    expect(stderr).toContain(
      `Port ${port} is in use by the emulator at ${here.url}, started in ${here.folder}. (port_in_use)`,
    );
    expect(stderr).toContain(`nameplate emulator stop --base-url ${here.url}`);
  });
});

test('emulator stop ends the emulator of its folder; in any other folder, it ends the only running emulator', async () => {
  const env = emptyHome();
  await using first = await startIn(emptyFolder(), env);
  await using second = await startIn(emptyFolder(), env);
  expect((await inFolder(first.folder, ['emulator', 'stop'], env)).document.url).toBe(first.url);
  expect(await first.bin.ended).toBe(0);
  expect((await inFolder(emptyFolder(), ['emulator', 'status'], env)).document.pid).toBe(
    second.bin.child.pid,
  );
  expect((await inFolder(first.folder, ['emulator', 'stop'], env)).document.url).toBe(second.url);
  expect(await second.bin.ended).toBe(0);
});

test('a command needs --base-url to choose between two emulators that were started in one folder', async () => {
  const env = emptyHome();
  const folder = emptyFolder();
  await using first = await startIn(folder, env);
  await using second = await startIn(folder, env);
  expect((await inFolder(folder, ['emulator', 'status'], env)).document.error.code).toBe('several_emulators');
  const { document } = await inFolder(folder, ['whoami', '--base-url', second.url], env);
  expect(document.base_url).toBe(second.url);
  expect(first.url).not.toBe(second.url);
});

test('emulator stop --all ends every emulator and leaves no file, or exits with 8 if none is running', async () => {
  const env = emptyHome();
  await using first = await startIn(emptyFolder(), env);
  await using second = await startIn(emptyFolder(), env);
  const { exit, document } = await inFolder(emptyFolder(), ['emulator', 'stop', '--all'], env);
  expect({ exit, urls: document.data.map(({ url }: { url: string }) => url).sort() }).toEqual({
    exit: 0,
    urls: [first.url, second.url].sort(),
  });
  expect([await first.bin.ended, await second.bin.ended]).toEqual([0, 0]);
  expect(registryFiles(env)).toEqual([]);
  expect((await inFolder(emptyFolder(), ['emulator', 'stop', '--all'], env)).exit).toBe(8);
  const { stdout } = await runBin(['emulator', 'list'], env);
  expect(stdout).toContain('No emulator is running.');
});
