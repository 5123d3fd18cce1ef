import { randomBytes } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { openReplica } from '../../../service/edge/replica/replica.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createIds, monotonicClock, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { EDGE_LIMITS } from '../../../shared/edge/edge-limits.ts';
import { createEdgeReader } from '../../../shared/operations/edge/edge-reader.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { median } from '../rounds.ts';
import { openFilledReplica } from './filled-replica.ts';
import { createSampleValues, sampleHostname } from './sample-values.ts';
import { shakeHandsWithAll } from './visit.ts';

/**
 * A program that measures an edge on nginx whose replica in FOLDER is filled. It measures the memory of all processes, and the time from a
 * change in the replica to its effect. Prints one JSON document, `NginxMemory`.
 */
export interface NginxMemory {
  /** The memory of our process and nginx together: before the first visit, and after visits to the maximum number of certificates. */
  known_mib: number;
  hot_mib: number;
  /** Median and maximum time from a change in the replica to the first response with the change. */
  change_ms: number;
  change_max_ms: number;
}

const CHANGES = 50;
const CLIENTS = 8;
const LEASE_EVERY_MS = 200;

const { FOLDER = '', OTHER_ORIGIN = '' } = process.env;
const samples = createSampleValues(OTHER_ORIGIN);
/** Stores the changes, as the process does that follows the database. It keeps the lease, so the edge below only reads. */
const writer = openReplica(FOLDER);
const keepLease = () => writer.holdsLease(monotonicClock.now());
keepLease();
setInterval(keepLease, LEASE_EVERY_MS).unref();
const replica = await openFilledReplica(FOLDER);
const reader = createEdgeReader(replica, systemClock);
const [port, httpPort] = [await freePort(), await freePort()];
const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
const edge = await startNginxEdge({
  program: await findNginx('/usr/sbin/nginx'),
  folder: path.join(FOLDER, 'nginx'),
  listeners: [
    { address: { host: '127.0.0.1', port }, tls: true, redirects: false, scheme: 'https' },
    { address: { host: '127.0.0.1', port: httpPort }, tls: false, redirects: false, scheme: 'http' },
  ],
  workers: 1,
  httpsPort: 443,
  connectTimeoutMs: 10_000,
  ticketKeys: randomBytes(80),
  findRoute: reader.findRoute,
  certificates: reader.certificates,
  challenges: null,
  pathReceipts: null,
  names: serviceNames('Service'),
  ids: createIds(systemClock, systemRandom),
  wallClock: systemClock,
  sandboxOrigin: null,
  pagesOrigin: null,
  resolve: guard.resolve,
  resolveTimeoutMs: 10_000,
  isPlain: () => false,
  onHandshakeFailure: () => undefined,
  onCounted: () => undefined,
  onLine: (line) => console.error(line),
  onLost: () => undefined,
});
replica.subscribe(edge);
const knownMib = memoryMib();
const hot = Array.from({ length: EDGE_LIMITS.certificates_hot_max }, (_, n) => sampleHostname(n));
await shakeHandsWithAll(port, hot, CLIENTS);
const hotMib = memoryMib();
const times: number[] = [];
for (let n = 0; n < CHANGES; n++) times.push(await change(n));
const measured: NginxMemory = {
  known_mib: knownMib,
  hot_mib: hotMib,
  change_ms: median(times),
  change_max_ms: Math.max(...times),
};
await edge.close();
writeSync(1, `${JSON.stringify(measured)}\n`);
process.exit();

/** Gives a visited hostname another origin of its own. @returns the time until a visitor gets a response of this origin. */
async function change(n: number): Promise<number> {
  if ((await visit(n)) !== 'one') throw new Error('the first origin did not respond');
  const startedAt = performance.now();
  writer.apply([samples.host(n, { origin: OTHER_ORIGIN, number: 2 })]);
  while ((await visit(n)) !== 'two');
  return performance.now() - startedAt;
}

function visit(n: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ port: httpPort, host: '127.0.0.1', headers: { Host: sampleHostname(n) } }, (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    response.on('close', () => resolve(body));
  })
    .on('error', reject)
    .end();
  return promise;
}

/** Returns the memory of this process and of nginx, with shared pages counted once. */
function memoryMib(): number {
  const kib = [process.pid, ...(edge.processIds() ?? [])].map((id) => {
    const [, pss = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
    return Number(pss);
  });
  return kib.reduce((sum, each) => sum + each, 0) / 1024;
}
