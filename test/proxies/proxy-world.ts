import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPathProbe } from '../../service/edge/path-probe.ts';
import { createGuard } from '../../shared/adapters/guarded-connect.ts';
import { createIds, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { createAddressSet } from '../../shared/core/net/address-set.ts';
import type { PathKeys } from '../../shared/core/public-path/path-receipt.ts';
import { createEdge } from '../../shared/edge/listeners/edge-server.ts';
import { createRedirectServer } from '../../shared/edge/listeners/redirect-server.ts';
import { pathReceipts } from '../../shared/edge/routing/path-receipts.ts';
import type { PathProbe } from '../../shared/ports/outbound.ts';
import { NAMES, originWith, route } from '../edge/edge-under-test.ts';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';
import { startFronts } from './front-programs.ts';
import { PROGRAMS, type Setup, type Upstream } from './fronts.ts';

/** Our edge, an origin, and servers in front of the edge at their own addresses. All listen on the same two ports. */
export interface ProxyWorld extends AsyncDisposable {
  upstream: Upstream;
  keys: PathKeys;
  probe: PathProbe;
  /** The serial number of the certificate that the edge has for each hostname below `after.test`. */
  serial: string;
  /** Requests that reached the origin. */
  arrived: IncomingMessage[];
}

const EDGE = '127.88.0.1';
const KEYS: PathKeys = [new Uint8Array(32).fill(7)];

export async function startProxyWorld(setups: readonly Setup[]): Promise<ProxyWorld> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'proxies-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const ca = started.use(createThrowawayCa());
  const own = ca.issue('DNS:*.after.test');
  const arrived: IncomingMessage[] = [];
  const origin = started.use(
    await originWith((req, res) => {
      arrived.push(req);
      req.resume().on('end', () => res.end(`origin ${req.url}`));
    }),
  );
  const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 5_000 });
  started.defer(() => guard.close());
  const shared = {
    findRoute: (hostname: string) =>
      hostname.endsWith('.after.test')
        ? route(origin.url, { hostname, origin_headers: { 'X-Tenant': 'acme' } })
        : null,
    pathReceipts: pathReceipts(KEYS, NAMES, systemClock),
    names: NAMES,
    wallClock: systemClock,
    ids: createIds(systemClock, systemRandom),
    connect: guard.connect,
    sandboxOrigin: null,
    serveHost: async () => new Response(null, { status: 404 }),
    // The programs connect from this address.
    hops: { proxies: createAddressSet(['127.0.0.1']), balancers: createAddressSet([]) },
  };
  const edge = createEdge({
    ...shared,
    scheme: 'https',
    tls: {
      certificates: {
        findCertificate: async (hostname) =>
          hostname.endsWith('.after.test') ? { chain: own.cert, private_key: own.key, serial: 'own' } : null,
      },
    },
  });
  const plain = createRedirectServer(shared);
  started.defer(async () => {
    await Promise.all([edge.close(), plain.close()]);
  });
  const { port: httpsPort } = await edge.listen(0, EDGE);
  const { port: httpPort } = await plain.listen(0, EDGE);
  const certificate = (name: string, { cert, key }: { cert: string; key: string }) => {
    const file = path.join(folder, `${name}.pem`);
    writeFileSync(file, cert + key);
    return file;
  };
  const upstream: Upstream = {
    address: EDGE,
    httpPort,
    httpsPort,
    folder,
    certificates: {
      good: certificate('good', ca.issue('DNS:*.after.test,DNS:*.before.test')),
      wrong: certificate('wrong', ca.issue('DNS:www.elsewhere.example')),
      expired: certificate('expired', ca.issue('DNS:*.after.test,DNS:*.before.test', -1)),
    },
  };
  for (const program of PROGRAMS) {
    const its = setups.filter((setup) => setup.program === program);
    const servers = [...new Map(its.map((setup) => [setup.address, setup])).values()];
    if (servers.length > 0) started.use(await startFronts(program, servers, upstream));
  }
  const running = started.move();
  return {
    upstream,
    keys: KEYS,
    arrived,
    serial: new X509Certificate(own.cert).serialNumber.toLowerCase(),
    probe: createPathProbe({
      names: NAMES,
      keys: KEYS,
      clock: systemClock,
      random: systemRandom,
      ports: [httpPort, httpsPort],
      allowLoopback: true,
      refusedAddresses: [EDGE],
      roots: [ca.certificate],
    }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
