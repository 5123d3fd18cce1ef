import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../../../service/config.ts';
import { edgeRingOf, ringText } from '../../../service/settings/key-rings.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { type AcmeProxy, startAcmeProxy } from '../../fixtures/acme/acme-proxy.ts';
import { type Pebble, startPebble } from '../../fixtures/acme/pebble.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { natsSettings, startNats } from '../../fixtures/nats/nats-server.ts';
import {
  type CustomerZone,
  EDGE_NODES,
  type RealInternet,
  startRealInternet,
} from '../../fixtures/real-internet.ts';
import { startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';
import { RunningNode } from '../cluster/cluster.ts';
import { api, createDeployment, type Document } from '../run-service.ts';
import { createEdgeRole } from './edge-role.ts';

/**
 * A complete deployment: three nodes as separate processes, each with an edge on its own address, and the real DNS, CA and Postgres behind
 * them. The third node has only the edge.
 */
export interface EdgeCluster extends AsyncDisposable {
  nodes: readonly RunningNode[];
  /** Addresses of the edges, in the order of the nodes. All use the same ports. */
  edge_addresses: readonly string[];
  httpPort: number;
  httpsPort: number;
  /** The root certificate that visitors trust, in PEM. */
  root: string;
  net: RealInternet;
  pebble: Pebble;
  proxy: AcmeProxy;
  receiver: WebhookReceiver;
  origin: HttpsOrigin;
  signing_secret: string;
  /** The live API key of the app. */
  key: string;
  call(request: string, body?: object): ReturnType<typeof api>;
  /** Runs a command of `nameplate service`, and returns its JSON document. */
  service(...argv: string[]): Promise<Document>;
  /** Time of the nodes' clock. */
  now(): number;
  moveClock(byMs: number): Promise<void>;
  /** Starts a new node in place of a killed one, and sets its clock to the time of the other nodes. */
  restart(node: RunningNode): Promise<void>;
}

/** Loopback addresses of the edges. Receivers and origins use other addresses, because the service refuses to send to its own edge. */
const EDGE_ADDRESSES = [...EDGE_NODES, '127.0.0.23'];
/** A port that is free on 0.0.0.0 is free on the address of each edge. */
export const ALL_ADDRESSES = ['0.0.0.0'];
const EDGE_ZONE = 'edge.test';
/** Two of the nodes are also the name servers of the edge zone. */
const NAME_SERVERS = EDGE_NODES.map((ip, index) => ({ name: `ns${index + 1}.${EDGE_ZONE}`, ip }));

export interface EdgeClusterOptions {
  second?: SecondCa;
  /** Number of nodes, counted from the first, whose addresses customers point to; by default all three. */
  addressCount?: number;
  /** Further root certificates that the nodes trust, in PEM. */
  roots?: string;
  /** Returns the body of the app's response to a request for a host. If set, the origin does not record requests. */
  respond?: (host: string, headers: IncomingHttpHeaders) => string;
  /** The source of the edges' values. With NATS, the first two nodes are relays too, and the third has no database. */
  source?: EdgeSource;
  /** Further settings of all nodes. */
  env?: Readonly<Record<string, string>>;
}

export type EdgeSource = 'postgres' | 'nats';

/** A second CA, which the nodes use if Pebble cannot issue. */
export interface SecondCa {
  name: string;
  directory_url: string;
  caa_issuers: readonly string[];
  /** The issuer of the certificate of the CA's API, in PEM. */
  root: string;
}

/** Starts the deployment. @param zones the customers' zones and their records. */
export async function startEdgeCluster(
  zones: Readonly<Record<string, readonly string[] | CustomerZone>>,
  {
    second,
    addressCount = EDGE_ADDRESSES.length,
    roots: moreRoots = '',
    respond,
    source = 'postgres',
    env,
  }: EdgeClusterOptions = {},
): Promise<EdgeCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'edge-cluster-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const customers = Object.entries(zones).map(
    ([name, zone]) => [name, 'records' in zone ? zone : { records: zone }] as const,
  );
  const [net, deployment, receiver, origin] = [
    stack.use(
      await startRealInternet({
        ...Object.fromEntries(customers),
        [EDGE_ZONE]: { records: [], servers: NAME_SERVERS.map(({ name }) => name) },
      }),
    ),
    stack.use(await createDeployment()),
    stack.use(await startReceiver()),
    stack.use(await startOrigin(path.join(folder, 'origin-ca.pem'), respond)),
  ];
  const [httpPort, httpsPort] = [await freePort(ALL_ADDRESSES), await freePort(ALL_ADDRESSES)];
  const dnsServer = net.resolverAddresses[0] ?? '';
  const pebble = stack.use(await startPebble({ httpPort, httpsPort, dnsServer }));
  const proxy = stack.use(await startAcmeProxy(pebble));
  const [cas, roots] = [path.join(folder, 'cas.json'), path.join(folder, 'roots.pem')];
  const { directory_url } = proxy;
  const { root, ...secondCa } = second ?? { root: '' };
  const orders = { limit: 100_000, window_ms: HOUR_MS };
  const list = [{ name: 'pebble', directory_url, caa_issuers: ['pebble.test'], orders }, secondCa];
  writeFileSync(cas, JSON.stringify(second ? list : list.slice(0, 1)));
  writeFileSync(roots, `${proxy.root}${root}${moreRoots}`);
  const authorities = { NAMEPLATE_CAS: cas, NAMEPLATE_CA_ROOTS_FILE: roots };
  const terms = ['--plan', 'enterprise', '--card-on-file', '--trial-ends-at', 'none'];
  const { document } = await deployment.json(['accounts', 'create', 'Acme', ...terms]);
  const nodes: RunningNode[] = [];
  const apiPort = await freePort();
  const edgeRole = stack.use(await createEdgeRole(deployment.database.url));
  const nats = source === 'nats' && natsSettings(await startNats('', { atEnd: (end) => stack.defer(end) }));
  /** The third node is an edge on a machine of its own: it has no encryption key, and may read only the values of edges. */
  const outside = {
    NAMEPLATE_ROLES: 'edge',
    NAMEPLATE_ENCRYPTION_KEYS: '',
    NAMEPLATE_EDGE_KEYS: ringText(edgeRingOf(readConfig(deployment.env))),
    NAMEPLATE_INNER_URL: `http://127.0.0.1:${apiPort}`,
    DATABASE_URL: nats ? '' : edgeRole.url,
  };
  for (const [index, address] of EDGE_ADDRESSES.entries()) {
    const node = stack.use(
      new RunningNode({
        ...deployment.env,
        NAMEPLATE_EDGE_LISTEN: `${address}:${httpsPort}`,
        NAMEPLATE_EDGE_HTTP_LISTEN: `${address}:${httpPort}`,
        NAMEPLATE_EDGE_ZONE: EDGE_ZONE,
        NAMEPLATE_EDGE_IPV4: EDGE_ADDRESSES.slice(0, addressCount).join(),
        NAMEPLATE_EDGE_IPV6: 'none',
        NAMEPLATE_ROLES: `api,worker,edge,dns${nats ? ',relay' : ''}`,
        NAMEPLATE_EDGE_NODE: `edge-${index}`,
        NAMEPLATE_EDGE_REPLICA: path.join(folder, `replica-${index}`),
        ...nats,
        NAMEPLATE_DNS_LISTEN: `${address}:${net.authorityPort}`,
        NAMEPLATE_DNS_SERVERS: NAME_SERVERS.map(({ name, ip }) => `${name} ${ip}`).join(),
        NAMEPLATE_DNS_PROBE_PORT: String(net.authorityPort),
        NAMEPLATE_EDGE_PROBE_PORTS: `${httpPort},${httpsPort}`,
        NAMEPLATE_REVOKE_ON_DELETE: 'true',
        NAMEPLATE_RESOLVERS: net.resolverAddresses.join(),
        ...authorities,
        NODE_EXTRA_CA_CERTS: path.join(folder, 'origin-ca.pem'),
        AUTHORITY_PORT: String(net.authorityPort),
        NAMEPLATE_EDGE_FOLDER: path.join(folder, address),
        ...(index === 0 && { NAMEPLATE_API_LISTEN: `127.0.0.1:${apiPort}` }),
        ...(index === 2 && outside),
        ...env,
      }),
    );
    nodes.push(node);
  }
  await Promise.all(nodes.map((node) => node.start()));
  let aheadMs = 0;
  const call = (request: string, body?: object) => {
    const url = nodes.find(({ addresses }) => addresses !== null)?.addresses?.api_url ?? '';
    return api(url, document.live_key, request, body);
  };
  await call('PATCH /apps/current', { webhook_url: receiver.url, origin_url: origin.url });
  const owned = stack.move();
  return {
    nodes,
    edge_addresses: EDGE_ADDRESSES,
    httpPort,
    httpsPort,
    root: pebble.root,
    net,
    pebble,
    proxy,
    receiver,
    origin,
    signing_secret: document.signing_secret,
    key: document.live_key,
    call,
    service: async (...argv) => (await deployment.json(argv, authorities)).document,
    now: () => Date.now() + aheadMs,
    async moveClock(byMs) {
      aheadMs += byMs;
      const alive = nodes.filter(({ addresses }) => addresses !== null);
      await Promise.all(alive.map((node) => node.moveClock(byMs)));
    },
    async restart(node) {
      await node.start();
      await node.moveClock(aheadMs);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export interface HttpsOrigin extends AsyncDisposable {
  url: string;
  /** The visitors' requests that reached the origin, without probes. */
  requests: { method: string; url: string; headers: IncomingHttpHeaders }[];
}

/**
 * Starts an origin with HTTPS. Only the nodes trust its CA. The URL contains a name, because nginx verifies no IP address in a certificate.
 */
export async function startOrigin(
  caFile: string,
  respond?: EdgeClusterOptions['respond'],
): Promise<HttpsOrigin> {
  const ca = createThrowawayCa();
  writeFileSync(caFile, ca.certificate);
  const requests: HttpsOrigin['requests'] = [];
  const server = createServer(ca.issue('DNS:localhost,IP:127.0.0.1'), (asked: IncomingMessage, answer) => {
    const { method = '', url = '', headers } = asked;
    if (respond !== undefined) return answer.end(respond(headers.host ?? '', headers));
    if (!headers['user-agent']?.includes('Probe')) requests.push({ method, url, headers });
    answer.end('hello from the origin');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      ca[Symbol.dispose]();
    },
  };
}
