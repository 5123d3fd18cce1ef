import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ServiceConfig } from '../../../service/config.ts';
import { startOutsideNode } from '../../../service/outside-node.ts';
import { createKey, startKnot } from '../../fixtures/dns/knot.ts';
import { startResolver, type Unbound } from '../../fixtures/dns/unbound.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { dnsConfig, QUIET } from './dns-node.ts';

/** Two nodes with the role `dns` on loopback, below a signed zone at Knot and behind a validating Unbound. */
export interface DelegatedZones extends AsyncDisposable {
  config: ServiceConfig;
  /** The port on which all name servers listen. */
  port: number;
  nodes: readonly Awaited<ReturnType<typeof startOutsideNode>>[];
  resolver: Unbound;
  /** Replaces the records in the parent zone `test` that delegate the two zones. */
  delegate(records: readonly string[]): Promise<void>;
}

/** The address of the name server of the root and of `test`. */
export const REGISTRY = '127.0.0.42';
const NODES = ['127.0.0.43', '127.0.0.44'] as const;
const RESOLVER = '127.0.0.45';
const ROOT = ['test. NS ns.nic.test.', `ns.nic.test. A ${REGISTRY}`];

/** The records of the parent zone that delegate both zones. */
export const DELEGATION: readonly string[] = [
  `ns.nic.test. A ${REGISTRY}`,
  ...['edge.test.', 'sandbox.test.'].flatMap((zone) => [
    `${zone} NS ns1.host.test.`,
    `${zone} NS ns2.edge.test.`,
  ]),
  `ns1.host.test. A ${NODES[0]}`,
  `ns2.edge.test. A ${NODES[1]}`,
  // The mail address in the SOA records of both zones is at this host, so the host needs an MX record.
  'host.test. MX 10 mail.host.test.',
  'mail.host.test. A 192.0.2.25',
];

/** @param at the port of all name servers; by default a free port. */
export async function startDelegatedZones(at?: number): Promise<DelegatedZones> {
  await using started = new AsyncDisposableStack();
  const port = at ?? (await freePort([REGISTRY, ...NODES, RESOLVER]));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-zones-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const anchor = await createKey(folder, 'test');
  const servers = ['ns.nic.test'];
  const zones = new Map([
    ['.', { records: ROOT, servers }],
    ['test', { records: DELEGATION, servers }],
  ]);
  const knot = started.use(await startKnot({ folder, ip: REGISTRY, port, zones, signed: ['test'] }));
  const env = {
    NAMEPLATE_EDGE_ZONE: 'edge.test',
    NAMEPLATE_SANDBOX_ZONE: 'sandbox.test',
    NAMEPLATE_DNS_SERVERS: `ns1.host.test,ns2.edge.test ${NODES[1]}`,
    NAMEPLATE_DNS_CONTACT: 'hostmaster@host.test',
  };
  const nodes = await Promise.all(
    NODES.map((ip) => startOutsideNode(dnsConfig({ ...env, NAMEPLATE_DNS_LISTEN: `${ip}:${port}` }), QUIET)),
  );
  for (const node of nodes) started.defer(node.stop);
  const resolver = started.use(
    await startResolver({
      folder,
      ip: RESOLVER,
      port,
      zones: new Map<string, readonly string[]>([
        ['.', [REGISTRY]],
        ['test', [REGISTRY]],
        ['edge.test', NODES],
        ['sandbox.test', NODES],
      ]),
      trustAnchor: `test. DS ${anchor}`,
    }),
  );
  const config = dnsConfig(env);
  const running = started.move();
  return {
    config: {
      ...config,
      settings: { ...config.settings, allowLoopback: true },
      resolvers: [resolver.address],
    },
    port,
    nodes,
    resolver,
    delegate: (changed) => knot.load('test', { records: changed, servers }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
