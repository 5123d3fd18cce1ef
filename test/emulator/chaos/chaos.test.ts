import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { withChaos } from '../../../emulator/chaos/chaos.ts';
import { NO_CHAOS } from '../../../emulator/chaos/faults.ts';
import { startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

async function addAndSettle({ api, control }: EmulatorUnderTest, count = 1): Promise<void> {
  // Adds one domain after the other, so that the attempts always come in the same order and get the same random faults.
  for (let i = 0; i < count; i++) {
    await api('POST /domains', { hostname: `d${i}.acme.com` });
    await control('POST /clock/advance', { until: 'idle' });
  }
}

function isSigned({ arrivals }: WebhookReceiver, index: number, secret: string): boolean {
  const arrival = arrivals[index];
  if (arrival === undefined) throw new Error(`nothing arrived as number ${index}`);
  const { headers, body } = arrival;
  try {
    Stripe.webhooks.constructEvent(body, String(headers['service-signature']), secret);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

describe('PUT /chaos causes random faults in webhooks', () => {
  test('fail: attempts fail before they are sent, and are retried as usual', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const { api, control } = underTest;
    await control('PUT /chaos', { fail: 1 });
    await api('POST /domains', { hostname: 'dns-record-missing.acme.com' });
    await control('POST /clock/advance', { by: '10m' });
    expect(receiver.arrivals).toEqual([]);
    expect((await api('GET /events')).body.data[0]).toMatchObject({
      delivery: { status: 'pending', attempts: 3, last_error: 'connection_failed' },
    });
    await control('PUT /chaos', {});
    await control('POST /clock/advance', { until: 'idle' });
    expect(receiver.arrivals.map(({ type }) => type)).toEqual(['domain.created']);
    expect((await api('GET /events')).body.data[0]).toMatchObject({ delivery: { status: 'delivered' } });
  });

  test('duplicate: an attempt is sent twice, under one delivery id', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    await underTest.control('PUT /chaos', { duplicate: 1 });
    await addAndSettle(underTest);
    expect(receiver.arrivals).toHaveLength(6);
    expect(new Set(receiver.arrivals.map(({ delivery_id }) => delivery_id)).size).toBe(3);
  });

  test('bad_signature: every signature is wrong', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest({ webhook: receiver.url });
    const secret = underTest.emulator.webhookSecret;
    await underTest.control('PUT /chaos', { bad_signature: 1 });
    await addAndSettle(underTest);
    expect([0, 1, 2].map((index) => isSigned(receiver, index, secret))).toEqual([false, false, false]);
    await underTest.control('PUT /chaos', {});
    await underTest.api('POST /domains', { hostname: 'good.acme.com' });
    await underTest.control('POST /clock/advance', { by: '0s' });
    expect(isSigned(receiver, 3, secret)).toBe(true);
  });

  test('delay: an attempt is sent late, or not at all if the delay is as long as the timeout', async () => {
    const sent: string[] = [];
    const outbound = withChaos(
      {
        check: async () => 'allowed',
        close: async () => undefined,
        async send({ url }) {
          sent.push(url);
          return { ok: true, status_code: 200, headers: {}, response_ms: 1 };
        },
      },
      { signature_header: 'Service-Signature', signAt: async () => ({}) },
    );
    const body =
      '{"id":"evt_1","type":"domain.active","data":{"domain":{"id":"dom_1","hostname":"a.example"}}}';
    const attempt = (url: string) =>
      outbound.send({ method: 'POST', url, headers: {}, body, timeoutMs: 30, maxResponseBytes: 1 });
    outbound.chaos.set({ ...NO_CHAOS, delay_ms: 5 });
    expect(await attempt('http://late.example')).toMatchObject({ ok: true });
    outbound.chaos.set({ ...NO_CHAOS, delay_ms: 30 });
    expect(await attempt('http://never.example')).toMatchObject({ ok: false, problem: 'timeout' });
    expect(sent).toEqual(['http://late.example']);
  });

  test('reorder: an attempt waits briefly, so that a later event of another domain can overtake it', async () => {
    const sent: string[] = [];
    const outbound = withChaos(
      {
        check: async () => 'allowed',
        close: async () => undefined,
        async send({ url }) {
          sent.push(url);
          return { ok: true, status_code: 200, headers: {}, response_ms: 1 };
        },
      },
      { signature_header: 'Service-Signature', signAt: async () => ({}) },
    );
    const attempt = (hostname: string) =>
      outbound.send({
        method: 'POST',
        url: hostname,
        headers: {},
        body: JSON.stringify({
          id: 'evt_1',
          type: 'domain.active',
          data: { domain: { id: 'dom_1', hostname } },
        }),
        timeoutMs: 1000,
        maxResponseBytes: 1,
      });
    outbound.chaos.set({ ...NO_CHAOS, reorder: 1, domains: ['a.example'] });
    await Promise.all([attempt('a.example'), attempt('b.example')]);
    await attempt('a.example');
    expect(sent).toEqual(['b.example', 'a.example', 'a.example']);
  });

  test('the faults do not affect probes of the origin', async () => {
    await using receiver = await startReceiver();
    await using underTest = await emulatorUnderTest();
    await underTest.control('PUT /chaos', { fail: 1 });
    const { body } = await underTest.api('PATCH /apps/current', {
      origin_url: underTest.emulator.sandboxOrigin,
    });
    expect(body).toMatchObject({ origin_reachable: true });
    expect(receiver.arrivals).toEqual([]);
  });

  test.each([
    { fail: 2 },
    { fail: -0.1 },
    { delay: 5 },
    { delay: 'long' },
    { seed: 1.5 },
    { seed: -1 },
    { explode: 1 },
  ])('the request is refused with 422 and changes nothing if the body is %j', async (body) => {
    await using underTest = await emulatorUnderTest();
    const before = (await underTest.control('PUT /chaos', { fail: 0.5, seed: 7 })).body;
    expect(before).toEqual({ ...NO_CHAOS, fail: 0.5, seed: 7 });
    expect((await underTest.control('PUT /chaos', body)).status).toBe(422);
    expect((await underTest.control('GET /chaos')).body).toEqual(before);
  });
});

describe('the seed of random faults makes them repeatable', () => {
  const HOSTILE = { fail: 0.3, duplicate: 0.3, bad_signature: 0.3 };

  /** Lists the outcome of every attempt in order, without ids. */
  async function run(seed: number): Promise<string> {
    await using receiver = await startReceiver();
    // Seeds the ids too, because events of the same millisecond are sorted by id.
    await using underTest = await emulatorUnderTest({ webhook: receiver.url, seedIds: 'chaos' });
    await underTest.control('PUT /chaos', { ...HOSTILE, seed });
    await addAndSettle(underTest, 8);
    const seen = receiver.arrivals.map(({ hostname, type }, index) =>
      [hostname, type, isSigned(receiver, index, underTest.emulator.webhookSecret)].join(' '),
    );
    const events = (await underTest.api('GET /events?limit=100')).body.data;
    const attempts = events.map(({ delivery }) => (delivery as { attempts: number }).attempts);
    return createHash('sha256')
      .update(JSON.stringify([seen, attempts]))
      .digest('hex');
  }

  test('the same seed causes the same faults again, and another seed causes different faults', async () => {
    const [first, again, other] = [await run(42), await run(42), await run(43)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});
