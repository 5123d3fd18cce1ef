import { readFileSync } from 'node:fs';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createIds, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { HOST, NAMES, route } from '../edge-under-test.ts';

/**
 * A program that controls an nginx as the edge does, for tests that kill the program. ORIGIN_FILE contains the origin of HOST and of the names
 * below it, or nothing if they have no route. On SIGUSR2, the program reads the file again. ORPHAN_MS is the time after which nginx ends without this program.
 * PROGRAM is run in place of nginx. The program prints one JSON document once nginx listens.
 */
const { PORT = '', FOLDER = '', ORIGIN_FILE = '', ORPHAN_MS, PROGRAM = '/usr/sbin/nginx' } = process.env;
const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
const edge = await startNginxEdge({
  program: { ...(await findNginx('/usr/sbin/nginx')), file: PROGRAM },
  folder: FOLDER,
  listeners: [
    { address: { host: '127.0.0.1', port: Number(PORT) }, tls: false, redirects: false, scheme: 'http' },
  ],
  workers: 2,
  httpsPort: 443,
  connectTimeoutMs: 10_000,
  orphanMs: ORPHAN_MS === undefined ? undefined : Number(ORPHAN_MS),
  // The ticket keys are the same at each start, as within one day, because new keys would make nginx start new workers.
  ticketKeys: Buffer.alloc(80, 1),
  findRoute(hostname) {
    const origin = readFileSync(ORIGIN_FILE, 'utf8');
    return hostname.endsWith(HOST) && origin !== '' ? route(origin) : null;
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
process.on('SIGUSR2', () => edge.changed(HOST));
process.once('SIGTERM', () => void edge.close().finally(() => process.exit()));
console.log(JSON.stringify({ process_ids: edge.processIds() }));
