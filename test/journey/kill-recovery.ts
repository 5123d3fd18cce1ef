import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { emptyHome } from '../cli/bin-process.ts';
import { emptyFolder } from '../cli/run-cli.ts';
import { type Arrival, startReceiver } from '../fixtures/webhook-receiver.ts';
import { type EmulatorProcess, startEmulatorProcess } from './emulator-process.ts';

/**
 * Kills an emulator repeatedly during work, and restarts it on the same state file. Then compares the stored state with the received
 * webhooks (`docs/webhooks.md`).
 */
export async function killInMidWork(kills: number): Promise<{ events: number; repeated: number }> {
  const file = `${emptyFolder()}/state.db`;
  const env = emptyHome();
  await using receiver = await startReceiver(answersOf(0.1));
  const flags = ['--port', '0', '--file', file];
  const created: string[] = [];
  let latest = 0;

  for (let kill = 0; kill < kills; kill++) {
    const first = kill === 0 ? ['--clock', 'auto', '--webhook', receiver.url] : [];
    await using emulator = await startEmulatorProcess([...flags, ...first], env);
    // No stored time is ahead of the clock, so the clock's offset was preserved.
    expect(await emulator.now()).toBeGreaterThanOrEqual(Math.max(latest, newest(receiver.arrivals)));
    latest = await emulator.now();
    const before = created.length;
    const work = load(emulator, kill, created);
    await expect.poll(() => created.length).toBeGreaterThan(before);
    await sleep(20 + Math.random() * 280);
    await emulator.kill();
    await work;
  }

  await using emulator = await startEmulatorProcess(flags, env);
  await emulator.control('POST /clock/advance', { until: 'idle' });
  const { tables } = (await emulator.control('GET /export')) as unknown as Exported;
  expect(emulator.bin.stderr()).toBe('');
  checkNothingLost(tables, created, receiver.arrivals);
  checkOrder(tables, receiver.arrivals);
  checkDeliveryIds(tables, receiver.arrivals);
  return { events: tables.events.length, repeated: receiver.arrivals.length - tables.deliveries.length };
}

/** The stored tables, with the fields that the test reads. */
export interface Exported {
  tables: {
    domains: { id: string; status: string }[];
    events: { id: string; domain_id: string; seq: number; created_at: number; delivery_status: string }[];
    deliveries: { id: string; event_id: string; attempt: number; status_code: number | null }[];
  };
}

/** A receiver fails each event at most this many times, so no event uses up its retries. */
const FAILURES_MAX = 4;

/**
 * Returns the response function of a receiver that is sometimes slow and fails a share of the deliveries. A repeated delivery gets the same
 * response as the first time.
 */
export function answersOf(failing: number): (arrival: Arrival) => Promise<number> {
  const answers = new Map<string, number>();
  const failures = new Map<string, number>();
  return async ({ event_id, delivery_id }) => {
    const failed = failures.get(event_id) ?? 0;
    const fails = failed < FAILURES_MAX && Math.random() < failing;
    const status = answers.get(delivery_id) ?? (fails ? 500 : 200);
    if (!answers.has(delivery_id) && fails) failures.set(event_id, failed + 1);
    answers.set(delivery_id, status);
    if (Math.random() < 0.2) await sleep(Math.random() * 30);
    return status;
  };
}

/** Creates domains in bursts and deletes some of them, until the emulator is killed. */
async function load(emulator: EmulatorProcess, round: number, created: string[]): Promise<void> {
  try {
    for (let burst = 0; ; burst++) {
      const hostnames = [0, 1, 2, 3].map((i) => `d${i}.b${burst}.r${round}.example.com`);
      const added = await Promise.all(
        hostnames.map((hostname) => emulator.api('POST /domains', { hostname })),
      );
      const ids = added.filter(({ status }) => status === 201).map(({ body }) => String(body['id']));
      created.push(...ids);
      await sleep(5 + Math.random() * 30);
      if (burst % 3 === 0) await emulator.api(`DELETE /domains/${ids[0]}`);
    }
  } catch (error) {
    // The kill of the emulator ends the loop with this error. Any other error is a failure.
    if (!(error instanceof TypeError) || error.message !== 'fetch failed') throw error;
  }
}

function newest(arrivals: readonly Arrival[]): number {
  return Math.max(0, ...arrivals.map(({ body }) => Date.parse(JSON.parse(body).created_at)));
}

export function checkNothingLost(
  { domains, events }: Exported['tables'],
  created: string[],
  arrivals: Arrival[],
): void {
  const known = new Set(domains.map(({ id }) => id));
  expect(created.filter((id) => !known.has(id))).toEqual([]);
  expect(domains.filter(({ status }) => status !== 'active' && status !== 'deleted')).toEqual([]);
  expect(events.filter(({ delivery_status }) => delivery_status !== 'delivered')).toEqual([]);
  const arrived = new Set(arrivals.filter(({ status }) => status === 200).map(({ event_id }) => event_id));
  expect(events.filter(({ id }) => !arrived.has(id))).toEqual([]);
  const logged = new Set(events.map(({ id }) => id));
  expect(arrivals.filter(({ event_id }) => !logged.has(event_id))).toEqual([]);
}

/** Checks that the events of each domain are numbered without a gap, have increasing times, and first arrived in that order. */
export function checkOrder({ domains, events }: Exported['tables'], arrivals: Arrival[]): void {
  const ofDomain = Map.groupBy(events, ({ domain_id }) => domain_id);
  const seen = Map.groupBy(arrivals, ({ domain_id }) => domain_id);
  for (const { id } of domains) {
    const logged = (ofDomain.get(id) ?? []).toSorted((a, b) => a.seq - b.seq);
    expect(logged.map(({ seq }) => seq)).toEqual(logged.map((_, index) => index + 1));
    const times = logged.map(({ created_at }) => created_at);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    const firstSeen = [...new Set((seen.get(id) ?? []).map(({ event_id }) => event_id))];
    expect(firstSeen).toEqual(logged.map((event) => event.id));
  }
}

/** Checks that an event gets another delivery id only after a recorded failure, and that a delivery answered with 200 has only one id. */
export function checkDeliveryIds({ deliveries }: Exported['tables'], arrivals: Arrival[]): void {
  const eventOf = new Map(deliveries.map(({ id, event_id }) => [id, event_id]));
  expect(arrivals.filter(({ delivery_id, event_id }) => eventOf.get(delivery_id) !== event_id)).toEqual([]);
  for (const attempts of Map.groupBy(deliveries, ({ event_id }) => event_id).values()) {
    const codes = attempts.toSorted((a, b) => a.attempt - b.attempt).map(({ status_code }) => status_code);
    expect(codes).toEqual([...Array(codes.length - 1).fill(500), 200]);
  }
  const good = Map.groupBy(
    arrivals.filter(({ status }) => status === 200),
    ({ event_id }) => event_id,
  );
  for (const same of good.values()) {
    expect(new Set(same.map(({ delivery_id }) => delivery_id)).size).toBe(1);
  }
}

/** Kills an emulator while its clock moves through 90 days, and continues the move after each restart. */
export async function killWhileTheClockMoves(kills: number): Promise<void> {
  const file = `${emptyFolder()}/state.db`;
  const env = emptyHome();
  await using receiver = await startReceiver(answersOf(0.3));
  const flags = ['--port', '0', '--file', file];
  let latest = 0;
  for (let kill = 0; kill < kills; kill++) {
    const first = kill === 0 ? ['--clock', 'frozen', '--webhook', receiver.url] : [];
    await using emulator = await startEmulatorProcess([...flags, ...first], env);
    expect(await emulator.now()).toBeGreaterThanOrEqual(Math.max(latest, newest(receiver.arrivals)));
    for (let i = 0; i < 20; i++) await emulator.api('POST /domains', { hostname: `d${i}.r${kill}.acme.com` });
    const moving = emulator.control('POST /clock/advance', { by: '90d' }).catch(() => null);
    await sleep(10 + Math.random() * 200);
    await emulator.kill();
    await moving;
    latest = Math.max(latest, newest(receiver.arrivals));
  }
  await using emulator = await startEmulatorProcess(flags, env);
  expect(await emulator.now()).toBeGreaterThanOrEqual(latest);
  await emulator.control('POST /clock/advance', { until: 'idle' });
  const { tables } = (await emulator.control('GET /export')) as unknown as Exported;
  expect(tables.domains).toHaveLength(20 * kills);
  checkNothingLost(tables, [], receiver.arrivals);
  checkOrder(tables, receiver.arrivals);
  checkDeliveryIds(tables, receiver.arrivals);
}

/** Kills an emulator repeatedly during a reset. After each restart, the account with the default keys must exist. */
export async function killWhileItResets(kills: number): Promise<void> {
  const flags = ['--port', '0', '--file', `${emptyFolder()}/state.db`];
  const env = emptyHome();
  for (let kill = 0; kill <= kills; kill++) {
    await using emulator = await startEmulatorProcess(flags, env);
    expect((await emulator.api('GET /apps/current')).status).toBe(200);
    const resets = Array.from({ length: 50 }, () => emulator.control('POST /reset', {}));
    const ended = Promise.allSettled(resets);
    await resets[0];
    await sleep(Math.random() * 20);
    await emulator.kill();
    await ended;
  }
}
