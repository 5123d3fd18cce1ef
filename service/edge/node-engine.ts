import { createEdge } from '../../shared/edge/listeners/edge-server.ts';
import { createRedirectServer } from '../../shared/edge/listeners/redirect-server.ts';
import { testDomainAt } from '../../shared/operations/edge/find-edge-route.ts';
import { openAccessLog, type SinkEvents } from './access-log/open-access-log.ts';
import { type EdgeEngine, type EngineParts, limitsOf } from './engine.ts';

/** Starts our own servers for HTTPS and plain HTTP. @throws if an address is taken. */
export async function startNodeEngine(parts: EngineParts): Promise<EdgeEngine> {
  const { context, config, metrics, connectionErrors, guard, challenges, certificates, sandboxOrigin, warn } =
    parts;
  const { settings, wallClock, ids, random } = context;
  const accessLog =
    config.accessLog &&
    (await openAccessLog(config.accessLog, { random, clock: wallClock, ...accessLogEvents(parts) }));
  const shared = {
    findRoute: parts.findRoute,
    isReady: parts.isReady,
    challenges,
    pathReceipts: parts.pathReceipts,
    names: settings.names,
    wallClock,
    clock: context.clock,
    traffic: parts.traffic,
    ids,
    connect: guard.connect,
    limits: limitsOf(config),
    hops: config.edgeHops,
    sandboxOrigin,
    serveHost: parts.serveHost,
    accessLog: accessLog ?? undefined,
    onRequest: ({ status }) => metrics.edgeRequests(status ?? 'gone', 1),
    onFailure(failure) {
      metrics.edgeFailures(failure.of, 1);
      warn(`${failure.of} ${failure.domain_id}`, failure, 'the edge could not forward a request');
    },
  } satisfies Partial<Parameters<typeof createEdge>[0]>;
  const edge = createEdge({
    ...shared,
    scheme: 'https',
    onConnectionError: connectionErrors('edge'),
    tls: {
      certificates,
      challenges,
      onFailure(failure) {
        metrics.handshakeFailures(failure.of, 1);
        warn(failure.of, failure, 'the edge could not look up a certificate');
      },
    },
  });
  const plain = createRedirectServer({
    ...shared,
    httpsPort: config.edgeProbePorts[1],
    onConnectionError: connectionErrors('edge_http'),
    plain: {
      includes: (hostname) => testDomainAt(context, hostname) !== null,
      connect: guard.connect,
      sandboxOrigin,
    },
  });
  const close = async (graceMs: number) => {
    await Promise.all([edge, plain].map((each) => each.close({ graceMs })));
    await accessLog?.close();
  };
  const { edge: https, edgeHttp: http } = config;
  try {
    return {
      state: { name: 'node', version: null, lacks: ['HTTP/3'] },
      addresses: {
        edge: { host: https.host, port: (await edge.listen(https.port, https.host, ALL_PROCESSES)).port },
        edgeHttp: { host: http.host, port: (await plain.listen(http.port, http.host, ALL_PROCESSES)).port },
      },
      changed: (hostname) => edge.certificateChanged(hostname),
      ticketKeyBytes: 48,
      setTicketKeys: (keys) => edge.setTicketKeys(keys),
      close,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/** All edge processes of the node accept connections from the same socket (decisions/0086). */
const ALL_PROCESSES = { exclusive: false };

function accessLogEvents({ metrics, warn }: EngineParts): SinkEvents {
  return {
    onDropped: (lines) => metrics.accessLogDropped(lines),
    onFailure: (error) => warn('access log', { error }, 'the access log cannot be written'),
  };
}
