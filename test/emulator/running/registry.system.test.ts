import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { findRunningEmulators, unregisterEmulator } from '../../../emulator/registry.ts';
import { emulatorState, envWith, registryFiles } from '../../cli/emulator/registered.ts';
import { startFakeApi } from '../../cli/fake-api.ts';
import { TEST_KEY } from '../../cli/resources.ts';
import { emulatorUnderTest } from './emulator-under-test.ts';

const ITSELF = { pid: process.pid, keys: { test: TEST_KEY } };

function emulatorThatSays(status: object) {
  return startFakeApi({ 'GET /_emulator/status': { body: status } });
}

test('the registry of emulators has a running emulator and its clock, and only the owner can read the file', async () => {
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
])(
  'the registry of emulators ignores an address that responds as %s, and removes its file',
  async (_, status) => {
    await using emulator = await emulatorThatSays(status);
    const env = envWith(emulatorState(emulator.url));
    expect(await findRunningEmulators(env)).toEqual([]);
    expect(registryFiles(env)).toEqual([]);
  },
);

test.each([
  ['a process id other than its name', { pid: process.ppid }],
  ['an address on another machine', { url: 'http://192.0.2.1:4400' }],
  ['a control address on another machine', { control_url: 'http://192.0.2.1:4400/_emulator' }],
  ['an edge on another machine', { edge_url: 'http://192.0.2.1:4401' }],
])('the registry of emulators ignores a file that names %s', async (_, fields) => {
  await using emulator = await emulatorThatSays(ITSELF);
  const env = envWith(emulatorState(emulator.url, fields));
  const [file = ''] = registryFiles(env);
  renameSync(file, path.join(path.dirname(file), `${process.pid}.json`));
  expect(await findRunningEmulators(env)).toEqual([]);
  expect(emulator.requests).toEqual([]);
});

test('the registry of emulators is empty without a folder, and ignores files with other names and broken files', async () => {
  const env = envWith();
  expect(await findRunningEmulators(env)).toEqual([]);
  const folder = path.join(env.NAMEPLATE_STATE_DIR, 'emulators');
  mkdirSync(folder);
  for (const name of [`${process.pid}.json`, '0.json', '-1.json', '1.json', 'x.json']) {
    writeFileSync(path.join(folder, name), '{"pid": 12');
  }
  expect(await findRunningEmulators(env)).toEqual([]);
});

test('the registry of emulators removes the file of a process that has ended, or of an address where nothing listens', async () => {
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

test('the registry lists an emulator that is too busy to respond', async () => {
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

test.each([
  ['closes the connection without a response', { hangUp: true }],
  ['responds with an error of its own', { status: 500 }],
  ['responds that it is busy', { status: 503 }],
])('the registry lists an emulator that %s', async (_, answer) => {
  await using emulator = await startFakeApi({ 'GET /_emulator/status': answer });
  const state = emulatorState(emulator.url);
  const env = envWith(state);
  expect(await findRunningEmulators(env)).toEqual([{ ...state, clock: null }]);
  expect(registryFiles(env)).toHaveLength(1);
});

test('the registry of emulators removes the file of an address where a program does not speak HTTP', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-other\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = envWith(emulatorState(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  expect(await findRunningEmulators(env)).toEqual([]);
  expect(registryFiles(env)).toEqual([]);
  server.close();
});

const OWN_ADDRESS = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test.skipIf(OWN_ADDRESS === undefined)(
  'the registry finds an emulator that listens on a network address of this machine, without a proxy',
  async () => {
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
    await using emulator = await emulatorUnderTest({ listen: OWN_ADDRESS ?? '' });
    const { url, edgeUrl, keys } = emulator.emulator;
    expect(url).toContain(OWN_ADDRESS);
    const state = emulatorState(url, { edge_url: edgeUrl, api_key: keys.test });
    const env = envWith(state);
    expect(await findRunningEmulators(env)).toEqual([{ ...state, clock: expect.any(Object) }]);
    expect(registryFiles(env)).toHaveLength(1);
    vi.unstubAllEnvs();
  },
);

test('the registry keeps the file of a running emulator whose network is down', async () => {
  const env = envWith(emulatorState('http://203.0.113.1:4400'));
  expect(await findRunningEmulators(env)).toEqual([]);
  expect(registryFiles(env)).toHaveLength(1);
});

test('an emulator removes only its own file from the registry', async () => {
  await using emulator = await emulatorThatSays(ITSELF);
  const env = envWith(emulatorState(emulator.url));
  unregisterEmulator(process.pid + 1, env);
  expect(await findRunningEmulators(env)).toHaveLength(1);
  unregisterEmulator(process.pid, env);
  expect(await findRunningEmulators(env)).toEqual([]);
});
