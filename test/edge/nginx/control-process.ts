import { readFileSync } from 'node:fs';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createIds, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { HOST, NAMES, route } from '../edge-under-test.ts';

/**
 * A program that is the control half of an edge on nginx, for tests that kill it. ORIGIN_FILE has the origin of HOST, or nothing if HOST is not
 * served. SIGUSR2 reads the file again. With ORPHAN_MS, nginx ends after this time without a control half.
 * Prints one JSON document once nginx listens.
 */
const { PORT = '', FOLDER = '', ORIGIN_FILE = '', ORPHAN_MS } = process.env;
const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
const edge = await startNginxEdge({
  program: await findNginx('/usr/sbin/nginx'),
  folder: FOLDER,
  listeners: [
    { address: { host: '127.0.0.1', port: Number(PORT) }, tls: false, redirects: false, scheme: 'http' },
  ],
  workers: 2,
  httpsPort: 443,
  connectTimeoutMs: 10_000,
  orphanMs: ORPHAN_MS === undefined ? undefined : Number(ORPHAN_MS),
  // The same at each start, as on one day: other keys would make nginx start new workers.
  ticketKeys: Buffer.alloc(80, 1),
  findRoute(hostname) {
    const origin = readFileSync(ORIGIN_FILE, 'utf8');
    return hostname === HOST && origin !== '' ? route(origin) : null;
  },
  certificates: null,
  challenges: null,
  pathReceipts: null,
  names: NAMES,
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
  onLost: () => console.error('nginx was lost'),
});
process.on('SIGUSR2', () => edge.routeChanged(HOST));
process.once('SIGTERM', () => void edge.close().finally(() => process.exit()));
console.log(JSON.stringify({ process_ids: edge.processIds() }));
