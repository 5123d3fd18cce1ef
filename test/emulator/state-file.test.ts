import { statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type EmulatorState,
  emulatorStateFile,
  findRunningEmulator,
  removeEmulatorState,
  writeEmulatorState,
} from '../../emulator/state-file.ts';
import { startFakeApi } from '../cli/fake-api.ts';
import { TEST_KEY } from '../cli/resources.ts';
import { emptyFolder } from '../cli/run-cli.ts';

function emptyEnv() {
  return { NAMEPLATE_STATE_DIR: emptyFolder() };
}

function stateAt(url: string, fields: Partial<EmulatorState> = {}): EmulatorState {
  return {
    pid: process.pid,
    port: Number(new URL(url).port),
    url,
    control_url: `${url}/_emulator`,
    edge_url: url,
    started_at: '2026-11-20T12:00:00.000Z',
    api_key: TEST_KEY,
    live_api_key: TEST_KEY,
    webhook_secret: 'whsec_a',
    sandbox_origin: url,
    ...fields,
  };
}

function emulatorThatSays(status: object) {
  return startFakeApi({ 'GET /_emulator/status': { body: status } });
}

test('an emulator that lives and answers as itself is found; the file is for its owner alone', async () => {
  await using emulator = await emulatorThatSays({ pid: process.pid, keys: { test: TEST_KEY } });
  const env = emptyEnv();
  const state = stateAt(emulator.url);
  writeEmulatorState(state, env);
  expect(await findRunningEmulator(env)).toEqual(state);
  expect(statSync(emulatorStateFile(env)).mode & 0o777).toBe(0o600);
});

test.each([
  ['another process', { pid: 1, keys: { test: TEST_KEY } }],
  ['another key', { pid: process.pid, keys: { test: 'sk_test_other' } }],
  ['something else', { hello: 'world' }],
])('an address that answers as %s is not believed', async (_, status) => {
  await using emulator = await emulatorThatSays(status);
  const env = emptyEnv();
  writeEmulatorState(stateAt(emulator.url), env);
  expect(await findRunningEmulator(env)).toBeNull();
});

test.each([
  ['a group of processes', { pid: -1 }],
  ['its own group', { pid: 0 }],
  ['an address that is not of this machine', { url: 'http://192.0.2.1:4400' }],
  ['a control address that is not of this machine', { control_url: 'http://192.0.2.1:4400/_emulator' }],
])('a file that names %s is not believed', async (_, fields) => {
  await using emulator = await emulatorThatSays({ pid: process.pid, keys: { test: TEST_KEY } });
  const env = emptyEnv();
  writeEmulatorState(stateAt(emulator.url, fields), env);
  expect(await findRunningEmulator(env)).toBeNull();
});

test('no file, and one that is half written, are no emulator', async () => {
  const env = emptyEnv();
  expect(await findRunningEmulator(env)).toBeNull();
  writeFileSync(emulatorStateFile(env), '{"pid": 12');
  expect(await findRunningEmulator(env)).toBeNull();
});

test('only the emulator that wrote the file removes it', async () => {
  await using emulator = await emulatorThatSays({ pid: process.pid, keys: { test: TEST_KEY } });
  const env = emptyEnv();
  writeEmulatorState(stateAt(emulator.url), env);
  removeEmulatorState(process.pid + 1, env);
  expect(await findRunningEmulator(env)).not.toBeNull();
  removeEmulatorState(process.pid, env);
  expect(await findRunningEmulator(env)).toBeNull();
});
