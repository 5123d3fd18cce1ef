import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  type DistributionWorld,
  openDistributionWorld,
  type Program,
} from '../bench/edge/distribution-world.ts';
import { sampleHostname } from '../bench/edge/sample-values.ts';
import { describeNats } from '../fixtures/nats/nats-server.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { replicaDifferences } from './faults/replica-differences.ts';

const FOLLOWERS = Number(process.env['NATS_FOLLOWERS'] ?? 50);
const HOSTNAMES = Number(process.env['NATS_HOSTNAMES'] ?? 5_000);
const SEED = Number(process.env['NATS_SEED'] ?? 1);
/** The names of the faults to cause match this. */
const NAMED = new RegExp(process.env['NATS_FAULTS'] ?? '');
const CHANGES = Number(process.env['NATS_CHANGES'] ?? 10_000);
/** The maximum times until a deletion reaches every connected edge, and until the bucket has all changes. */
const GONE_MS_MAX = 5_000;
const COMPLETE_MS_MAX = 30_000;
/** The maximum additional time for each hostname while the relay fills an empty bucket. */
const FILLED_MS_EACH = 0.25;
/** Generous, because all edges share two cores, and may compare all their values. */
const CAUGHT_UP = { timeout: 60_000 + HOSTNAMES * FILLED_MS_EACH, interval: 200 };
const STREAM = 'KV_nameplate';
const PER_PROCESS = 10;

/** The programs of the world. Faults end, freeze and start them. */
interface Running {
  world: DistributionWorld;
  relays: (Program & { adminUrl: string })[];
  followers: Program[];
  folders: string[];
  /** The processes of followers that cannot hear changes now. */
  deaf: Set<number>;
  random: () => number;
}

interface Fault {
  name: string;
  forMs: number;
  /** Whether the bucket is empty after the fault. */
  empties?: true;
  /** Causes the fault. @returns a function that ends it. */
  cause(running: Running): Promise<() => Promise<void> | void>;
}

const activeRelay = async ({ world, relays }: Running): Promise<number> => {
  const { rows } = await world.query('select holder from edge_relay');
  const pid = Number(String(rows[0]?.holder).split(' ').at(-2));
  return Math.max(
    0,
    relays.findIndex(({ child }) => child.pid === pid),
  );
};
const killServers =
  (count: number, isLeader: boolean): Fault['cause'] =>
  async ({ world: { cluster } }) => {
    const leader = await cluster.leaderOf(STREAM);
    const first = isLeader ? leader : (leader + 1) % 3;
    const killed = Array.from({ length: count }, (_, n) => (first + n) % 3);
    for (const each of killed) await cluster.kill(each);
    return async () => {
      for (const each of killed) await cluster.restart(each);
    };
  };
const startFollowers = ({ world, folders, followers }: Running, index: number): void => {
  const own = folders.slice(index * PER_PROCESS, (index + 1) * PER_PROCESS);
  world.forgetReady(own.map((_, n) => index * PER_PROCESS + n));
  const [program] = world.startFollowers(own, index * PER_PROCESS);
  if (program !== undefined) followers[index] = program;
};

const FAULTS: readonly Fault[] = [
  { name: 'kill -9 of the server that leads the bucket', forMs: 15_000, cause: killServers(1, true) },
  { name: 'kill -9 of another server', forMs: 8_000, cause: killServers(1, false) },
  { name: 'kill -9 of two servers of three', forMs: 15_000, cause: killServers(2, true) },
  {
    name: 'kill -9 of the relay',
    forMs: 8_000,
    async cause(running) {
      const index = await activeRelay(running);
      running.relays[index]?.child.kill('SIGKILL');
      return async () => {
        running.relays[index] = await running.world.startRelay();
      };
    },
  },
  {
    name: 'the relay is frozen',
    forMs: 20_000,
    async cause(running) {
      const relay = running.relays[await activeRelay(running)];
      relay?.child.kill('SIGSTOP');
      return () => void relay?.child.kill('SIGCONT');
    },
  },
  {
    name: 'kill -9 of ten followers',
    forMs: 4_000,
    async cause(running) {
      running.deaf.add(0);
      running.followers[0]?.child.kill('SIGKILL');
      return async () => {
        startFollowers(running, 0);
        await running.world.untilReady(running.folders.slice(0, PER_PROCESS).map((_, n) => n));
        running.deaf.delete(0);
      };
    },
  },
  {
    name: 'ten followers are frozen',
    forMs: 15_000,
    async cause({ followers, deaf }) {
      deaf.add(1);
      followers[1]?.child.kill('SIGSTOP');
      return () => {
        followers[1]?.child.kill('SIGCONT');
        deaf.delete(1);
      };
    },
  },
  {
    name: 'all connections to Postgres are cut',
    forMs: 5_000,
    async cause({ world }) {
      await world.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      );
      return () => undefined;
    },
  },
  {
    name: 'the bucket is deleted',
    forMs: 10_000,
    empties: true,
    async cause({ world }) {
      const observer = await world.observe();
      await observer.nc.request(`$JS.API.STREAM.DELETE.${STREAM}`, '', { timeout: 60_000 });
      await observer.nc.close();
      return () => undefined;
    },
  },
  {
    name: 'all servers lose their disks',
    forMs: 10_000,
    empties: true,
    async cause({ world: { cluster } }) {
      for (const server of [0, 1, 2]) await cluster.kill(server);
      for (const server of [0, 1, 2]) cluster.loseDisk(server);
      for (const server of [0, 1, 2]) await cluster.restart(server);
      return () => undefined;
    },
  },
];

/** Waits until the bucket has all changes. @returns the milliseconds that this took; Infinity after four times `maxMs`. */
async function untilComplete({ world }: Running, maxMs = COMPLETE_MS_MAX): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { rows } = await world.query(
      `select report::json ->> 'generation' is not null and (report::json ->> 'pending')::int = 0 and report::json ->> 'error' is null
        and until > extract(epoch from clock_timestamp()) * 1000 as done from edge_relay`,
    );
    if (rows[0]?.done) return performance.now() - from;
    if (performance.now() - from > 4 * maxMs) return Number.POSITIVE_INFINITY;
    await delay(100);
  }
}

/** Commits changes during a fault, and a deletion each second. @returns the slowest deletion until no connected follower served it. */
async function changeDuring(
  running: Running,
  forMs: number,
  nextDeleted: () => number,
): Promise<{ changes: number; goneMs: number }> {
  const { world, folders, deaf, random, followers } = running;
  const until = performance.now() + forMs;
  const deletions: { hostname: string; at: number }[] = [];
  let changes = 0;
  for (let deletedAt = 0; performance.now() < until; changes++) {
    await world.commit(Math.floor((random() * HOSTNAMES) / 2));
    if (performance.now() - deletedAt > 1_000) {
      deletedAt = performance.now();
      const n = nextDeleted();
      const hostname = sampleHostname(n);
      for (const { child } of followers) child.stdin?.write(`${hostname}\n`);
      deletions.push({ hostname, at: await world.commit(n, 'delete') });
    }
    await delay(5);
  }
  const hearing = folders.map((_, n) => n).filter((n) => !deaf.has(Math.floor(n / PER_PROCESS)));
  const times: number[] = [];
  for (const { hostname, at } of deletions) {
    const isGone = () => hearing.every((n) => world.gone.has(`${n} ${hostname}`));
    const waitedUntil = performance.now() + 6 * GONE_MS_MAX;
    while (!isGone() && performance.now() < waitedUntil) await delay(20);
    times.push(...hearing.map((n) => (world.gone.get(`${n} ${hostname}`) ?? Number.POSITIVE_INFINITY) - at));
  }
  return { changes, goneMs: Math.max(0, ...times) };
}

describeNats('edges that read from NATS', () => {
  test(`${FOLLOWERS} edges with ${HOSTNAMES} hostnames stay up to date through every fault`, {
    timeout: 3_600_000,
  }, async () => {
    const world = await openDistributionWorld({ hostnames: HOSTNAMES });
    const random = seededRandom(SEED);
    try {
      const folders = Array.from({ length: FOLLOWERS }, (_, n) => path.join(world.folder, `edge-${n}`));
      const relays = [await world.startRelay(), await world.startRelay()];
      const followers = world.startFollowers(folders);
      const running: Running = { world, relays, followers, folders, deaf: new Set(), random };
      await world.untilReady(folders.map((_, n) => n));
      let deleted = HOSTNAMES;
      let committed = 0;
      const rows: Record<string, unknown>[] = [];
      const order = FAULTS.filter(({ name }) => NAMED.test(name))
        .map((fault) => ({ fault, at: random() }))
        .sort((one, other) => one.at - other.at);
      for (const { fault } of order) {
        const end = await fault.cause(running);
        const { changes, goneMs } = await changeDuring(running, fault.forMs, () => --deleted);
        committed += changes;
        await end();
        const maxMs = COMPLETE_MS_MAX + (fault.empties ? HOSTNAMES * FILLED_MS_EACH : 0);
        const completeMs = await untilComplete(running, maxMs);
        console.log(fault.name, { changes, goneMs, completeMs });
        rows.push({
          fault: fault.name,
          changes,
          'gone ms': Math.round(goneMs),
          'complete ms': Math.round(completeMs),
        });
        expect.soft(goneMs, `${fault.name}: deletion`).toBeLessThanOrEqual(GONE_MS_MAX);
        expect.soft(completeMs, `${fault.name}: bucket`).toBeLessThanOrEqual(maxMs);
      }
      while (committed < CHANGES) {
        const { changes } = await changeDuring(running, 5_000, () => --deleted);
        committed += changes;
      }
      await untilComplete(running);
      console.table(rows);
      expect(await bucketDifferences(world)).toEqual([]);
      const changedUntil = performance.now();
      for (const folder of folders)
        await expect
          .poll(async () => (await replicaDifferences(folder, world.databaseUrl)).length, CAUGHT_UP)
          .toBe(0);
      console.log(`all replicas were up to date after ${Math.round(performance.now() - changedUntil)} ms`);
      for (const { child, ended } of followers) {
        child.kill('SIGTERM');
        await ended;
      }
      for (const folder of folders)
        expect.soft(await replicaDifferences(folder, world.databaseUrl), folder).toEqual([]);
      console.log(
        `${committed} changes, seed ${SEED}: 0 differences of table, bucket and ${FOLLOWERS} replicas`,
      );
    } finally {
      await world.close();
    }
  });
});

/** Returns the keys whose version in the bucket differs from the version in the table. */
async function bucketDifferences(world: DistributionWorld): Promise<string[]> {
  const { nc, bucket } = await world.observe();
  const stored = new Set<string>();
  for await (const messages of (await bucket.openReader(1, { headersOnly: true })).read())
    for (const { value } of messages) if (value) stored.add(`${value.key} ${value.epoch} ${value.number}`);
  await nc.close();
  const { rows } = await world.query('select key, epoch, number from edge_values');
  const table = new Set(rows.map(({ key, epoch, number }) => `${key} ${epoch} ${number}`));
  return [...stored, ...table].filter((each) => !stored.has(each) || !table.has(each));
}
