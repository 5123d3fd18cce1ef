import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import type { FakeApi } from '../fake-api.ts';
import { LIVE_KEY } from '../resources.ts';
import { emptyFolder, runCli } from '../run-cli.ts';
import { startCli } from '../running-cli.ts';
import { appServer, KEYS, userConfig } from '../settings/config-folders.ts';
import { emulatorState, envWith } from './registered.ts';

const FOLDER = emptyFolder();
let emulator: Emulator;
let api: FakeApi;
let env: Record<string, string>;
beforeAll(async () => {
  [emulator, api] = await Promise.all([startEmulator(), appServer()]);
  const { url, keys, edgeUrl } = emulator;
  const { NAMEPLATE_STATE_DIR } = envWith(
    emulatorState(url, { edge_url: edgeUrl, api_key: keys.test, folder: FOLDER }),
  );
  const XDG_CONFIG_HOME = userConfig({ default: { base_url: api.url, api_key: KEYS.user } });
  env = { NAMEPLATE_STATE_DIR, XDG_CONFIG_HOME };
});
afterAll(() => Promise.all([emulator.close(), api[Symbol.asyncDispose]()]));

/** Runs a command on a terminal and returns its standard error. */
async function notesOf(argv: string[], more: Record<string, string> = {}): Promise<string> {
  const cli = startCli(argv, { env: { ...env, NO_COLOR: '1', ...more }, columns: 200 });
  expect(await cli.ended).toBe(0);
  return cli.stderr();
}

test('on a terminal, a command prints the server, the profile and the mode that it uses', async () => {
  const using = `Using ${api.url}, profile default (test mode).\n`;
  expect(await notesOf(['apps', 'get', '--profile', 'default'])).toBe(using);
  const live = { NAMEPLATE_API_KEY: LIVE_KEY, NAMEPLATE_BASE_URL: api.url };
  expect(await notesOf(['apps', 'get'], live)).toBe(
    `Using ${api.url}, key from NAMEPLATE_API_KEY (live mode).\n`,
  );
});

test('on a terminal, a command prints the emulator that it uses, and the folder where it was started', async () => {
  const home = { XDG_CONFIG_HOME: emptyFolder(), HOME: path.dirname(FOLDER) };
  expect(await notesOf(['apps', 'get'], home)).toBe(
    `Using emulator ${emulator.url} in ~/${path.basename(FOLDER)} (test mode).\n`,
  );
  expect(await notesOf(['emulator', 'status'], { HOME: emptyFolder() })).toBe(
    `Using emulator ${emulator.url} in ${FOLDER}.\n`,
  );
});

test('on a terminal, a command notes that it uses a stored profile although an emulator is running', async () => {
  expect(await notesOf(['apps', 'get'])).toBe(
    `Using ${api.url}, profile default (test mode).\nAn emulator is also running: add --base-url ${emulator.url} to use it.\n`,
  );
  expect(await notesOf(['apps', 'get', '--base-url', emulator.url])).not.toContain('also running');
});

test('a command does not mention a running emulator if the server was specified, or if no emulator is running', async () => {
  const named = { NAMEPLATE_API_KEY: KEYS.env, NAMEPLATE_BASE_URL: api.url };
  for (const [argv, more] of [
    [['--profile', 'default'], {}],
    [['--base-url', api.url], {}],
    [[], named],
    [[], { NAMEPLATE_STATE_DIR: emptyFolder() }],
  ] as const)
    expect(await notesOf(['apps', 'get', ...argv], more)).not.toContain('also running');
});

test('the CLI prints no note with --json, with --jq, or without a terminal', async () => {
  expect(await notesOf(['apps', 'get', '--json'])).toBe('');
  expect(await notesOf(['apps', 'get', '--jq', '.id'])).toBe('');
  expect(await notesOf(['emulator', 'status', '--jq', '.pid'])).toBe('');
  expect((await runCli(['apps', 'get'], { env })).stderr).toBe('');
});
