import { createGuard } from '../../shared/adapters/guarded-connect.ts';
import { hostsLookup } from '../../shared/adapters/host-addresses.ts';
import { logOwnErrors } from '../../shared/adapters/owned-server.ts';
import { createHostPages } from '../../shared/connect/serve-host.ts';
import type { EdgeFailure } from '../../shared/edge/edge-failure.ts';
import { createEdge, type Edge } from '../../shared/edge/listeners/edge-server.ts';
import { findEdgeRoute } from '../../shared/operations/edge/find-edge-route.ts';
import type { Notice } from '../../shared/ports/system.ts';
import type { EmulatorComposition } from '../compose.ts';
import type { LocalCa } from './local-ca.ts';

/** The edge's two servers: plain HTTP, and HTTPS with certificates of the local CA. Both handle requests in the same way. */
export interface Edges {
  plain: Edge;
  secure: Edge;
  close(): Promise<void>;
}

export interface EdgesOptions {
  ca: LocalCa;
  sandboxOrigin: string;
}

export function createEdges(
  { context, requests, traffic }: EmulatorComposition,
  { ca, sandboxOrigin }: EdgesOptions,
): Edges {
  const { settings, wallClock, ids, log } = context;
  const guard = createGuard({
    allowLoopback: true,
    refusedAddresses: [],
    lookup: hostsLookup,
    connectTimeoutMs: 10_000,
  });
  const shared = {
    findRoute: (hostname: string) => findEdgeRoute(context, hostname),
    names: settings.names,
    wallClock,
    ids,
    connect: guard.connect,
    sandboxOrigin,
    serveHost: createHostPages(context, () => context.store),
    localhostSuffix: true,
    onRequest: requests.note,
    traffic: traffic.counter,
    clock: context.clock,
    onConnectionError: logOwnErrors(log),
    onFailure: ({ error, ...fields }: EdgeFailure) =>
      log.warn({ ...fields, error }, 'the edge could not forward a request'),
  };
  const plain = createEdge({ ...shared, scheme: 'http' });
  const secure = createEdge({
    ...shared,
    scheme: 'https',
    // The database is in this process, and a hostname can be added at any moment, so a missing certificate is not cached.
    limits: { certificate_absent_ms: 1 },
    tls: {
      certificates: { findCertificate: async (name) => ((await isServed(name)) ? ca.issue(name) : null) },
      onFailure: (failure) => log.warn({ ...failure }, 'the edge could not present a certificate'),
    },
  });
  // After a change, for example a reset, a hostname may no longer be served, so look up all certificates again.
  const unsubscribe = context.notices.subscribe(({ kind }) => {
    if (ROUTING.has(kind)) secure.certificateChanged(null);
  });

  /** Returns true for a hostname with a route, and for `localhost`, where the edge serves a page that says there is no route. */
  async function isServed(name: string): Promise<boolean> {
    return name === 'localhost' || (await findEdgeRoute(context, name.replace(/\.localhost$/, ''))) !== null;
  }

  return {
    plain,
    secure,
    async close() {
      unsubscribe();
      await Promise.all([plain.close({ graceMs: 0 }), secure.close({ graceMs: 0 })]);
      guard.close();
    },
  };
}

const ROUTING: ReadonlySet<Notice['kind']> = new Set(['route', 'routes', 'hold', 'credentials', 'gap']);
