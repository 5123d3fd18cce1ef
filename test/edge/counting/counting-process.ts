import { randomBytes } from 'node:crypto';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { addCounted } from '../../../service/edge/nginx/nginx-counters.ts';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createIds, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { createTrafficCounter } from '../../../shared/core/traffic/traffic-counter.ts';
import { createEdge } from '../../../shared/edge/listeners/edge-server.ts';
import { startTrafficWriter } from '../../../shared/edge/traffic/traffic-writer.ts';
import { writeTraffic } from '../../../shared/store/traffic/write-traffic.ts';
import { NAMES, route } from '../edge-under-test.ts';

/**
 * A program that runs an edge on one of the engines and counts its traffic in DATABASE, for tests that kill it. The edge forwards each
 * hostname of HOSTS to ORIGIN. The program prints a line once it listens on PORT. After SIGTERM, it writes the remaining counts.
 */
const { ENGINE = '', PORT = '', FOLDER = '', ORIGIN = '', DATABASE = '', HOSTS = '{}' } = process.env;
const domains = new Map(Object.entries(JSON.parse(HOSTS) as Record<string, { id: string; app_id: string }>));
const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
const { store } = openPostgresStore({
  connectionString: DATABASE,
  connectionsMax: 2,
  onIdleError: () => undefined,
});
const log = { info: () => undefined, warn: console.error, error: console.error };
const traffic = createTrafficCounter();
const writer = startTrafficWriter({
  counter: traffic,
  log,
  save: (batch) => writeTraffic(store, batch, systemClock.now()),
});
const shared = {
  names: NAMES,
  ids: createIds(systemClock, systemRandom),
  wallClock: systemClock,
  sandboxOrigin: null,
  findRoute: (hostname: string) => {
    const domain = domains.get(hostname);
    return domain ? route(ORIGIN, { hostname, domain_id: domain.id, app_id: domain.app_id }) : null;
  },
};

const edge = await (ENGINE === 'nginx' ? startNginx() : startNode());
process.once('SIGTERM', async () => {
  await edge.close();
  await writer.close();
  process.exit();
});
console.log('listening');

async function startNode() {
  const server = createEdge({
    ...shared,
    traffic,
    scheme: 'http',
    connect: guard.connect,
    serveHost: () => Promise.reject(new Error('no host is served')),
    // All visitors of the test share one address.
    limits: { connections_per_address_max: 1_000 },
  });
  await server.listen(Number(PORT), '127.0.0.1');
  return server;
}

async function startNginx() {
  return startNginxEdge({
    ...shared,
    program: await findNginx('/usr/sbin/nginx'),
    folder: FOLDER,
    listeners: [
      { address: { host: '127.0.0.1', port: Number(PORT) }, tls: false, redirects: false, scheme: 'http' },
    ],
    workers: 2,
    httpsPort: 443,
    connectTimeoutMs: 10_000,
    ticketKeys: randomBytes(80),
    certificates: null,
    challenges: null,
    pathReceipts: null,
    pagesOrigin: null,
    resolve: guard.resolve,
    resolveTimeoutMs: 10_000,
    isPlain: () => false,
    onHandshakeFailure: () => undefined,
    onCounted: (counted) => addCounted(traffic, counted.traffic),
    onLine: (line) => console.error(line),
    onLost: () => console.error('nginx was lost'),
  });
}
