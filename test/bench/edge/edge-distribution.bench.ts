import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NATS_SERVER } from '../../fixtures/nats/nats-server.ts';
import type { BenchRow } from '../report.ts';
import { openDistributionWorld } from './distribution-world.ts';
import { sampleHostname } from './sample-values.ts';

const FOLLOWERS = 50;
/** The hostnames of the followers' replicas. All followers share one disk here, so a million would need 130 GB. */
const FOLLOWED = 2_000;
const CHANGES = 200;
const CHANGE_EVERY_MS = 100;
const COPY_MS_MAX = 120_000;
const LAST_MS_MAX = 250;

/**
 * Measures how changes reach edges through three NATS servers: from a commit to the last of 50 followers, and the first copy of a
 * bucket. `--full` copies 1 000 000 hostnames with certificates.
 */
export async function edgeDistribution(): Promise<BenchRow[]> {
  if (NATS_SERVER.programs.some((program) => !existsSync(program))) {
    console.error('SKIPPED edge-distribution: nats-server is not installed');
    return [];
  }
  const full = process.argv.includes('--full');
  return [...(await lastOfMany()), ...(await firstCopy(full ? 1_000_000 : 50_000))];
}

/** Measures the time from a commit to the last follower that serves it. */
async function lastOfMany(): Promise<BenchRow[]> {
  const world = await openDistributionWorld({ hostnames: FOLLOWED });
  try {
    await world.startRelay();
    const folders = Array.from({ length: FOLLOWERS }, (_, n) => path.join(world.folder, `edge-${n}`));
    world.startFollowers(folders);
    const all = folders.map((_, n) => n);
    await world.untilReady(all);
    const times: number[] = [];
    for (let n = 0; n < CHANGES; n++) {
      const hostname = sampleHostname(n);
      for (const follower of all) world.seen.delete(`${follower} ${hostname}`);
      const committed = await world.commit(n);
      while (!all.every((follower) => world.seen.has(`${follower} ${hostname}`))) await delay(5);
      times.push(
        Math.max(...all.map((follower) => world.seen.get(`${follower} ${hostname}`) ?? 0)) - committed,
      );
      await delay(CHANGE_EVERY_MS);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
    return [
      {
        name: `from a commit to the last of ${FOLLOWERS} edges, 95th percentile against the median`,
        unit: 'ms',
        value: at(0.95),
        floor: at(0.5),
        target: { text: `${LAST_MS_MAX} ms at most`, isMet: at(0.95) <= LAST_MS_MAX },
      },
    ];
  } finally {
    await world.close();
  }
}

/** Measures the fill of an empty bucket by the relay, and the first copy of an edge. */
async function firstCopy(hostnames: number): Promise<BenchRow[]> {
  const world = await openDistributionWorld({ hostnames });
  try {
    const now = () => performance.timeOrigin + performance.now();
    const filledFrom = now();
    await world.startRelay();
    const { nc, bucket } = await world.observe();
    const isFilled = async () =>
      (await world.query(`select 1 from edge_relay where report::json ->> 'generation' is not null`)).rows
        .length > 0;
    while (!(await isFilled())) await delay(200);
    const filledMs = now() - filledFrom;
    console.error(`edge-distribution: the relay has filled the bucket in ${(filledMs / 1000).toFixed(0)} s`);
    // The floor: the same messages, read and not stored.
    const readFrom = now();
    for await (const _ of (await bucket.openReader(1)).read());
    const readMs = now() - readFrom;
    await nc.close();
    const copiedFrom = now();
    world.startFollowers([path.join(world.folder, 'edge-0')]);
    const copyMs = (await world.untilReady([0])) - copiedFrom;
    const name = `edge with ${hostnames} hostnames over JetStream`;
    return [
      {
        name: `${name}, first copy with the start of its process, against the same messages not stored`,
        unit: 'ms',
        value: copyMs,
        floor: readMs,
        target: { text: `${COPY_MS_MAX} ms at most`, isMet: copyMs <= COPY_MS_MAX },
      },
      {
        name: `${name}, fill of the empty bucket by the relay`,
        unit: 'ms',
        value: filledMs,
        floor: null,
        target: null,
      },
    ];
  } finally {
    await world.close();
  }
}
