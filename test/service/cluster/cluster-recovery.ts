import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import {
  answersOf,
  checkDeliveryIds,
  checkNothingLost,
  checkOrder,
  type Exported,
} from '../../journey/kill-recovery.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { runLoad } from './cluster-load.ts';
import { finishWork } from './finish-work.ts';

/** This time is longer than any lease of a job, a queue of events or an `Idempotency-Key`. */
const LEASES_MS = 150_000;

/**
 * Kills three nodes in turn under load, and restarts Postgres once in the middle. Then compares the responses, the deliveries and the
 * stored rows (`docs/webhooks.md`).
 */
export async function killNodesUnderLoad(kills: number, everyMs: number) {
  await using receiver = await startReceiver(answersOf(0.1));
  await using cluster = await startCluster(3, receiver.url);
  const stop = Promise.withResolvers<void>();
  const loading = runLoad(cluster, 6, stop.promise);
  try {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(everyMs * (0.5 + Math.random()));
      await cluster.nodes[kill % cluster.nodes.length]?.replace();
      if (kill === Math.floor(kills / 2)) await cluster.restartPostgres();
    }
    await sleep(everyMs);
  } finally {
    stop.resolve();
  }
  const load = await loading;
  await cluster.moveClock(LEASES_MS);
  await load.finish();
  await finishWork(cluster);

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
