import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createIds, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { EDGE_LIMITS } from '../../../shared/edge/edge-limits.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { median } from '../rounds.ts';

/**
 * A program that measures an edge on nginx with 100 000 hostnames: the memory of all its processes, and the time from a change of a route to its
 * effect. Prints one JSON document, `NginxMemory`.
 */
export interface NginxMemory {
  /** The memory of our process and nginx together: before the first visit, and after visits to the maximum number of certificates. */
  known_mib: number;
  hot_mib: number;
  /** Median and maximum time from a change of a route to the first response with the change. */
  change_ms: number;
  change_max_ms: number;
}

const KNOWN = 100_000;
const CHANGES = 50;
const CLIENTS = 8;

using ca = createThrowawayCa();
const { key, cert } = ca.issue('DNS:*.example.com');
const hostname = (n: number) => `careers.customer-${n}.example.com`;
const origins = await Promise.all(['one', 'two'].map(startOrigin));
const table = new RouteTable();
for (let n = 0; n < KNOWN; n++) setRoute(n, 0);
const folder = mkdtempSync(path.join(os.tmpdir(), 'np-memory-'));
const [port, httpPort] = [await freePort(), await freePort()];
const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
const edge = await startNginxEdge({
  program: await findNginx('/usr/sbin/nginx'),
  folder,
  listeners: [
    { address: { host: '127.0.0.1', port }, tls: true, redirects: false, scheme: 'https' },
    { address: { host: '127.0.0.1', port: httpPort }, tls: false, redirects: false, scheme: 'http' },
  ],
  workers: 1,
  httpsPort: 443,
  connectTimeoutMs: 10_000,
  ticketKeys: randomBytes(80),
  findRoute: table.find,
  certificates: { findCertificate: async (name) => ({ chain: cert, private_key: key, serial: name }) },
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
const knownMib = memoryMib();
let next = 0;
await Promise.all(
  Array.from({ length: CLIENTS }, async () => {
    while (next < EDGE_LIMITS.certificates_hot_max) await shakeHands(hostname(next++));
  }),
);
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
rmSync(folder, { recursive: true, force: true });
writeSync(1, `${JSON.stringify(measured)}\n`);
process.exit();

function setRoute(n: number, origin: number): void {
  table.set(hostname(n), {
    changesAt: null,
    redirectsWww: false,
    route: {
      domain_id: `dom_01k${String(n).padStart(23, '0')}`,
      app_id: 'app_01k00000000000000000000001',
      hostname: hostname(n),
      origin: { kind: 'app', url: origins[origin] ?? '' },
      origin_headers: null,
      signing_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
      redirectTo: null,
    },
  });
}

async function startOrigin(text: string): Promise<string> {
  const server = createServer((_, response) => response.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function shakeHands(servername: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.end();
  await once(socket.resume(), 'close');
}

/** Changes the route of a visited hostname to the other origin. @returns the time until a visitor gets a response of the new origin. */
async function change(n: number): Promise<number> {
  if ((await visit(n)) !== 'one') throw new Error('the first origin did not respond');
  const startedAt = performance.now();
  setRoute(n, 1);
  edge.routeChanged(hostname(n));
  while ((await visit(n)) !== 'two');
  return performance.now() - startedAt;
}

function visit(n: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request({ port: httpPort, host: '127.0.0.1', headers: { Host: hostname(n) } }, (response) => {
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
  const kib = [process.pid, ...edge.processIds()].map((id) => {
    const [, pss = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
    return Number(pss);
  });
  return kib.reduce((sum, each) => sum + each, 0) / 1024;
}
