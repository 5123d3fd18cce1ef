import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../shared/store/sqlite.ts';
import { closeStore } from '../../../shared/store/store.ts';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { emptyFolder, runCli } from '../run-cli.ts';
import { registryFiles } from './registered.ts';

const START = ['emulator', 'start', '--port', '0', '--ephemeral'];
const READY = /ready at (http:\/\/127\.0\.0\.1:\d+)/;

test('other commands find a started emulator, and emulator stop ends it and removes its file from the registry', async () => {
  const env = emptyHome();
  await using emulator = startBin(START, env);
  const [, url] = await emulator.untilStdout(READY);
  const [file = ''] = registryFiles(env);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const whoami = await runBin(['whoami', '--json'], env);
  expect(JSON.parse(whoami.stdout)).toMatchObject({ base_url: url, mode: 'test' });
  const status = await runBin(['emulator', 'status', '--json'], env);
  expect(JSON.parse(status.stdout)).toMatchObject({ ready: true, pid: emulator.child.pid });

  const stop = await runBin(['emulator', 'stop', '--json'], env);
  expect(JSON.parse(stop.stdout)).toMatchObject({ url, stopped: true });
  expect(await emulator.ended).toBe(0);
  expect(registryFiles(env)).toEqual([]);
  expect((await runBin(['emulator', 'status'], env)).exit).toBe(8);
});

test('emulator start prints its addresses, its keys, and lines to copy into a shell', async () => {
  await using emulator = startBin(START, emptyHome());
  await emulator.untilStdout(/curl .*\n/);
  for (const part of [/edge +http/, /test key +sk_test_/, /live key +sk_live_/, /webhook secret +whsec_/]) {
    expect(emulator.stdout()).toMatch(part);
  }
  const labels = [...emulator.stdout().matchAll(/^(\w[\w ]*?) {2,}/gm)].map(([, label]) => label);
  expect(labels).toContain('dashboard');
  expect(new Set(labels).size).toBe(labels.length);
  expect(emulator.stdout()).toMatch(/export NAMEPLATE_BASE_URL=\S+ NAMEPLATE_API_KEY=\S+/);
  emulator.child.kill('SIGINT');
  expect(await emulator.ended).toBe(0);
});

test('emulator start --json prints one document', async () => {
  await using emulator = startBin([...START, '--json'], emptyHome());
  await emulator.untilStdout(/\n\}\n/);
  emulator.child.kill('SIGTERM');
  expect(await emulator.ended).toBe(0);
  expect(JSON.parse(emulator.stdout())).toMatchObject({ pid: emulator.child.pid, file: null });
});

test('emulator start --listen opens the emulator to other containers, and --allow-host accepts a name with a dot', async () => {
  const argv = [...START, '--listen', '0.0.0.0', '--allow-host', 'host.docker.internal'];
  await using emulator = startBin(argv, emptyHome());
  const [, url = ''] = await emulator.untilStdout(READY);
  const { port } = new URL(url);
  const other = `http://127.0.0.2:${port}/_emulator/status`;
  for (const [name, status] of [
    ['nameplate', 200],
    ['host.docker.internal', 200],
    ['rebound.example', 403],
  ] as const) {
    expect({ name, status: await statusAs(other, `${name}:${port}`) }).toEqual({ name, status });
  }
});

test.each([
  ['--listen', 'localhost'],
  ['--listen', '192.0.2.1'],
  ['--allow-host', 'http://nameplate'],
])('emulator start %s %s is a usage error that names the flag', async (flag, value) => {
  const { exit, stderr } = await runCli([...START, flag, value]);
  expect(exit).toBe(2);
  expect(stderr).toContain(flag);
});

/** Returns the status of a GET request with the given `Host` header, which `fetch` cannot set. */
function statusAs(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
  });
}

test('emulator start suggests --port 0 if its port is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = emptyHome();
  const { exit, stderr } = await runBin(['emulator', 'start', '--ephemeral', '--port', `${port}`], env);
  server.close();
  expect(exit).toBe(1);
  expect(stderr).toContain(`Port ${port} is in use. (port_in_use)`);
  expect(stderr).toContain('--port 0');
  expect(stderr).not.toContain('    at ');
  expect(registryFiles(env)).toEqual([]);
});

test.each([
  ['--origin', 'http://127.0.0.1:9/app?x=1'],
  ['--webhook', 'http://example.com/x'],
  ['--webhook', 'nothing'],
])(
  'emulator start %s %s, with a value that the API would refuse, is a usage error that names the flag',
  async (flag, url) => {
    const { exit, stderr } = await runCli([...START, flag, url]);
    expect(exit).toBe(2);
    expect(stderr).toContain('cannot be used');
    expect(stderr).toContain(`Use ${flag}`);
  },
);

test('the error for a database file that is in use or invalid suggests alternatives', async () => {
  const cwd = emptyFolder();
  const store = openSqlite(path.join(cwd, '.nameplate', 'emulator.db'));
  const inUse = await runCli(['emulator', 'start', '--port', '0', '--edge-port', '0'], { cwd });
  await closeStore(store);
  expect(inUse.exit).toBe(1);
  expect(inUse.stderr).toContain('is in use by another process. (database_in_use)');
  for (const way of ['nameplate emulator stop', '--file', '--ephemeral']) {
    expect(inUse.stderr).toContain(way);
  }

  writeFileSync(path.join(cwd, 'notes.txt'), 'Not a database. '.repeat(100));
  const none = await runCli(['emulator', 'start', '--port', '0', '--file', 'notes.txt'], { cwd });
  expect(none.exit).toBe(1);
  expect(none.stderr).toContain('cannot be opened as a database. (database_unusable)');
  expect(none.stderr).toContain('--ephemeral');
});

test('emulator start ignores the registration of an emulator whose process is gone', async () => {
  const env = emptyHome();
  await using emulator = startBin(START, env);
  await emulator.untilStdout(READY);
  emulator.child.kill('SIGKILL');
  await emulator.ended;
  expect(registryFiles(env).map((file) => path.basename(file))).toEqual([`${emulator.child.pid}.json`]);
  expect((await runBin(['apps', 'get'], env)).exit).toBe(4);
  expect((await runBin(['emulator', 'stop'], env)).exit).toBe(8);
});

test('emulator start without --ephemeral stores its state in .nameplate/emulator.db', async () => {
  const env = emptyHome();
  const cwd = emptyFolder();
  for (const [command, seen] of [
    [['domains', 'add', 'careers.acme.com'], 0],
    [['domains', 'get', 'careers.acme.com'], 0],
  ] as const) {
    await using emulator = startBin(['emulator', 'start', '--port', '0'], env, cwd);
    await emulator.untilStdout(READY);
    expect((await runBin([...command], env)).exit).toBe(seen);
    emulator.child.kill('SIGTERM');
    expect(await emulator.ended).toBe(0);
  }
  expect(existsSync(path.join(cwd, '.nameplate', 'emulator.db'))).toBe(true);
});
