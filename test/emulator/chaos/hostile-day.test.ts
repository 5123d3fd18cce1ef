import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { type Arrival, startReceiver } from '../../fixtures/webhook-receiver.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

/** Verifies a webhook as a receiver must, with the usual tolerance for its age. */
function verdict({ headers, body }: Arrival, secret: string): 'good' | 'wrong' | 'old' {
  try {
    Stripe.webhooks.constructEvent(body, String(headers['service-signature']), secret);
    return 'good';
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    return error.message.includes('tolerance') ? 'old' : 'wrong';
  }
}

async function add({ api }: EmulatorUnderTest, ...hostnames: string[]): Promise<void> {
  for (const hostname of hostnames) await api('POST /domains', { hostname });
}

describe("the emulator's faults test a webhook receiver", () => {
  test('timeout: the receiver gets the attempt, but the emulator ignores the response and repeats the attempt', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    underTest.emulator.chaos({ timeout: 1 });
    await add(underTest, 'dns-record-missing.acme.com');
    await underTest.emulator.clock.advance('0s');
    const [event] = (await underTest.api('GET /events')).body.data;
    expect(event).toMatchObject({ delivery: { status: 'pending', attempts: 1, last_error: 'timeout' } });
    underTest.emulator.chaos({});
    await underTest.emulator.clock.untilIdle();
    expect(receiver.arrivals.map(({ event_id }) => event_id)).toEqual([event?.id, event?.id]);
  });

  test('old_signature: every signature is valid, but older than a receiver accepts', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const { emulator } = underTest;
    emulator.chaos({ old_signature: 1 });
    await add(underTest, 'careers.acme.com');
    await emulator.clock.advance('0s');
    const [arrival] = receiver.arrivals;
    if (!arrival) throw new Error('nothing arrived');
    expect(verdict(arrival, emulator.webhookSecret)).toBe('old');
    const loose = Stripe.webhooks.constructEvent(
      arrival.body,
      String(arrival.headers['service-signature']),
      emulator.webhookSecret,
      3600,
    );
    expect(loose.id).toBe(arrival.event_id);
    const t = /t=(\d+)/.exec(String(arrival.headers['service-signature']))?.[1];
    expect(arrival.headers['webhook-timestamp']).toBe(t);
  });

  test.each([
    ['-1h', -3600],
    ['90s', 90],
  ])('skew %s: the timestamp of every signature is shifted by this duration', async (skew, expectedS) => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    underTest.emulator.chaos({ skew });
    await add(underTest, 'careers.acme.com');
    await underTest.emulator.clock.advance('0s');
    const t = Number(receiver.arrivals[0]?.headers['webhook-timestamp']);
    expect(Math.abs(t - expectedS - Date.now() / 1000)).toBeLessThan(60);
  });

  test('reorder: the events of one domain stay in order, and none is lost', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const names = Array.from({ length: 8 }, (_, i) => `d${i}.acme.com`);
    await add(underTest, ...names);
    await underTest.emulator.clock.advance('0s');
    receiver.arrivals.length = 0;
    underTest.emulator.chaos({ reorder: 0.5, seed: 3 });
    await underTest.emulator.clock.untilIdle();
    const verified = receiver.arrivals.filter(({ type }) => type === 'domain.verified');
    expect(verified.map(({ hostname }) => hostname).toSorted()).toEqual(names);
    for (const name of names) {
      const own = receiver.arrivals.filter(({ hostname }) => hostname === name);
      expect(own.map(({ type }) => type)).toEqual(['domain.verified', 'domain.active']);
    }
  });

  test('types and domains: only matching events get faults', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    underTest.emulator.chaos({ duplicate: 1, types: ['domain.active'], domains: ['one.acme.com'] });
    await add(underTest, 'one.acme.com', 'two.acme.com');
    await underTest.emulator.clock.untilIdle();
    const count = (hostname: string, type: string) =>
      receiver.arrivals.filter((each) => each.hostname === hostname && each.type === type).length;
    expect(count('one.acme.com', 'domain.active')).toBe(2);
    expect(count('one.acme.com', 'domain.verified')).toBe(1);
    expect(count('two.acme.com', 'domain.active')).toBe(1);
  });

  test('hostile: a receiver that verifies and deduplicates still gets every event in order', async () => {
    const taken = new Map<string, string[]>();
    const seen = { good: 0, wrong: 0, old: 0, again: 0 };
    const known = new Set<string>();
    let secret = '';
    await using receiver = await startReceiver((arrival) => {
      const how = verdict(arrival, secret);
      seen[how]++;
      if (how !== 'good') return 400;
      if (known.has(arrival.event_id)) seen.again++;
      else taken.set(arrival.hostname, [...(taken.get(arrival.hostname) ?? []), arrival.type]);
      known.add(arrival.event_id);
      return 200;
    });
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    secret = underTest.emulator.webhookSecret;
    underTest.emulator.chaos({ preset: 'hostile', seed: 7 });
    const names = Array.from({ length: 12 }, (_, i) => `d${i}.acme.com`);
    await add(underTest, ...names);
    await underTest.emulator.clock.untilIdle();
    for (const name of names)
      expect([name, taken.get(name)]).toEqual([name, ['domain.created', 'domain.verified', 'domain.active']]);
    expect(seen.wrong).toBeGreaterThan(0);
    expect(seen.old).toBeGreaterThan(0);
    expect(seen.again).toBeGreaterThan(0);
    const events = (await underTest.api('GET /events?limit=100')).body.data;
    expect(events.every((event) => (event['delivery'] as { status: string }).status === 'delivered')).toBe(
      true,
    );
    expect(underTest.logged).toEqual([]);
  });
});

describe("the emulator's faults test a client of the API", () => {
  const statuses = async ({ api }: EmulatorUnderTest, count: number) => {
    const seen: number[] = [];
    for (let i = 0; i < count; i++) seen.push((await api('GET /domains')).status);
    return seen;
  };

  test('a share of the API requests gets 429 or 500, the same requests for the same seed', async () => {
    await using underTest = await emulatorUnderTest();
    const { emulator, control } = underTest;
    const faults = { api: { rate_limited: 0.3, internal_error: 0.3 }, seed: 5 };
    emulator.chaos(faults);
    const first = await statuses(underTest, 30);
    expect(new Set(first)).toEqual(new Set([200, 429, 500]));
    emulator.chaos(faults);
    expect(await statuses(underTest, 30)).toEqual(first);
    emulator.chaos({ api: { rate_limited: 1 } });
    expect((await control('GET /status')).status).toBe(200);
    expect((await fetch(`${emulator.url}/docs`)).status).toBe(200);
    emulator.chaos({});
    expect(await statuses(underTest, 3)).toEqual([200, 200, 200]);
    expect(underTest.logged).toEqual([]);
  });

  test('a fault can delay a normal response', async () => {
    await using underTest = await emulatorUnderTest();
    underTest.emulator.chaos({ api: { slow: 1, delay: '300ms' } });
    const slow = statuses(underTest, 1);
    const first = await Promise.race([slow, underTest.control('GET /status')]);
    expect(first).toMatchObject({ body: { ready: true } });
    expect(await slow).toEqual([200]);
  });
});
