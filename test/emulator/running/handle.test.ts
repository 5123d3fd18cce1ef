import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkNode } from '../../../emulator/emulator-options.ts';
import { type EmulatorOptions, startEmulator } from '../../../emulator/start.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { emulatorUnderTest } from './emulator-under-test.ts';

describe('startEmulator checks its options and its Node', () => {
  test.each([
    [{ clok: 'auto' }, 'unknown option "clok". Did you mean clock?'],
    [{ colour: 1 }, 'The options are port, edgePort'],
    [{ clock: 'fast' }, 'clock must be one of real, auto, frozen'],
    [{ port: '4400' }, 'port must be a port from 0 to 65535'],
    [{ port: 65_536 }, 'port must be'],
    [{ edgePort: -1 }, 'edgePort must be'],
    [{ file: '' }, 'file must be a path'],
    [{ webhook: 3000 }, 'webhook must be an address'],
    [{ seed: 7 }, 'seed must be'],
    [{ seedIds: {} }, 'seedIds must be'],
    [{ caFolder: '' }, 'caFolder must be a path'],
    [{ log: 'x' }, 'log must be'],
  ])('refuses %j before it opens anything', async (options, message) => {
    await expect(startEmulator(options as EmulatorOptions)).rejects.toThrow(message);
  });

  test.each(['v22.20.0', 'v18.0.0', '23.11.1'])('refuses Node %s as too old', (version) => {
    expect(() => checkNode(version)).toThrow(`needs Node 24 or newer, but this is ${version}`);
  });

  test('accepts Node 24 and later', () => {
    for (const version of ['v24.0.0', 'v25.1.0', 'v100.0.0']) checkNode(version);
  });
});

describe('the handle of startEmulator controls the emulator', () => {
  test('closes its emulator with await using, and can be closed again without effect', async () => {
    let url: string;
    {
      await using emulator = await startEmulator();
      url = emulator.url;
      expect((await fetch(`${url}/_emulator/status`)).status).toBe(200);
      await emulator.close();
    }
    await expect(fetch(url)).rejects.toThrow();
  });

  test('is closed by POST /stop after the response, unless onStop is given', async () => {
    const stop = (url: string) => fetch(`${url}/_emulator/stop`, { method: 'POST' });
    const emulator = await startEmulator();
    expect((await stop(emulator.url)).status).toBe(204);
    await expect
      .poll(() =>
        fetch(emulator.url).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    const told = Promise.withResolvers<void>();
    await using other = await startEmulator({ onStop: told.resolve });
    await stop(other.url);
    await told.promise;
    expect((await fetch(`${other.url}/_emulator/status`)).status).toBe(200);
  });

  test('has trigger, which accepts a hostname or an id, and names the possible triggers in a refusal', async () => {
    await using underTest = await emulatorUnderTest();
    const { emulator, api } = underTest;
    const { id } = (await api('POST /domains', { hostname: 'careers.acme.com' })).body;
    expect(await emulator.trigger('careers.acme.com', 'dns_seen')).toMatchObject({ id, status: 'verifying' });
    expect(await emulator.trigger(id, 'dns_confirmed')).toMatchObject({ status: 'issuing' });
    const failed = await emulator.trigger(id, 'issuance_failed', { reason: 'caa_forbids' });
    expect(failed).toMatchObject({ status: 'cert_failed', status_reason: 'caa_forbids' });
    await expect(emulator.trigger(id, 'dns_seen')).rejects.toMatchObject({
      code: 'impossible_trigger',
      fix: expect.stringContaining('retry_issuance'),
    });
    await expect(emulator.trigger('no.acme.com', 'dns_seen')).rejects.toThrow('no domain no.acme.com');
  });

  test('has requests, mail, hold, release and failNext, which do the same as the control API', async () => {
    await using underTest = await emulatorUnderTest();
    const { emulator, api } = underTest;
    await fetch(`${emulator.edgeUrl}/seen`);
    expect(emulator.requests()).toMatchObject([{ path: '/seen' }]);
    expect(emulator.mail()).toEqual([]);
    emulator.failNext({ code: 'card_declined' });
    expect((await api('GET /domains')).status).toBe(402);
    await api('POST /domains', { hostname: 'careers.acme.com' });
    await emulator.hold('*.acme.com', 'phishing');
    expect((await api('GET /domains')).body.data).toMatchObject([{ status: 'held' }]);
    await emulator.release('*.acme.com');
    expect((await api('GET /domains')).body.data).toMatchObject([{ status: 'pending_dns' }]);
  });
});

describe('waitFor of the handle waits for an event or a status', () => {
  test('an earlier match, a later match or the state of a delivery ends the wait', async () => {
    let status = 500;
    await using receiver = await startReceiver(() => status);
    await using underTest = await emulatorUnderTest({ clock: 'auto', webhook: receiver.url });
    const { emulator, api } = underTest;
    const coming = emulator.waitFor(
      'domain.created host=dns-record-missing.acme.com failed attempts=8 status_code=500',
      {
        withinMs: 25 * 3_600_000,
      },
    );
    await api('POST /domains', { hostname: 'dns-record-missing.acme.com' });
    expect(await coming).toMatchObject({ delivery: { status: 'failed', attempts: 8 } });
    expect(await emulator.waitFor({ what: 'pending_dns', reason: 'dns_record_missing' })).toMatchObject({
      hostname: 'dns-record-missing.acme.com',
    });
    status = 200;
    await api('POST /domains', { hostname: 'careers.acme.com' });
    expect(await emulator.waitFor('domain.active host=careers.acme.com delivered')).toMatchObject({
      type: 'domain.active',
    });
    expect(await emulator.waitFor('active host=careers.acme.com')).toMatchObject({ status: 'active' });
  });

  test("uses the emulator's clock: a match after its timeout is too late, however soon it comes in real time", async () => {
    await using receiver = await startReceiver(() => 500);
    await using underTest = await emulatorUnderTest({ clock: 'auto', webhook: receiver.url });
    await underTest.api('POST /domains', { hostname: 'dns-record-missing.acme.com' });
    const { emulator } = underTest;
    await expect(emulator.waitFor('domain.created failed', { withinMs: 3_600_000 })).rejects.toMatchObject({
      code: 'wait_ran_out',
      nearest: { type: 'domain.created' },
    });
  });

  test('rejects if it waits for a delivery of an event but the app has no webhook_url', async () => {
    await using underTest = await emulatorUnderTest();
    await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
    const waits = underTest.emulator.waitFor('domain.created host=careers.acme.com delivered', {
      withinMs: 3_600_000,
    });
    await expect(waits).rejects.toThrow('was not sent because the app has no webhook_url');
    await using receiver = await startReceiver();
    await underTest.api('PATCH /apps/current', { webhook_url: receiver.url });
    const late = underTest.emulator.waitFor('domain.created delivered');
    await underTest.api('POST /domains', { hostname: 'jobs.acme.com' });
    expect(await late).toMatchObject({ hostname: 'jobs.acme.com' });
  });

  test('uses real time if the clock is frozen, and reports the closest match', async () => {
    await using underTest = await emulatorUnderTest();
    await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
    const waiting = underTest.emulator.waitFor('active host=careers.acme.com', { withinMs: 30 });
    await expect(waiting).rejects.toThrow(
      /active host=careers\.acme\.com had not happened by .*"status":"pending_dns"/,
    );
    const nothing = underTest.emulator.waitFor('domain.active', { withinMs: 30 });
    await expect(nothing).rejects.toThrow(/had not happened/);
  });

  test.each([
    ['', 'neither an event type'],
    ['domain.alive', 'neither an event type (domain.created'],
    ['domain.active reason=x', '"reason=x" is not possible after domain.active'],
    ['active delivered', '"delivered" is not possible after active'],
    ['domain.active attempts=many', 'needs a whole number'],
    ['domain.active hosts=x', '"hosts=x" is not possible'],
  ])('refuses %j with an explanation', async (expectation, message) => {
    await using underTest = await emulatorUnderTest();
    await expect(underTest.emulator.waitFor(expectation)).rejects.toThrow(message);
    expect((await underTest.control('POST /expect', { expect: expectation || ' ' })).status).toBe(422);
  });

  test('the wait rejects when the emulator closes', async () => {
    const emulator = await startEmulator({ clock: 'frozen' });
    const waiting = emulator.waitFor('domain.active', { withinMs: 60_000 });
    const ended = expect(waiting).rejects.toThrow();
    await emulator.close();
    await ended;
  });
});

test("the emulator's clock reports after a restart that it was moved", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-clock-'));
  const file = path.join(folder, 'state.db');
  {
    await using emulator = await startEmulator({ file, clock: 'frozen' });
    await emulator.clock.advance('72h');
  }
  await using again = await startEmulator({ file });
  expect(again.clock.mode).toBe('frozen');
  expect(again.clock.offsetMs).toBeGreaterThan(71 * 3_600_000);
  rmSync(folder, { recursive: true });
});

test("the emulator's clock reports the progress of a long move, and nothing once the move is done", async () => {
  let look = async (): Promise<unknown> => undefined;
  const seen: unknown[] = [];
  await using receiver = await startReceiver(async () => {
    await look();
    return 200;
  });
  await using underTest = await emulatorUnderTest({ webhook: receiver.url });
  const { control, api, emulator } = underTest;
  look = async () => seen.push((await control('GET /clock')).body['moving']);
  await api('POST /domains', { hostname: 'careers.acme.com' });
  await control('POST /clock/advance', { by: '10s' });
  const moving = { steps: expect.any(Number), to: emulator.clock.now().toISOString() };
  expect(seen.slice(1)).toEqual([moving, moving]);
  expect((await control('GET /clock')).body['moving']).toBeUndefined();
});
