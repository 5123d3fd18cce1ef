import { readFileSync } from 'node:fs';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { systemClock } from '../../../shared/adapters/system-clock.ts';
import { createIds, systemRandom } from '../../../shared/adapters/system-random.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { createEdge } from '../../../shared/edge/listeners/edge-server.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';

/** A program that runs an edge with TLS for one hostname, in front of ORIGIN. Prints one JSON document once it listens. */
const { HOSTNAME = '', ORIGIN = '', CERTIFICATE = '', PRIVATE_KEY = '' } = process.env;
const served = {
  chain: readFileSync(CERTIFICATE, 'utf8'),
  private_key: readFileSync(PRIVATE_KEY, 'utf8'),
  serial: '1',
};
const table = new RouteTable();
const route = {
  domain_id: 'dom_01k0000000000000000000000000',
  app_id: 'app_01k0000000000000000000000000',
  hostname: HOSTNAME,
  origin: { kind: 'app', url: ORIGIN } as const,
  origin_headers: { 'X-Tenant': 'acme' },
  signing_secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  redirectTo: null,
};
table.set(HOSTNAME, { route, redirectsWww: false, changesAt: null });

const edge = createEdge({
  findRoute: table.find,
  names: serviceNames('Service'),
  wallClock: systemClock,
  ids: createIds(systemClock, systemRandom),
  scheme: 'https',
  connect: createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 }).connect,
  sandboxOrigin: null,
  serveHost: async () => new Response(null, { status: 404 }),
  tls: { certificates: { findCertificate: async (hostname) => (hostname === HOSTNAME ? served : null) } },
});
const { port } = await edge.listen(0, '127.0.0.1');
console.log(JSON.stringify({ port }));
process.once('SIGTERM', () => process.exit());
