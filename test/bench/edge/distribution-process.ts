import { createInterface } from 'node:readline';
import { openEdgeReplica } from '../../../service/edge/replica/edge-replica.ts';
import { createNatsSource } from '../../../service/nats/nats-source.ts';
import { openNats } from '../../../service/nats/open-nats.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import { SAMPLE_BOX } from './sample-values.ts';

/**
 * A program with the followers of several edge machines, each with a replica in a folder of its own. Prints a JSON line for each
 * `FollowerEvent`. It reads hostnames as lines, and reports when each follower no longer serves them.
 */
export interface FollowerEvent {
  /** `ready` once a replica is complete, `changed` when a hostname is served in another way, and `gone` when it is no longer served. */
  kind: 'ready' | 'changed' | 'gone';
  /** The number of the follower. */
  n: number;
  hostname: string | null;
  /** Milliseconds of the machine's clock. */
  at: number;
}

const { NATS_URL = '', FOLDERS = '', FIRST = '0' } = process.env;
const none = { user: null, password: null, credentials: null, caRoots: null, domain: null };
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const now = () => performance.timeOrigin + performance.now();
const watched = new Set<string>();
createInterface({ input: process.stdin }).on('line', (hostname) => watched.add(hostname));
const say = (kind: FollowerEvent['kind'], n: number, hostname: string | null) => {
  const event: FollowerEvent = { kind, n, hostname, at: now() };
  process.stdout.write(`${JSON.stringify(event)}\n`);
};

await Promise.all(
  FOLDERS.split(',').map(async (folder, index) => {
    const n = Number(FIRST) + index;
    const nats = openNats({
      ...none,
      servers: NATS_URL.split(','),
      bucket: 'nameplate',
      replicas: 3,
      node: `edge-${n}`,
      log: quiet,
    });
    const source = createNatsSource(nats, systemClock);
    const replica = await openEdgeReplica({
      folder,
      box: SAMPLE_BOX,
      source,
      clock: source.clock,
      log: quiet,
    });
    replica.subscribe({
      changed(hostname) {
        if (hostname?.startsWith('www.') === false) say('changed', n, hostname);
      },
    });
    await replica.complete;
    say('ready', n, null);
    const gone = new Set<string>();
    setInterval(() => {
      for (const hostname of watched) {
        if (gone.has(hostname) || replica.find('host', hostname) !== null) continue;
        gone.add(hostname);
        say('gone', n, hostname);
      }
    }, 20);
  }),
);
