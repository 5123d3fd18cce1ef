import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import {
  answersOf,
  checkDeliveryIds,
  checkNothingLost,
  checkOrder,
  type Exported,
} from '../journey/kill-recovery.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { runLoad } from './cluster-load.ts';

/** Longer than a lease of the longest kind: of a job, of a lane, of an Idempotency-Key. */
const LEASES_MS = 150_000;
const MOVES_MAX = 300;
/** Many steps are due within it. */
const STEP_MS_MIN = 15 * 60_000;
const POLL_MS = 200;
const POLLS_MAX = 300;

/**
 * Kills one node of three after the other under load, and restarts Postgres once in the middle; then holds what was answered, what
 * arrived and what is stored against each other (`docs/webhooks.md`).
 */
export async function killNodesUnderLoad(kills: number, every_ms: number) {
  await using receiver = await startReceiver(answersOf(0.1));
  await using cluster = await startCluster(3, receiver.url);
  const stop = Promise.withResolvers<void>();
  const loading = runLoad(cluster, 6, stop.promise);
  try {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(every_ms * (0.5 + Math.random()));
      await cluster.nodes[kill % cluster.nodes.length]?.replace();
      if (kill === Math.floor(kills / 2)) await cluster.restartPostgres();
    }
    await sleep(every_ms);
  } finally {
    stop.resolve();
  }
  const load = await loading;
  await cluster.moveClock(LEASES_MS);
  await load.finish();
  await settle(cluster);

  const tables = await readTables(cluster);
  expect(load.wrong).toEqual([]);
  expect(new Set(load.created).size).toBe(load.created.length);
  expect(tables.domains.length).toBe(load.created.length);
  checkNothingLost(tables, load.created, receiver.arrivals);
  checkOrder(tables, receiver.arrivals);
  checkDeliveryIds(tables, receiver.arrivals);
  return {
    answers: load.answers,
    revoked: load.revoked,
    domains: tables.domains.length,
    events: tables.events.length,
    repeated: receiver.arrivals.length - tables.deliveries.length,
  };
}

/** Moves the clock from one due step of a domain or delivery to the next until there is none. */
async function settle(cluster: Cluster): Promise<void> {
  for (let moves = 0; moves < MOVES_MAX; moves++) {
    const due_at = await untilNothingIsDue(cluster);
    if (due_at === null) return;
    await cluster.moveClock(Math.max(STEP_MS_MIN, due_at - cluster.now()));
  }
  throw new Error(`work is left after ${MOVES_MAX} moves of the clock`);
}

/** Waits while something is due or changes. @returns when the next thing is due, the end of a lease included. */
async function untilNothingIsDue(cluster: Cluster): Promise<number | null> {
  let before: number | null | undefined;
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const due_at = await nextDue(cluster);
    if (due_at === before && (due_at === null || due_at > cluster.now())) return due_at;
    before = due_at;
    await sleep(POLL_MS);
  }
  throw new Error(`work that is due was not done after ${POLLS_MAX} looks`);
}

async function nextDue({ database }: Cluster): Promise<number | null> {
  const { rows } = await database.query(`select min(due_at) as due_at from
    (select due_at from lanes union all select due_at from jobs where kind = 'advance') as work`);
  return rows[0].due_at === null ? null : Number(rows[0].due_at);
}

async function readTables({ database }: Cluster): Promise<Exported['tables']> {
  const rows = async (table: string) => (await database.query(`select * from ${table}`)).rows;
  return {
    domains: await rows('domains'),
    events: (await rows('events')).map((row) => ({
      ...row,
      seq: Number(row.seq),
      created_at: Number(row.created_at),
    })),
    deliveries: (await rows('deliveries')).map((row) => ({ ...row, attempt: Number(row.attempt) })),
  };
}
