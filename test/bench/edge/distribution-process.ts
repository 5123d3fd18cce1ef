import { createInterface } from 'node:readline';
import { openEdgeReplica } from '../../../service/edge/replica/edge-replica.ts';
import { createNatsSource } from '../../../service/nats/nats-source.ts';
import { openNats } from '../../../service/nats/open-nats.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import { SAMPLE_BOX } from './sample-values.ts';

/**
 * A program with the followers of several edge machines, each with a replica in a folder of its own. Prints a line for each: `ready <n> <time>`
 * once its replica is complete, and `<n> <hostname> <time>` for each hostname that it serves in another way. Times are in milliseconds of the
 * machine's clock. For each hostname that it reads as a line, it prints `gone <n> <hostname> <time>` once it no longer serves it.
 */
const { NATS_URL = '', FOLDERS = '', FIRST = '0' } = process.env;
const none = { user: null, password: null, credentials: null, caRoots: null };
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const now = () => performance.timeOrigin + performance.now();
const watched = new Set<string>();
createInterface({ input: process.stdin }).on('line', (hostname) => watched.add(hostname));
const say = (...words: (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`);

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
        if (hostname?.startsWith('www.') === false) say(n, hostname, now());
      },
    });
    await replica.complete;
    say('ready', n, now());
    const gone = new Set<string>();
    setInterval(() => {
      for (const hostname of watched) {
        if (gone.has(hostname) || replica.find('host', hostname) !== null) continue;
        gone.add(hostname);
        say('gone', n, hostname, now());
      }
    }, 20);
  }),
);
