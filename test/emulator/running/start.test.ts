import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmulatorOptions, startEmulator } from '../../../emulator/start.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { emulatorUnderTest } from './emulator-under-test.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-emulator-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function takenPort() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, release: () => server.close() };
}

function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}

test.each(['port', 'edgePort'] as const)(
  'startEmulator with a %s in use fails with EADDRINUSE, and leaves nothing open',
  async (name) => {
    const { port, release } = await takenPort();
    const file = path.join(folder, 'state.db');
    await expect(startEmulator({ file, [name]: port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    release();
    // After the failed start, the state file and the other ports must be free again.
    const emulator = await startEmulator({ file, [name]: port });
    await emulator.close();
  },
);

test('closing the emulator ends every listener and every open connection', async () => {
  const emulator = await startEmulator();
  const urls = [emulator.url, emulator.edgeUrl, emulator.sandboxOrigin];
  for (const url of urls) {
    expect(await isOpen(url)).toBe(true);
    await fetch(url).then((answer) => answer.text());
  }
  await emulator.close();
  for (const url of urls) expect(await isOpen(url)).toBe(false);
});

test('a request that arrives before the emulator is ready gets a response', async () => {
  const { port, release } = await takenPort();
  release();
  const starting = startEmulator({ port, file: path.join(folder, 'state.db') });
  // Requests until the port is open, which happens before the database is open. The first response must wait for the database.
  let answer: Response | null = null;
  while (answer === null) {
    answer = await fetch(`http://127.0.0.1:${port}/_emulator/status`).catch(() => null);
  }
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ ready: true });
  await (await starting).close();
});

test('startEmulator refuses a file that another emulator uses or that is no database, and names the file', async () => {
  const file = path.join(folder, 'state.db');
  const emulator = await startEmulator({ file });
  await expect(startEmulator({ file })).rejects.toThrow('state.db is in use');
  await emulator.close();
  const other = path.join(folder, 'notes.txt');
  writeFileSync(other, 'these are notes, and no database at all\n'.repeat(100));
  await expect(startEmulator({ file: other })).rejects.toThrow('notes.txt cannot be opened');
});

test('the options origin and webhook apply to the default app, whose origin is then probed', async () => {
  await using receiver = await startReceiver();
  const origin = createServer((_, response) => response.end('ok'));
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  await using underTest = await emulatorUnderTest({ origin: url, webhook: receiver.url });
  await underTest.control('POST /clock/advance', { by: '0s' });
  expect((await underTest.api('GET /apps/current')).body).toMatchObject({
    origin_url: url,
    origin_reachable: true,
    webhook_url: receiver.url,
  });
  origin.close();
});

test('a restart of the emulator sets a given origin and webhook on the default app, and otherwise keeps the previous values', async () => {
  const file = path.join(folder, 'state.db');
  const seen: unknown[] = [];
  for (const [origin, webhook] of [
    [null, null],
    ['http://127.0.0.1:1', 'http://127.0.0.1:1/hooks'],
    [null, null],
    ['http://127.0.0.1:2/', null],
    [null, 'https://hooks.example.com/?a=b'],
  ] as const) {
    await using underTest = await emulatorUnderTest({
      file,
      ...(origin !== null && { origin }),
      ...(webhook !== null && { webhook }),
    });
    if (origin !== null) await underTest.control('POST /clock/advance', { by: '0s' });
    const { body } = await underTest.api('GET /apps/current');
    seen.push([body['origin_url'], body['origin_status_reason'], body['webhook_url']]);
  }
  const refused = 'origin_connection_failed';
  expect(seen).toEqual([
    [null, null, null],
    ['http://127.0.0.1:1', refused, 'http://127.0.0.1:1/hooks'],
    ['http://127.0.0.1:1', refused, 'http://127.0.0.1:1/hooks'],
    ['http://127.0.0.1:2', refused, 'http://127.0.0.1:1/hooks'],
    ['http://127.0.0.1:2', refused, 'https://hooks.example.com/?a=b'],
  ]);
});

test.each([
  [{ origin: 'http://127.0.0.1:9/app?x=1' }, 'origin_not_allowed'],
  [{ origin: 'http://example.com' }, 'origin_not_allowed'],
  [{ webhook: 'http://example.com/x' }, 'validation_failed'],
])('startEmulator refuses %j like the API, and leaves nothing open', async (options, code) => {
  const { port, release } = await takenPort();
  release();
  await expect(startEmulator({ port, ...options })).rejects.toMatchObject({ code });
  expect(await isOpen(`http://127.0.0.1:${port}`)).toBe(false);
});

test('closing the emulator does not wait for a hanging receiver, and the next start repeats the same attempt', async () => {
  const options: EmulatorOptions = { file: path.join(folder, 'state.db') };
  let hangs = true;
  await using receiver = await startReceiver(() => (hangs ? new Promise<number>(() => undefined) : 200));
  {
    await using first = await emulatorUnderTest({ ...options, webhook: receiver.url });
    await first.api('POST /domains', { hostname: 'careers.acme.com' });
    await receiver.until(1);
    await first.emulator.close();
    expect(first.logged).toEqual([]);
  }
  hangs = false;
  await using second = await emulatorUnderTest(options);
  const [cut, again] = await receiver.until(2);
  expect(again?.delivery_id).toBe(cut?.delivery_id);
  await second.control('POST /clock/advance', { by: '0s' });
  const [event] = (await second.api('GET /events')).body.data;
  expect(event).toMatchObject({ delivery: { status: 'delivered', attempts: 1, last_error: null } });
});

test('the handle reports the current default app after a rotation, an import and a reset', async () => {
  await using other = await emulatorUnderTest();
  const rotated = await other.api(
    'POST /apps/current/signing-secret/rotate',
    undefined,
    other.emulator.keys.live,
  );
  const { body: exported } = await other.control('GET /export');
  await using underTest = await emulatorUnderTest();
  const { emulator, api, control } = underTest;
  const first = { app_id: emulator.appId, webhook_secret: emulator.webhookSecret };
  async function agrees(): Promise<void> {
    const { app_id, keys } = (await control('GET /status')).body as unknown as Record<string, unknown>;
    expect(app_id).toBe(emulator.appId);
    expect(keys).toMatchObject({ webhook_secret: emulator.webhookSecret });
    expect((await api('GET /apps/current')).body.id).toBe(emulator.appId);
  }
  const { body } = await api('POST /apps/current/signing-secret/rotate', undefined, emulator.keys.live);
  expect(emulator.webhookSecret).toBe(body['signing_secret']);
  expect(emulator.webhookSecret).not.toBe(first.webhook_secret);
  await agrees();
  await control('POST /import', exported);
  expect(emulator.appId).toBe(other.emulator.appId);
  expect(emulator.webhookSecret).toBe(rotated.body['signing_secret']);
  await agrees();
  await emulator.reset();
  expect(emulator.appId).not.toBe(other.emulator.appId);
  expect(emulator.webhookSecret).toBe(first.webhook_secret);
  await agrees();
});

test('an emulator that restarts with the same file continues where it was, including the clock', async () => {
  const options: EmulatorOptions = { file: path.join(folder, 'state.db') };
  let id: string;
  let now: string;
  {
    await using first = await emulatorUnderTest(options);
    id = (await first.api('POST /domains', { hostname: 'careers.acme.com' })).body.id;
    await first.control('POST /clock/advance', { by: '4s' });
    now = (await first.control('POST /clock/advance', { by: '1s' })).body.now;
  }
  await using second = await emulatorUnderTest(options);
  expect((await second.control('GET /clock')).body).toMatchObject({ mode: 'frozen', now });
  expect((await second.api(`GET /domains/${id}`)).body.status).toBe('verifying');
  await second.control('POST /clock/advance', { by: '5s' });
  expect((await second.api(`GET /domains/${id}`)).body.status).toBe('active');
});

test('an emulator that restarts keeps the offset of a running clock', async () => {
  const options: EmulatorOptions = { file: path.join(folder, 'state.db'), clock: 'real' };
  let offsetMs: unknown;
  {
    await using first = await emulatorUnderTest(options);
    offsetMs = (await first.control('POST /clock/advance', { by: '72h' })).body['offset_ms'];
  }
  const { clock: _, ...same } = options;
  const second = await startEmulator(same);
  const { offset_ms: kept } = (await (await fetch(`${second.url}/_emulator/clock`)).json()) as {
    offset_ms: unknown;
  };
  expect(kept).toBe(offsetMs);
  await second.close();
});

test('an emulator that restarts in another clock mode continues from its last time, so that time never moves back', async () => {
  const file = path.join(folder, 'state.db');
  const modes: string[] = [];
  let last = 0;
  for (const clock of ['frozen', 'real', null, 'auto', null] as const) {
    const emulator = await startEmulator({ file, ...(clock !== null && { clock }) });
    const answer = await fetch(`${emulator.url}/_emulator/clock`);
    const { mode, now } = (await answer.json()) as { mode: string; now: string };
    modes.push(mode);
    expect(Date.parse(now)).toBeGreaterThanOrEqual(last);
    last = Date.parse(now);
    await emulator.close();
  }
  expect(modes).toEqual(['frozen', 'real', 'real', 'auto', 'auto']);
});

test('the emulator logs nothing when it is closed during a jump of the clock in the mode auto', async () => {
  for (let round = 0; round < 10; round++) {
    await using receiver = await startReceiver();
    const underTest = await emulatorUnderTest({ clock: 'auto', webhook: receiver.url });
    const added = Array.from({ length: 5 }, (_, i) =>
      underTest.api('POST /domains', { hostname: `d${i}.acme.com` }),
    );
    const answered = Promise.allSettled(added);
    await Promise.race(added);
    await underTest.emulator.close();
    await answered;
    expect(underTest.logged).toEqual([]);
  }
});
