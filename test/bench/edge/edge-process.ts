import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addCounted } from '../../../service/edge/nginx/nginx-counters.ts';
import { startNginxEdge } from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { afterPauses } from '../../../service/edge/replica/after-pauses.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createIds, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { createTrafficCounter } from '../../../shared/core/traffic/traffic-counter.ts';
import { createEdge } from '../../../shared/edge/listeners/edge-server.ts';
import { TRAFFIC_WRITE_EVERY_MS } from '../../../shared/edge/traffic/traffic-writer.ts';
import { createEdgeReader } from '../../../shared/operations/edge/edge-reader.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { fillReplica, openFilledReplica } from './filled-replica.ts';
import { createSampleValues } from './sample-values.ts';

/** A program that runs an edge with TLS for one hostname, in front of ORIGIN, on one of the engines. Prints one JSON document once it listens. */
const {
  HOSTNAME = '',
  ORIGIN = '',
  CERTIFICATE = '',
  PRIVATE_KEY = '',
  ENGINE = 'node',
  FOLDER = '',
  COUNTS = '',
} = process.env;
const folder = replicaFolder();
const samples = createSampleValues(ORIGIN, {
  hostnameOf: () => HOSTNAME,
  chain: readFileSync(CERTIFICATE, 'utf8'),
  privateKey: readFileSync(PRIVATE_KEY, 'utf8'),
});
fillReplica(folder, samples, 1);
const replica = await openFilledReplica(folder);
const reader = createEdgeReader(replica, systemClock);

const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
const { certificates } = reader;
const traffic = createTrafficCounter();
/** Takes the traffic counts at the same interval as a node, but drops them, because the bench has no database. */
setInterval(() => traffic.take(), TRAFFIC_WRITE_EVERY_MS).unref();
const shared = {
  findRoute: afterPauses(reader.findRoute, replica),
  names: serviceNames('Service'),
  wallClock: systemClock,
  ids: createIds(systemClock, systemRandom),
  sandboxOrigin: null,
};

await (ENGINE === 'nginx' ? startNginx() : startNode());

async function startNode(): Promise<void> {
  const edge = createEdge({
    ...shared,
    scheme: 'https',
    connect: guard.connect,
    serveHost: () => Promise.reject(new Error('no host is served')),
    tls: { certificates },
    ...(COUNTS === 'traffic' && { traffic }),
  });
  const { port } = await edge.listen(0, '127.0.0.1');
  console.log(JSON.stringify({ port, process_ids: [process.pid] }));
  process.once('SIGTERM', () => process.exit());
}

async function startNginx(): Promise<void> {
  const port = await freePort();
  const edge = await startNginxEdge({
    ...shared,
    program: await findNginx('/usr/sbin/nginx'),
    folder: FOLDER,
    listeners: [{ address: { host: '127.0.0.1', port }, tls: true, redirects: false, scheme: 'https' }],
    workers: 1,
    httpsPort: 443,
    connectTimeoutMs: 10_000,
    ticketKeys: randomBytes(80),
    certificates,
    challenges: null,
    pathReceipts: null,
    pagesOrigin: null,
    resolve: guard.resolve,
    resolveTimeoutMs: 10_000,
    isPlain: () => false,
    onHandshakeFailure: () => undefined,
    countsTraffic: COUNTS === 'traffic',
    onCounted: (counted) => addCounted(traffic, counted.traffic),
    onLine: (line) => console.error(line),
    onLost: () => undefined,
  });
  console.log(JSON.stringify({ port, process_ids: [process.pid, ...edge.processIds()] }));
  process.once('SIGTERM', () => void edge.close().finally(() => process.exit()));
}
