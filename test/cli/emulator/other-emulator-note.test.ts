import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import type { FakeApi } from '../fake-api.ts';
import { emptyFolder, runCli } from '../run-cli.ts';
import { startCli } from '../running-cli.ts';
import { appServer, KEYS, userConfig } from '../settings/config-folders.ts';
import { emulatorState, envWith } from './registered.ts';

let emulator: Emulator;
let api: FakeApi;
let env: Record<string, string>;
beforeAll(async () => {
  [emulator, api] = await Promise.all([startEmulator(), appServer()]);
  const { url, keys, edgeUrl } = emulator;
  const { NAMEPLATE_STATE_DIR } = envWith(emulatorState(url, { edge_url: edgeUrl, api_key: keys.test }));
  const XDG_CONFIG_HOME = userConfig({ default: { base_url: api.url, api_key: KEYS.user } });
  env = { NAMEPLATE_STATE_DIR, XDG_CONFIG_HOME };
});
afterAll(() => Promise.all([emulator.close(), api[Symbol.asyncDispose]()]));

/** Returns what a command prints to stderr on a terminal. */
async function notesOf(argv: string[], more: Record<string, string> = {}): Promise<string> {
  const cli = startCli(argv, { env: { ...env, ...more }, columns: 200 });
  expect(await cli.ended).toBe(0);
  return cli.stderr();
}

test('on a terminal, notes that a stored profile is used although an emulator is running', async () => {
  const note = await notesOf(['apps', 'get']);
  expect(note).toBe(
    `Using ${api.url}, from profile default. An emulator is also running: add --base-url ${emulator.url} to use it.\n`,
  );
  expect(await notesOf(['apps', 'get', '--base-url', emulator.url])).toBe('');
});

test('prints no note if the server was named, with --json, without a terminal, or without an emulator', async () => {
  const named = { NAMEPLATE_API_KEY: KEYS.env, NAMEPLATE_BASE_URL: api.url };
  expect(await notesOf(['apps', 'get', '--profile', 'default'])).toBe('');
  expect(await notesOf(['apps', 'get', '--base-url', api.url])).toBe('');
  expect(await notesOf(['apps', 'get'], named)).toBe('');
  expect(await notesOf(['apps', 'get', '--json'])).toBe('');
  expect((await runCli(['apps', 'get'], { env })).stderr).toBe('');
  expect(await notesOf(['apps', 'get'], { NAMEPLATE_STATE_DIR: emptyFolder() })).toBe('');
});
