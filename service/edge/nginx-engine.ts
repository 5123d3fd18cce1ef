import os from 'node:os';
import path from 'node:path';
import { createHttpServer } from '../../shared/adapters/owned-server.ts';
import { createAddressSet, NO_ADDRESSES } from '../../shared/core/net/address-set.ts';
import { createEdge } from '../../shared/edge/listeners/edge-server.ts';
import { testDomainAt } from '../../shared/operations/edge/find-edge-route.ts';
import { CommandError } from '../commands/operator/command-error.ts';
import { closeServer, listen } from '../listening.ts';
import type { ListenAddress } from '../settings/setting-kinds.ts';
import { CONNECT_TIMEOUT_MS, type EdgeEngine, type EngineParts, limitsOf } from './engine.ts';
import { addCounted, type NginxCounted } from './nginx/nginx-counters.ts';
import { startNginxEdge } from './nginx/nginx-edge.ts';
import { findNginx, lacksOf } from './nginx/nginx-program.ts';

/** The length of a session ticket key of nginx in bytes: a name, a key for HMAC and a key for AES-256. */
const TICKET_KEY_BYTES = 80;

/** Starts nginx as the engine, or takes over the nginx that an earlier process of this node started. */
export async function startNginxEngine(parts: EngineParts): Promise<EdgeEngine> {
  const { context, config, metrics, warn } = parts;
  const { settings, wallClock, ids, log } = context;
  const [edge, edgeHttp] = await Promise.all([withPort(config.edge), withPort(config.edgeHttp)]);
  const program = await findNginx(config.nginxProgram);
  if (config.edgeHttp3 && !program.hasHttp3) throw withoutHttp3(program.version);
  const pages = createPages(parts);
  const { port } = await pages.listen(0, '127.0.0.1');
  const nginx = await startNginxEdge({
    program,
    folder: config.edgeFolder ?? defaultFolder(edge),
    listeners: [
      { address: edge, tls: true, redirects: false, scheme: 'https' },
      { address: edgeHttp, tls: false, redirects: true, scheme: 'http' },
    ],
    workers: config.edgeProcesses,
    limits: limitsOf(config),
    hops: config.edgeHops,
    httpsPort: config.edgeProbePorts[1],
    wallClock,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    roots: [],
    ticketKeys: parts.ticketKeys(TICKET_KEY_BYTES),
    http3: config.edgeHttp3,
    accessLog: config.accessLog,
    findRoute: parts.findRoute,
    isReady: parts.isReady,
    certificates: parts.certificates,
    challenges: parts.challenges,
    pathReceipts: parts.pathReceipts,
    names: settings.names,
    ids,
    resolve: parts.guard.resolve,
    resolveTimeoutMs: CONNECT_TIMEOUT_MS,
    sandboxOrigin: parts.sandboxOrigin,
    pagesOrigin: `http://127.0.0.1:${port}`,
    isPlain: (hostname) => testDomainAt(context, hostname) !== null,
    onHandshakeFailure(failure) {
      metrics.handshakeFailures(failure.of, 1);
      warn(failure.of, failure, 'the edge could not look up a certificate');
    },
    onCounted(counted) {
      record(counted);
    },
    onLine: (line) => warn('nginx', { line }, 'nginx reports an error'),
    onLost: () => log.warn({}, 'nginx has ended; starting it again'),
    onRestarted: () => log.info({}, 'nginx runs again'),
  });

  function record({ requests, failed, failures, traffic }: NginxCounted): void {
    addCounted(parts.traffic, traffic);
    for (const [status, count] of requests) {
      metrics.edgeRequests(status === 'gone' ? status : Number(status), count);
    }
    for (const [of, count] of failed) metrics.edgeFailures(of, count);
    for (const { of, requestId, domainId, reason } of failures) {
      const fields = { request_id: requestId, domain_id: domainId, of, error: reason };
      warn(`${of} ${domainId}`, fields, 'the edge could not forward a request');
    }
  }

  return {
    state: { name: 'nginx', version: program.version, lacks: lacksOf(program) },
    addresses: { edge, edgeHttp },
    appChanged: nginx.appChanged,
    changed: nginx.changed,
    ageMs: nginx.ageMs,
    ticketKeyBytes: TICKET_KEY_BYTES,
    setTicketKeys(keys) {
      nginx.setTicketKeys(keys).catch((error: unknown) => {
        warn('nginx', { error }, 'nginx did not get its new session ticket keys');
      });
    },
    async close(graceMs, leavesNginx = false) {
      await nginx.close({ graceMs, leavesNginx });
      await pages.close({ graceMs });
    },
  };
}

/** Creates the server of white-label hosts: an edge of our own without TLS, to which nginx forwards requests for these hosts. */
function createPages({
  context,
  metrics,
  connectionErrors,
  guard,
  findRoute,
  serveHost,
  sandboxOrigin,
}: EngineParts) {
  const { settings, wallClock, ids } = context;
  return createEdge({
    findRoute,
    names: settings.names,
    wallClock,
    ids,
    scheme: 'https',
    connect: guard.connect,
    sandboxOrigin,
    serveHost,
    // Only nginx connects to this server, and nginx's headers contain the visitor's address.
    hops: { proxies: createAddressSet(['127.0.0.1']), balancers: NO_ADDRESSES },
    onFailure: ({ of }) => metrics.edgeFailures(of, 1),
    onConnectionError: connectionErrors('edge'),
  });
}

/** Returns the default folder of nginx. The next process of this node gets the same folder, and other nodes get other folders. */
function defaultFolder({ host, port }: ListenAddress): string {
  return path.join(
    os.tmpdir(),
    `nameplate-edge-${process.getuid?.() ?? 0}-${host.replaceAll(':', '_')}-${port}`,
  );
}

function withoutHttp3(version: string): CommandError {
  return new CommandError(
    'nginx_missing',
    `nginx ${version} was built without HTTP/3.`,
    'Set NAMEPLATE_EDGE_HTTP3=false, or NAMEPLATE_NGINX to an nginx that has it.',
  );
}

/** Replaces port 0 by a free port, because nginx cannot report which port the system has chosen. */
async function withPort(address: ListenAddress): Promise<ListenAddress> {
  if (address.port !== 0) return address;
  const server = createHttpServer({}, () => undefined);
  const found = await listen(server, address);
  await closeServer(server, 0);
  return found;
}
