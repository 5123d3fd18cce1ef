import { expect, test } from 'vitest';
import { startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';
import { type Answered, emulatorUnderTest } from '../running/emulator-under-test.ts';

test('with --seed-ids and a frozen clock, two runs of an emulator and a third after a reset are identical byte for byte', async () => {
  await using receiver = await startReceiver(({ hostname }) => (hostname.startsWith('refused') ? 500 : 200));
  const first = await run(receiver);
  expect(await run(receiver)).toEqual(first);
  expect(await run(receiver, { after_reset: true })).toEqual(first);
  // Checks that the compared output contains each kind of value that is otherwise random.
  const told = first.join('\n');
  for (const each of [
    '"connect_url"',
    'sk_test_',
    'whsec_',
    'dlv_',
    'req_',
    '"response_ms"',
    '"emulator_facts"',
  ])
    expect(told).toContain(each);
  expect(told).toContain('Confirm');
});

/** Returns the output of a run that creates each value that is otherwise random. Masks addresses, because their port differs. */
async function run(receiver: WebhookReceiver, { after_reset = false } = {}): Promise<string[]> {
  const options = { seedIds: 'one', clock: 'frozen', webhook: receiver.url } as const;
  await using underTest = await emulatorUnderTest(options);
  const { emulator } = underTest;
  if (after_reset) {
    await underTest.api('POST /domains', { hostname: 'forgotten.acme.com' });
    await emulator.clock.untilIdle();
    await emulator.reset();
  }
  const begunWith = receiver.arrivals.length;
  const told: string[] = [];

  async function tell(way: 'api' | 'control', call: string, body?: unknown) {
    const answer = await underTest[way](call, body);
    told.push(`${call} ${answer.status} ${answer.headers.get('x-request-id')} ${bodyOf(answer)}`);
    return answer.body;
  }
  const settle = () => tell('control', 'POST /clock/advance', { until: 'idle' });

  await tell('control', 'POST /apps', { name: 'Other' });
  await tell('api', 'POST /keys', { name: 'Another', mode: 'test' });
  const created = [];
  for (const hostname of HOSTNAMES) created.push(await tell('api', 'POST /domains', { hostname }));
  const form = {
    method: 'POST',
    body: new URLSearchParams({ address: 'ada@example.com' }),
    redirect: 'manual',
  } as const;
  expect((await fetch(`${created[0]?.connect_url}/notify`, form)).status).toBe(303);
  await tell('api', 'POST /domains', { hostname: 'no hostname' });
  await settle();
  await tell('api', 'POST /apps/current/signing-secret/rotate', {});
  await tell('control', 'POST /seed', {
    apps: [{ name: 'Seeded' }],
    domains: [{ hostname: 'seeded.acme.com', status: 'active' }],
  });
  await tell('control', 'POST /clock/advance', { by: '100d' });
  for (const { id } of created) await tell('api', `GET /domains/${id}`);
  await tell('api', `DELETE /domains/${created[0]?.id}`);
  await settle();
  const { data: events } = await tell('api', 'GET /events?limit=100');
  for (const { id } of events) await tell('api', `GET /events/${id}`);
  await tell('api', `POST /events/${events[0]?.id}/redeliver`, {});
  await settle();
  for (const list of ['/apps/current', '/keys', '/domains']) await tell('api', `GET ${list}`);
  await tell('control', 'GET /mail');
  await tell('control', 'GET /export');

  for (const { headers, body } of receiver.arrivals.slice(begunWith)) {
    const sent = Object.entries(headers).filter(([name]) => !HELD_AGAINST_A_CLOCK.includes(name));
    told.push(JSON.stringify([sent, body]));
  }
  return told.map((text) => text.replaceAll(emulator.url, 'http://127.0.0.1:port'));
}

const HOSTNAMES = [
  'acme.com',
  'careers.acme.com',
  'refused.acme.com',
  'dns-flapping.acme.com',
  'caa-forbids.acme.com',
];

/** Signatures contain the machine's time, because receivers compare it with their own clock. */
const HELD_AGAINST_A_CLOCK = ['service-signature', 'webhook-signature', 'webhook-timestamp'];

/** Removes the fields that differ between machines: the offset from the machine's time, and the work that ran before the call. */
function bodyOf({ body }: Answered): string {
  if (body === null) return '';
  const { offset_ms, steps, done, ...same } = body;
  return JSON.stringify(same);
}
