import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import type { Cost, Work } from './delivering.ts';

const ROUNDS = 4;
const DOMAINS = 100;
const EVENTS_PER_DOMAIN = 30;
const DELIVERIES = DOMAINS * EVENTS_PER_DOMAIN;

/**
 * Measures ordered deliveries of a backlog in SQLite by the emulator's runner, compared with the same number of plain posts to the same
 * receiver.
 */
export async function orderedDeliveries(): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
  const receiver = await startReceiver();
  const run = (how: Work['how']) => () => measure(receiver, { how, folder });
  try {
    const { bare, ...stores } = await interleave<Work['how'], Cost>(ROUNDS, {
      bare: run('bare'),
      memory: run('memory'),
      file: run('file'),
    });
    const rate = (costs: readonly Cost[], kind: keyof Cost) =>
      median(costs.map((cost) => (DELIVERIES / cost[kind]) * 1000));
    return Object.entries(stores).flatMap(([how, costs]) =>
      (
        [
          ['wallMs', 'a second'],
          ['cpu_ms', 'per CPU second'],
        ] as const
      ).map(([kind, unit]) => ({
        name: `ordered deliveries, SQLite in ${how}, ${unit}`,
        unit: '',
        value: rate(costs, kind),
        floor: rate(bare, kind),
        target: null,
      })),
    );
  } finally {
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(receiver: Receiver, { how, folder }: Pick<Work, 'how' | 'folder'>): Promise<Cost> {
  const sender = fork(path.join(import.meta.dirname, 'delivering.ts'));
  const kill = () => sender.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(sender, 'exit');
  try {
    const all = receiver.expect(DELIVERIES);
    const cost = once(sender, 'message');
    const work: Work = {
      how,
      folder,
      receiver_url: receiver.url,
      domains: DOMAINS,
      events_per_domain: EVENTS_PER_DOMAIN,
    };
    sender.send(work);
    const failed = exited.then(([code]) => {
      throw new Error(`the sender ended with ${code} before it was done`);
    });
    const bodies = await Promise.race([all, failed]);
    if (how !== 'bare') {
      sender.send('received');
      checkOrder(bodies);
    }
    const [measured] = await Promise.race([cost, failed]);
    failed.catch(() => undefined); // The process has sent its result, so it may end now.
    return measured as Cost;
  } finally {
    kill();
    await exited;
    process.off('exit', kill);
  }
}

/** Checks the arrivals. @throws Error unless each event arrived once, and the events of every domain in order. */
function checkOrder(bodies: readonly string[]): void {
  const times = new Map<string, string[]>();
  for (const body of bodies) {
    const { created_at, data } = JSON.parse(body) as { created_at: string; data: { domain: { id: string } } };
    times.set(data.domain.id, [...(times.get(data.domain.id) ?? []), created_at]);
  }
  for (const [id, arrived] of times) {
    const inOrder = arrived.every((time, i) => i === 0 || time > (arrived[i - 1] ?? ''));
    if (!inOrder || arrived.length !== EVENTS_PER_DOMAIN) throw new Error(`${id}: ${arrived.join(', ')}`);
  }
}

interface Receiver {
  url: string;
  /** Collects the bodies of the next requests, in the order of arrival. */
  expect(count: number): Promise<string[]>;
  close(): void;
}

async function startReceiver(): Promise<Receiver> {
  let bodies: string[] = [];
  let waiting: { count: number; resolve: (bodies: string[]) => void } | undefined;
  const server = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += chunk;
    response.end();
    bodies.push(body);
    if (bodies.length === waiting?.count) waiting.resolve(bodies);
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
