import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';
import { startReceiver, type WebhookReceiver } from '../fixtures/webhook-receiver.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The maximum CPU time of the work, which needs far less. CPU time does not grow on a busy machine. */
const WORK_MS_MAX = 900;

let receiver: WebhookReceiver;
let underTest: EmulatorUnderTest;
let answer: number;

beforeEach(async () => {
  answer = 200;
  receiver = await startReceiver(() => answer);
  underTest = await emulatorUnderTest({ webhook: receiver.url });
  // This first request is not measured, because it includes the time to compile code.
  await underTest.api('POST /domains', { hostname: 'warm.acme.com' });
  await underTest.control('POST /clock/advance', { until: 'idle' });
  await underTest.control('POST /reset', {});
  receiver.arrivals.length = 0;
});
afterEach(async () => {
  await underTest[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function workMs(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function add(hostname: string) {
  return (await underTest.api('POST /domains', { hostname })).body;
}

function advance(body: object) {
  return underTest.control('POST /clock/advance', body);
}

test("an emulator's domain without its record expires after exactly 72 hours", async () => {
  const { id } = await add('dns-record-missing.acme.com');
  const tookMs = await workMs(async () => {
    await advance({ by: '71h59m59s' });
    expect((await underTest.api(`GET /domains/${id}`)).body.status).toBe('pending_dns');
    await advance({ by: '1s' });
    expect((await underTest.api(`GET /domains/${id}`)).body.status).toBe('expired');
  });
  expect(tookMs).toBeLessThan(WORK_MS_MAX);
  // Expiry causes no event (`docs/api.md#webhooks`). When the hostname is added again, a new 72-hour window begins.
  expect(receiver.arrivals.map(({ type }) => type)).toEqual(['domain.created']);
  expect(await underTest.api('POST /domains', { hostname: 'dns-record-missing.acme.com' })).toMatchObject({
    status: 200,
    body: { id, status: 'pending_dns' },
  });
});

test('a delivery in the emulator is retried seven times in 24 hours, each time when due', async () => {
  answer = 503;
  const { id, created_at } = await add('dns-record-missing.acme.com');
  const tookMs = await workMs(() => advance({ by: '25h' }));
  expect(tookMs).toBeLessThan(WORK_MS_MAX);
  const [event] = (await underTest.api(`GET /events?domain_id=${id}`)).body.data;
  const { deliveries, delivery } = (await underTest.api(`GET /events/${event?.id}`)).body as unknown as {
    deliveries: {
      attempt: number;
      created_at: string;
      status_code: number;
      next_attempt_at: string | null;
    }[];
    delivery: object;
  };
  const afterMs = [
    0,
    MINUTE_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
    24 * HOUR_MS,
  ];
  const at = (ms: number) => new Date(Date.parse(created_at) + ms).toISOString();
  expect(deliveries.toReversed()).toMatchObject(
    afterMs.map((ms, index) => {
      const next = afterMs[index + 1];
      return {
        attempt: index + 1,
        created_at: at(ms),
        status_code: 503,
        next_attempt_at: next === undefined ? null : at(next),
      };
    }),
  );
  expect(delivery).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null });
  expect(receiver.arrivals).toHaveLength(8);
  expect(new Set(receiver.arrivals.map(({ event_id }) => event_id)).size).toBe(1);
  expect(new Set(receiver.arrivals.map(({ delivery_id }) => delivery_id)).size).toBe(8);
});

test('the emulator renews a certificate on day 60 with its event, and again 60 days later', async () => {
  const { id } = await add('careers.acme.com');
  await advance({ until: 'idle' });
  const domain = (await underTest.api(`GET /domains/${id}`)).body;
  const certificate = domain['certificate'] as Record<'not_before' | 'not_after' | 'renews_at', string>;
  const since = (field: keyof typeof certificate) =>
    Date.parse(certificate[field]) - Date.parse(certificate.not_before);
  expect([since('renews_at'), since('not_after')]).toEqual([60 * DAY_MS, 90 * DAY_MS]);

  const tookMs = await workMs(() => advance({ to: certificate.not_after }));
  expect(tookMs).toBeLessThan(WORK_MS_MAX);
  const renewed = receiver.arrivals.filter(({ type }) => type === 'domain.certificate_renewed');
  expect(renewed).toHaveLength(1);
  expect(JSON.parse(renewed[0]?.body ?? '')).toMatchObject({
    created_at: certificate.renews_at,
    data: { previous_status: 'active', domain: { id, status: 'active' } },
  });
  const again = (await underTest.api(`GET /domains/${id}`)).body;
  expect(again).toMatchObject({ status: 'active', certificate: { not_before: certificate.renews_at } });
  await advance({ by: '30d' });
  expect(receiver.arrivals.filter(({ type }) => type === 'domain.certificate_renewed')).toHaveLength(2);
});

test('fifty domains expire, retry and renew in the order in which their steps become due', async () => {
  for (let i = 0; i < 25; i++) {
    await add(`d${i}.acme.com`);
    await add(`dns-record-missing.d${i}.example.org`);
  }
  await advance({ by: '90d' });
  const times = receiver.arrivals.map(({ body }) => Date.parse(JSON.parse(body).created_at));
  expect(receiver.arrivals).toHaveLength(25 + 25 * 4);
  for (let i = 1; i < times.length; i++) {
    // The clock runs all work that is due at the same time in one step.
    expect(times[i]).toBeGreaterThanOrEqual((times[i - 1] ?? 0) - 1000);
  }
});
