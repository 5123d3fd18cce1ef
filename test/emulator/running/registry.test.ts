import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRunningEmulators, unregisterEmulator } from '../../../emulator/registry.ts';
import { emulatorState, envWith, registryFiles } from '../../cli/emulator/registered.ts';
import { startFakeApi } from '../../cli/fake-api.ts';
import { TEST_KEY } from '../../cli/resources.ts';

const ITSELF = { pid: process.pid, keys: { test: TEST_KEY } };

function emulatorThatSays(status: object) {
  return startFakeApi({ 'GET /_emulator/status': { body: status } });
}

test('finds a running emulator that responds as itself, with its clock; only the owner can read its file', async () => {
  const clock = { mode: 'frozen' as const, now: '2026-11-20T12:00:00.000Z' };
  await using emulator = await emulatorThatSays({ ...ITSELF, clock });
  const state = emulatorState(emulator.url);
  const env = envWith(state);
  expect(await findRunningEmulators(env)).toEqual([{ ...state, clock }]);
  const [file = ''] = registryFiles(env);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

test.each([
  ['another process', { ...ITSELF, pid: 1 }],
  ['another key', { ...ITSELF, keys: { test: 'sk_test_other' } }],
  ['something else', { hello: 'world' }],
])('ignores an address that responds as %s, and removes its file', async (_, status) => {
  await using emulator = await emulatorThatSays(status);
  const env = envWith(emulatorState(emulator.url));
  expect(await findRunningEmulators(env)).toEqual([]);
  expect(registryFiles(env)).toEqual([]);
});

test.each([
  ['a process id other than its name', { pid: process.ppid }],
  ['an address on another machine', { url: 'http://192.0.2.1:4400' }],
  ['a control address on another machine', { control_url: 'http://192.0.2.1:4400/_emulator' }],
  ['an edge on another machine', { edge_url: 'http://192.0.2.1:4401' }],
])('ignores a file that names %s', async (_, fields) => {
  await using emulator = await emulatorThatSays(ITSELF);
  const env = envWith(emulatorState(emulator.url, fields));
  const [file = ''] = registryFiles(env);
  renameSync(file, path.join(path.dirname(file), `${process.pid}.json`));
  expect(await findRunningEmulators(env)).toEqual([]);
  expect(emulator.requests).toEqual([]);
});

test('finds nothing without a folder, in files with other names, or in a broken file', async () => {
  const env = envWith();
  expect(await findRunningEmulators(env)).toEqual([]);
  const folder = path.join(env.NAMEPLATE_STATE_DIR, 'emulators');
  mkdirSync(folder);
  for (const name of [`${process.pid}.json`, '0.json', '-1.json', '1.json', 'x.json']) {
    writeFileSync(path.join(folder, name), '{"pid": 12');
  }
  expect(await findRunningEmulators(env)).toEqual([]);
});

test('removes the file of a process that has ended, or of an address where nothing listens', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'close');
  const closed = await emulatorThatSays(ITSELF);
  await closed[Symbol.asyncDispose]();
  await using emulator = await emulatorThatSays(ITSELF);
  for (const state of [emulatorState(emulator.url, { pid: ended.pid ?? 0 }), emulatorState(closed.url)]) {
    const env = envWith(state);
    expect(await findRunningEmulators(env)).toEqual([]);
    expect(registryFiles(env)).toEqual([]);
  }
});

test('counts an emulator that is too busy to respond', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const state = emulatorState(`http://127.0.0.1:${port}`);
  const env = envWith(state);
  expect(await findRunningEmulators(env)).toEqual([{ ...state, clock: null }]);
  expect(registryFiles(env)).toHaveLength(1);
  server.close();
});

test('an emulator removes only its own file', async () => {
  await using emulator = await emulatorThatSays(ITSELF);
  const env = envWith(emulatorState(emulator.url));
  unregisterEmulator(process.pid + 1, env);
  expect(await findRunningEmulators(env)).toHaveLength(1);
  unregisterEmulator(process.pid, env);
  expect(await findRunningEmulators(env)).toEqual([]);
});
