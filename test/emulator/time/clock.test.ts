import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

const HOUR_MS = 3_600_000;

async function statusOf({ api }: EmulatorUnderTest, id: string): Promise<string> {
  return (await api(`GET /domains/${id}`)).body.status;
}

describe("POST /clock/advance moves the emulator's clock", () => {
  test('an advance by a duration runs all work that comes due, and responds once the work is done', async () => {
    await using underTest = await emulatorUnderTest();
    const { api, control } = underTest;
    const { id, created_at } = (await api('POST /domains', { hostname: 'careers.acme.com' })).body;
    for (const [by, status] of [
      ['2s999ms', 'pending_dns'],
      ['1ms', 'verifying'],
      ['3s', 'issuing'],
      ['3999ms', 'issuing'],
      ['1ms', 'active'],
    ]) {
      expect((await control('POST /clock/advance', { by })).status).toBe(200);
      expect(await statusOf(underTest, id)).toBe(status);
    }
    const { body } = await control('GET /clock');
    expect(Date.parse(body.now) - Date.parse(created_at)).toBe(10_000);
    expect(body).toMatchObject({ mode: 'frozen' });
  });

  test('an advance to a time stops there; a time in the past gets 422 and changes nothing', async () => {
    await using underTest = await emulatorUnderTest();
    const { control } = underTest;
    const { now } = (await control('GET /clock')).body;
    const to = new Date(Date.parse(now) + HOUR_MS).toISOString();
    expect((await control('POST /clock/advance', { to })).body.now).toBe(to);
    expect((await control('POST /clock/advance', { to })).body).toMatchObject({ now: to, steps: 0 });
    const back = await control('POST /clock/advance', { to: now });
    expect(back.status).toBe(422);
    expect(back.body.error.message).toContain('only moves forwards');
    expect((await control('GET /clock')).body.now).toBe(to);
  });

  test('an advance until idle makes a domain active and delivers its events; until next takes only one step', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const { api, control } = underTest;
    await control('POST /clock/advance', { until: 'idle' });
    const { id } = (await api('POST /domains', { hostname: 'careers.acme.com' })).body;
    await control('POST /clock/advance', { until: 'next' });
    expect(await statusOf(underTest, id)).toBe('verifying');
    await control('POST /clock/advance', { until: 'next' });
    expect(await statusOf(underTest, id)).toBe('issuing');
    const { done } = (await control('POST /clock/advance', { until: 'idle' })).body;
    expect(done).toEqual({ advance: 1, deliver: 1 });
    expect(await statusOf(underTest, id)).toBe('active');
    expect(receiver.arrivals.map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.active',
    ]);
    expect((await control('POST /clock/advance', { until: 'idle' })).body).toMatchObject({
      steps: 0,
      done: {},
    });
  });

  test('an advance until idle makes every retry to a failing receiver, and then stops', async () => {
    await using receiver = await startReceiver(() => 503);
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const { api, control } = underTest;
    const { created_at } = (await api('POST /domains', { hostname: 'dns-record-missing.acme.com' })).body;
    const { body } = await control('POST /clock/advance', { until: 'idle' });
    expect(receiver.arrivals).toHaveLength(8);
    expect(Date.parse(body.now) - Date.parse(created_at)).toBe(24 * HOUR_MS);
    expect((await api('GET /events')).body.data[0]).toMatchObject({
      delivery: { status: 'failed', attempts: 8, next_attempt_at: null },
    });
  });

  test('an advance until idle runs no expiry, renewal, flapping or probe, but an advance by a duration does', async () => {
    await using underTest = await emulatorUnderTest();
    const { api, control } = underTest;
    const stuck = (await api('POST /domains', { hostname: 'dns-record-missing.acme.com' })).body;
    const flapping = (await api('POST /domains', { hostname: 'dns-flapping.acme.com' })).body;
    await control('POST /clock/advance', { until: 'idle' });
    expect(await statusOf(underTest, stuck.id)).toBe('pending_dns');
    expect(await statusOf(underTest, flapping.id)).toBe('active');
    await control('POST /clock/advance', { by: '10s' });
    expect(await statusOf(underTest, flapping.id)).toBe('dns_broken');
    await control('POST /clock/advance', { by: '72h' });
    expect(await statusOf(underTest, stuck.id)).toBe('expired');
    const events = (await api(`GET /events?domain_id=${flapping.id}`)).body.data;
    expect(events.filter(({ type }) => type === 'domain.dns_broken')).toHaveLength(5);
  });

  test.each([
    {},
    { by: '72 hours' },
    { by: '-1s' },
    { by: 1000 },
    { by: '' },
    { by: '999999999d' },
    { by: '1s', to: '2030-01-01T00:00:00Z' },
    { to: 'tomorrow' },
    { to: '2030-02-30T00:00:00Z' },
    { until: 'later' },
  ])('the body %j gets 422, and does not move the clock', async (body) => {
    await using underTest = await emulatorUnderTest();
    const before = (await underTest.control('GET /clock')).body;
    expect((await underTest.control('POST /clock/advance', body)).status).toBe(422);
    expect((await underTest.control('GET /clock')).body.now).toBe(before.now);
  });

  test('clock.advance of the handle takes milliseconds or a duration, and refuses other values', async () => {
    await using underTest = await emulatorUnderTest();
    const { clock } = underTest.emulator;
    const before = clock.now().getTime();
    await clock.advance(1000);
    await clock.advance('1h30m');
    expect(clock.now().getTime() - before).toBe(1000 + 1.5 * HOUR_MS);
    for (const by of [Number.NaN, -1, Number.POSITIVE_INFINITY, 'soon']) {
      await expect(clock.advance(by)).rejects.toThrow();
    }
    const refused = { code: 'validation_failed' };
    await expect(clock.advance('soon')).rejects.toMatchObject(refused);
    await expect(clock.advanceTo('soon')).rejects.toMatchObject(refused);
    await expect(clock.setMode('soon' as never)).rejects.toMatchObject(refused);
    expect(clock.now().getTime() - before).toBe(1000 + 1.5 * HOUR_MS);
  });

  test('advances that are requested at the same time run one after the other', async () => {
    await using underTest = await emulatorUnderTest();
    const before = Date.parse((await underTest.control('GET /clock')).body.now);
    await Promise.all(
      Array.from({ length: 20 }, () => underTest.control('POST /clock/advance', { by: '1h' })),
    );
    expect(Date.parse((await underTest.control('GET /clock')).body.now) - before).toBe(20 * HOUR_MS);
  });
});

describe("the mode of the emulator's clock decides how time passes", () => {
  test('in the mode frozen, the clock stands still while real time passes', async () => {
    await using underTest = await emulatorUnderTest();
    const first = (await underTest.control('GET /clock')).body;
    const second = (await underTest.control('GET /clock')).body;
    expect(second.now).toBe(first.now);
    expect(first.mode).toBe('frozen');
  });

  test('in the mode auto, a domain becomes active and every delivery is attempted without a command', async () => {
    await using receiver = await startReceiver(({ type }) => (type === 'domain.active' ? 500 : 200));
    await using underTest = await emulatorUnderTest({ webhook: receiver.url, clock: 'auto' });
    const { id } = (await underTest.api('POST /domains', { hostname: 'careers.acme.com' })).body;
    await receiver.until(10);
    expect(await statusOf(underTest, id)).toBe('active');
    expect(receiver.arrivals.map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.verified',
      ...Array(8).fill('domain.active'),
    ]);
  });

  test('after a change of the mode, the clock continues from the current time, and never goes back', async () => {
    await using underTest = await emulatorUnderTest();
    const { control } = underTest;
    let last = Date.parse((await control('POST /clock/advance', { by: '72h' })).body.now);
    for (const mode of ['real', 'frozen', 'auto', 'real', 'frozen']) {
      const { status, body } = await control('PATCH /clock', { mode });
      expect(status).toBe(200);
      expect(body).toMatchObject({ mode });
      expect(Date.parse(body.now)).toBeGreaterThanOrEqual(last);
      expect(body.offset_ms).toBeGreaterThan(71 * HOUR_MS);
      last = Date.parse(body.now);
    }
  });

  test.each([{}, { mode: 'fast' }, { mode: 'real', offset_ms: 1 }])(
    'the request body %j gets 422 and does not set the mode',
    async (body) => {
      await using underTest = await emulatorUnderTest();
      expect((await underTest.control('PATCH /clock', body)).status).toBe(422);
    },
  );
});

test("the timestamp in a signature is in real time even if the emulator's clock was moved", async () => {
  await using receiver = await startReceiver();
  await using underTest = await emulatorUnderTest({ webhook: receiver.url });
  await underTest.control('POST /clock/advance', { by: '90d' });
  await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  await underTest.control('POST /clock/advance', { until: 'idle' });
  const [first] = receiver.arrivals;
  const t = Number(/^t=(\d+),/.exec(String(first?.headers['service-signature']))?.[1]);
  expect(Math.abs(Date.now() / 1000 - t)).toBeLessThan(300);
});

describe('a long move of the clock probes the origin only a few times', () => {
  test.each([
    [200, 2],
    // An origin is unreachable after three failures. The first failure happened before this move of the clock.
    [500, 3],
  ])('if the origin responds with %i, it gets %i probes, the last one at the end', async (status, count) => {
    let probes = 0;
    const origin = createServer((_, response) => {
      probes++;
      response.writeHead(status).end();
    });
    origin.listen(0, '127.0.0.1');
    await once(origin, 'listening');
    const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
    await using underTest = await emulatorUnderTest({ origin: url });
    await underTest.control('POST /clock/advance', { by: '0s' });
    probes = 0;
    await underTest.control('POST /clock/advance', { by: '61d' });
    expect(probes).toBe(count);
    const { body } = await underTest.api('GET /apps/current');
    expect(body['origin_checked_at']).toBe(underTest.emulator.clock.now().toISOString());
    origin.close();
  });
});
