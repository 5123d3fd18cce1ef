import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { isProfiling, profileRows } from '../profile.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import type { Cost, Work } from './service-delivering.ts';

const ROUNDS = 2;
const APPS = 20;
const DOMAINS = 400;
const EVENTS_PER_DOMAIN = 10;
const DELIVERIES = DOMAINS * EVENTS_PER_DOMAIN;
/** The node must be this many times as fast as the queues that, like our deliveries, claim and end one job at a time. */
const TIMES_MIN = 5;

/** Measures ordered deliveries of a backlog by a node on Postgres, compared with two well-known job queues on the same server. */
export async function serviceOrderedDeliveries(): Promise<BenchRow[]> {
  const postgres = await startPostgres(['fsync=on']);
  const receiver = await startReceiver();
  const run = (how: Work['how']) => () => measure(postgres.url, receiver, how);
  try {
    const costs = await interleave<Work['how'], Cost>(ROUNDS, {
      service: run('service'),
      'graphile-worker': run('graphile-worker'),
      'graphile-worker in batches': run('graphile-worker in batches'),
      'pg-boss': run('pg-boss'),
      'pg-boss in batches': run('pg-boss in batches'),
      bare: run('bare'),
    });
    const rate = (how: Work['how']) => median(costs[how].map(({ wallMs }) => (DELIVERIES / wallMs) * 1000));
    const value = rate('service');
    const row = (how: Work['how'], timesMin: number | null = null): BenchRow => ({
      name: `ordered deliveries a second, Postgres, against ${how}`,
      unit: '',
      value,
      floor: rate(how),
      // There is no target with the profiler, because the profiler slows down only the service.
      target:
        timesMin === null || isProfiling
          ? null
          : { text: `${timesMin} times`, isMet: value >= timesMin * rate(how) },
    });
    return [
      row('graphile-worker', TIMES_MIN),
      row('pg-boss', TIMES_MIN),
      row('graphile-worker in batches', 1),
      row('pg-boss in batches', 1),
      row('bare'),
      ...cpuRows(costs),
      ...profileRows('a delivery', costs.service[0]?.parts ?? [], DELIVERIES),
    ];
  } finally {
    receiver.close();
    await postgres.stop();
  }
}

/** Returns rows with the CPU time for one delivery in each way, without the CPU time of Postgres. */
function cpuRows(costs: Record<Work['how'], Cost[]>): BenchRow[] {
  const cpuUs = (how: Work['how']) => (median(costs[how].map(({ cpu_ms }) => cpu_ms)) * 1000) / DELIVERIES;
  const ways = Object.keys(costs) as Work['how'][];
  const floor = cpuUs('bare');
  return ways.map((how) => ({
    name: `a delivery, CPU of ${how}`,
    unit: 'µs',
    value: cpuUs(how),
    floor,
    target: null,
  }));
}

export async function measure(serverUrl: string, receiver: Receiver, how: Work['how']): Promise<Cost> {
  const database = await freshDatabase(serverUrl);
  const sender = fork(path.join(import.meta.dirname, 'service-delivering.ts'));
  const kill = () => sender.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(sender, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`${how} ended with ${code} before it was done`);
  });
  failed.catch(() => undefined); // The process ends after it has sent its result.
  const said = () => Promise.race([once(sender, 'message'), failed]);
  try {
    const work: Work = {
      how,
      profiled: isProfiling && how === 'service',
      receiver_url: receiver.url,
      databaseUrl: database.url,
      apps: APPS,
      domains: DOMAINS,
      events_per_domain: EVENTS_PER_DOMAIN,
    };
    const ready = said();
    sender.send(work);
    await ready;
    const all = receiver.expect(DELIVERIES);
    const cost = said();
    cost.catch(() => undefined);
    sender.send('go');
    const bodies = await Promise.race([all, failed]);
    sender.send('received');
    if (how !== 'bare') checkOrder(bodies);
    const [measured] = await cost;
    return measured as Cost;
  } finally {
    kill();
    await exited;
    process.off('exit', kill);
    await database.drop();
  }
}

/** Checks the arrivals. @throws Error unless each event arrived once, and the events of every domain in order. */
function checkOrder(bodies: readonly string[]): void {
  const arrived = new Map<string, number>();
  for (const body of bodies) {
    const { domain, n } = JSON.parse(body) as { domain: string; n: number };
    if (n !== (arrived.get(domain) ?? 0) + 1) throw new Error(`${domain}: ${n} after ${arrived.get(domain)}`);
    arrived.set(domain, n);
  }
  if (arrived.size !== DOMAINS) throw new Error(`${arrived.size} domains`);
}

export interface Receiver {
  url: string;
  /** Collects the bodies of the next requests, in the order of arrival. */
  expect(count: number): Promise<string[]>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  let bodies: string[] = [];
  let waiting: { count: number; resolve: (bodies: string[]) => void } | null = null;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      response.end();
      bodies.push(body);
      if (bodies.length === waiting?.count) waiting.resolve(bodies);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    expect(count) {
      bodies = [];
      return new Promise((resolve) => {
        waiting = { count, resolve };
      });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
