import { once } from 'node:events';
import { createConnection } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { composeEmulator } from '../../../emulator/compose.ts';
import { exportState } from '../../../emulator/state/snapshot.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

describe('POST /reset returns the emulator to its first state', () => {
  test('leaves a fresh account with the same keys, and nothing else', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const { emulator, control, api } = underTest;
    await api('POST /domains', { hostname: 'careers.acme.com' });
    await control('POST /holds', { hostname: 'held.acme.com' });
    await control('PATCH /account', { plan: 'free', suspended: true });
    await control('PUT /errors', { code: 'billing_unavailable', times: 9 });
    await control('PUT /chaos', { fail: 1 });
    await control('POST /clock/advance', { by: '90d' });
    await fetch(emulator.edgeUrl);

    const { status, body } = await control('POST /reset', {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      counts: { domains: 0, events: 0, deliveries: 0, pending_events: 0 },
      keys: emulator.keys,
      clock: { mode: 'frozen' },
    });
    expect(Math.abs(Date.parse(emulator.clock.now().toISOString()) - Date.now())).toBeLessThan(60_000);
    expect((await api('GET /domains')).body.data).toEqual([]);
    expect((await api('GET /events')).body.data).toEqual([]);
    expect((await control('GET /holds')).body.data).toEqual([]);
    expect((await control('GET /requests')).body.data).toEqual([]);
    const again = await api('POST /domains', { hostname: 'careers.acme.com' });
    expect(again.status).toBe(201);
    await control('POST /clock/advance', { until: 'idle' });
    expect((await api(`GET /domains/${again.body.id}`)).body.status).toBe('active');
    expect(receiver.arrivals.filter(({ domain_id }) => domain_id === again.body.id)).toHaveLength(3);
  });

  test('immediately revokes every key that was created', async () => {
    await using underTest = await emulatorUnderTest();
    const { control, api, emulator } = underTest;
    const other = (await control('POST /apps', { name: 'Other' })).body;
    const made = (await api('POST /keys', { name: 'ci', mode: 'test' })).body;
    const keys = [other.test_key, other.live_key, String(made['key'])];
    for (const key of keys) expect((await api('GET /apps/current', undefined, key)).status).toBe(200);
    await control('POST /reset', {});
    for (const key of keys) expect((await api('GET /apps/current', undefined, key)).status).toBe(401);
    const { app_id } = (await control('GET /status')).body;
    for (const key of Object.values(emulator.keys)) {
      expect((await api('GET /apps/current', undefined, key)).body.id).toBe(app_id);
    }
    expect(underTest.logged).toEqual([]);
  });

  test('can be called from code, and during other requests', async () => {
    await using underTest = await emulatorUnderTest();
    const { api, emulator } = underTest;
    const statuses = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        if (i % 10 === 5) await emulator.reset();
        return (await api('POST /domains', { hostname: `d${i}.acme.com` })).status;
      }),
    );
    // A request may get 500 if it was authenticated before the reset and writes afterwards, because its app is gone.
    expect(statuses.filter((status) => ![201, 401, 500].includes(status))).toEqual([]);
    await emulator.reset();
    expect((await api('GET /domains')).body.data).toEqual([]);
  });

  test('leaves the state unchanged if it fails halfway', async () => {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const emulator = await composeEmulator({
      file: null,
      origin: null,
      webhook: null,
      clockMode: 'frozen',
      baseUrl: 'http://127.0.0.1:1',
      idSeed: null,
      log,
    });
    const { store } = emulator.context;
    await emulator.time.advance({ by_ms: 1000 });
    const before = { now: emulator.clock.now(), app: emulator.defaultApp(), state: await exportState(store) };
    emulator.errors.force({ code: 'card_declined', times: 1 });
    await sql`create trigger broken before insert on api_keys when new.mode = 'live'
      begin select raise(abort, 'the disk is full'); end`.execute(store.db);
    await expect(emulator.reset(null)).rejects.toThrow('the disk is full');
    expect(await exportState(store)).toEqual(before.state);
    expect(emulator.defaultApp()).toEqual(before.app);
    expect(emulator.clock.now()).toBe(before.now);
    expect(emulator.errors.list()).toHaveLength(1);
    await emulator.close();
  });

  test('a field that this version does not know is refused with 422', async () => {
    await using underTest = await emulatorUnderTest();
    await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
    expect((await underTest.control('POST /reset', { everything: true })).status).toBe(422);
    expect((await underTest.api('GET /domains')).body.data).toHaveLength(1);
  });
});

/** Returns all data that a client can read, with the emulator's port masked. */
async function visible({ api, control, emulator }: EmulatorUnderTest): Promise<string> {
  const answers = [];
  for (const call of ['GET /apps/current', 'GET /domains', 'GET /events', 'GET /keys']) {
    for (const key of Object.values(emulator.keys)) answers.push((await api(call, undefined, key)).body);
  }
  const { data } = (await api('GET /events')).body;
  for (const { id } of data) answers.push((await api(`GET /events/${id}`)).body);
  answers.push((await control('GET /holds')).body, (await control('GET /clock')).body.now);
  // Masks the emulator's address, which the bodies of events contain.
  return JSON.stringify(answers, (name, value) => (name === 'last_used_at' ? null : value), 1).replaceAll(
    /http:\/\/127\.0\.0\.1:\d+/g,
    '<url>',
  );
}

async function fill({ api, control, emulator }: EmulatorUnderTest): Promise<void> {
  await api('POST /domains', { hostname: 'careers.acme.com', metadata: { team: 'jobs' } });
  await api('POST /domains', { hostname: 'caa-forbids.acme.com' });
  await control('POST /clock/advance', { by: '3h' });
  await api('POST /domains', { hostname: 'acme.org' }, emulator.keys.live);
  await control('POST /holds', { hostname: '*.held.example', reason: 'phishing' });
  await api('POST /apps/current/signing-secret/rotate', undefined, emulator.keys.live);
}

describe('GET /export and POST /import save and restore the whole state', () => {
  test('restore the same responses after a reset', async () => {
    await using receiver = await startReceiver(({ type }) => (type === 'domain.active' ? 500 : 200));
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    await fill(underTest);
    const before = await visible(underTest);
    const { body } = await underTest.control('GET /export');
    await underTest.control('POST /reset', {});
    expect(await visible(underTest)).not.toBe(before);
    expect((await underTest.control('POST /import', body)).status).toBe(200);
    expect(await visible(underTest)).toBe(before);
  });

  test('let another emulator continue: same responses, readable secrets, pending retries', async () => {
    await using receiver = await startReceiver(({ type }) => (type === 'domain.active' ? 500 : 200));
    await using first = await emulatorUnderTest({ webhook: receiver.url });
    await fill(first);
    const { body } = await first.control('GET /export');
    await using second = await emulatorUnderTest();
    expect((await second.control('POST /import', body)).status).toBe(200);
    expect(await visible(second)).toBe(await visible(first));
    const arrived = receiver.arrivals.length;
    await second.control('POST /clock/advance', { by: '48h' });
    expect(receiver.arrivals.length).toBeGreaterThan(arrived);
    expect(second.logged).toEqual([]);
    const last = receiver.arrivals.at(-1);
    expect(String(last?.headers['service-signature'])).toMatch(/^t=\d+,v1=[0-9a-f]{64}/);
  });

  test('repeat an attempt that was in progress during the export', async () => {
    const answers = Promise.withResolvers<number>();
    await using receiver = await startReceiver(({ hostname }) =>
      hostname === 'slow.acme.com' ? answers.promise : 200,
    );
    await using first = await emulatorUnderTest({ webhook: receiver.url });
    await first.api('POST /domains', { hostname: 'slow.acme.com' });
    const [underWay] = await receiver.until(1);
    const { body } = await first.control('GET /export');
    await using second = await emulatorUnderTest();
    await second.control('POST /import', body);
    const [, again] = await receiver.until(2);
    expect(again?.delivery_id).toBe(underWay?.delivery_id);
    answers.resolve(200);
    await second.control('POST /clock/advance', { until: 'idle' });
    expect((await second.control('GET /status')).body).toMatchObject({ counts: { pending_events: 0 } });
  });

  test('replace the clock too, and remove forced errors and logged requests', async () => {
    await using underTest = await emulatorUnderTest();
    const { control, api, emulator } = underTest;
    const then = emulator.clock.now();
    const { body } = await control('GET /export');
    await control('POST /clock/advance', { by: '72h' });
    await control('PUT /errors', { code: 'card_declined', times: 1 });
    await control('PUT /chaos', { fail: 1 });
    await fetch(emulator.edgeUrl);
    expect((await control('POST /import', body)).status).toBe(200);
    expect(emulator.clock.now()).toEqual(then);
    expect((await api('GET /domains')).status).toBe(200);
    expect((await control('GET /requests')).body.data).toEqual([]);
    await using receiver = await startReceiver();
    await api('PATCH /apps/current', { webhook_url: receiver.url });
    await api('POST /domains', { hostname: 'careers.acme.com' });
    await control('POST /clock/advance', { by: '0s' });
    expect(receiver.arrivals).toHaveLength(1);
  });

  test('refuse a document that is too large before they read it', async () => {
    await using underTest = await emulatorUnderTest();
    const { hostname, port, host } = new URL(underTest.emulator.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.write(
      `POST /_emulator/import HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 300000000\r\n\r\n{`,
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  test('refuse an export in an earlier format with 422, and change nothing', async () => {
    await using underTest = await emulatorUnderTest();
    await fill(underTest);
    const before = await visible(underTest);
    const { body } = await underTest.control('GET /export');
    const refused = await underTest.control('POST /import', { ...body, format: 1 });
    expect(refused.status).toBe(422);
    expect(refused.body.error.message).toContain('format must be');
    expect(await visible(underTest)).toBe(before);
  });

  test('refuse any other document with 422, name the mistake, and change nothing', async () => {
    await using underTest = await emulatorUnderTest();
    const { control } = underTest;
    await fill(underTest);
    const before = await visible(underTest);
    const good = (await control('GET /export')).body as unknown as {
      format: number;
      tables: Record<string, Record<string, unknown>[]>;
    };
    const tables = (change: Record<string, unknown>) => ({
      format: good.format,
      tables: { ...good.tables, ...change },
    });
    const [app = {}] = good.tables['apps'] ?? [];
    const facts = (name: string, value: string) =>
      tables({
        emulator_facts: good.tables['emulator_facts']?.map((row) =>
          row['name'] === name ? { name, value } : row,
        ),
      });
    for (const [wrong, message] of [
      [{}, 'format'],
      [{ ...good, format: good.format + 1 }, 'format must be'],
      [{ format: good.format, tables: null }, 'format'],
      [{ format: good.format, tables: [] }, 'tables.accounts'],
      [tables({ domains: undefined }), 'tables.domains'],
      [tables({ domains: {} }), 'tables.domains'],
      [tables({ events: [{ id: { nested: true } }] }), 'tables.events'],
      [tables({ events: [{ id: 'evt_1' }] }), 'a row of events'],
      [tables({ apps: [{ ...app, no_such_column: 1 }] }), 'a row of apps'],
      [tables({ apps: [] }), 'default app'],
      [tables({ emulator_facts: [] }), 'emulator_facts'],
      [facts('clock', 'not json'), 'emulator_facts'],
      [facts('clock', '{"mode":"frozen","offset_ms":0,"frozen_at":9e15}'), 'emulator_facts'],
      [facts('clock', '{"mode":"real","offset_ms":-9e15,"frozen_at":null}'), 'from 1970 to 9999'],
      [facts('clock', '{"mode":"auto","offset_ms":253402300799999,"frozen_at":null}'), 'from 1970 to 9999'],
      [facts('clock', '{"mode":"frozen","offset_ms":0,"frozen_at":null}'), 'frozen_at'],
      [facts('clock', '{"mode":"real","offset_ms":0,"frozen_at":1}'), 'frozen_at'],
      [facts('encryption_key', '"short"'), 'encryption_key'],
      [facts('encryption_key', JSON.stringify(Buffer.alloc(32).toString('base64'))), 'do not open'],
      [
        tables({ apps: good.tables['apps']?.map((row) => ({ ...row, signing_secret: 'x.y' })) }),
        'do not open',
      ],
    ] as const) {
      const { status, body } = await control('POST /import', wrong);
      expect({ message, status }).toEqual({ message, status: 422 });
      expect(body.error.message).toContain(message);
    }
    expect(await visible(underTest)).toBe(before);
    expect((await control('GET /export')).body).toEqual(good);
  });
});
