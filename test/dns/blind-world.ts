import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '../../shared/core/instant.ts';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';
import type { CustomerZone } from '../fixtures/real-internet.ts';
import { startFronts } from '../proxies/front-programs.ts';
import { FRONTS, type Front, type Setup } from '../proxies/fronts.ts';
import { startEdgeCluster } from '../service/edge/edge-cluster.ts';
import { api } from '../service/run-service.ts';
import type { BlindWorld } from './blind-client.ts';
import { startLenientHost } from './lenient-host.ts';
import type { ProxiedZone, UnfixableZone } from './proxied-zones.ts';
import { type RandomZone, REGISTERED } from './random-zones.ts';

const TERMS = ['--plan', 'enterprise', '--card-on-file', '--trial-ends-at', 'none'];

/** Starts a service, DNS servers with the customers' zones, and nginx as a proxy in front of some hostnames. */
export async function startBlindWorld(
  zones: readonly (RandomZone & Partial<ProxiedZone>)[],
  unfixable: readonly UnfixableZone[],
): Promise<BlindWorld & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const ca = stack.use(createThrowawayCa());
  const folder = mkdtempSync(path.join(tmpdir(), 'blind-client-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const cluster = stack.use(
    // Customers point to the address of one node. The nodes trust `ca`, which signs the certificates of nginx.
    await startEdgeCluster(emptyZones(zones, unfixable), { addressCount: 1, roots: ca.certificate }),
  );
  const lenient = stack.use(await startLenientHost(cluster.net.authorityPort, {}));
  const proxied = [...zones, ...unfixable].flatMap(({ label, front }) =>
    front === undefined ? [] : [{ label, front }],
  );
  const proxyOf = (label: string) => `127.0.0.${31 + proxied.findIndex((zone) => zone.label === label)}`;
  const certificate = (name: string, names: string) => {
    const file = path.join(folder, `${name}.pem`);
    const { key, cert } = ca.issue(names);
    writeFileSync(file, cert + key);
    return file;
  };
  const good = certificate(
    'good',
    proxied.map(({ label }) => `DNS:${label}.test,DNS:*.${label}.test`).join(),
  );
  const wrong = certificate('wrong', 'DNS:www.elsewhere.example');
  const setups = proxied.map(({ label, front: title }): Setup => {
    const front = FRONTS.find((each) => each.title === title) as Front;
    return { front, program: 'nginx', address: proxyOf(label), hostname: `${label}.test`, stage: 'before' };
  });
  const { httpPort, httpsPort } = cluster;
  const address = cluster.edge_addresses[0] ?? '';
  const certificates = { good, wrong, expired: wrong };
  stack.use(await startFronts('nginx', setups, { address, httpPort, httpsPort, folder, certificates }));
  // A new account may add only a few domains on its first day.
  const { live_key: allows } = await cluster.service('accounts', 'create', 'Allows', ...TERMS);
  await cluster.moveClock(DAY_MS);
  const apiUrl = cluster.nodes[0]?.addresses?.api_url ?? '';
  await api(apiUrl, allows, 'PATCH /apps/current', { origin_url: cluster.origin.url });
  await cluster.call('PATCH /apps/current', { allow_proxied: false });
  const owned = stack.move();
  return {
    cluster,
    lenient,
    keys: { allows, forbids: cluster.key },
    proxyOf,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Returns the zones without the customers' records. The test adds the records once the domains exist. */
function emptyZones(
  zones: readonly RandomZone[],
  unfixable: readonly UnfixableZone[],
): Record<string, CustomerZone> {
  const served = zones.flatMap(({ label, service }): [string, CustomerZone][] => [
    [`${label}.test`, { records: [], ...REGISTERED[service] }],
    ...(service === 'subzone' ? [[`careers.${label}.test`, { records: [] }] as [string, CustomerZone]] : []),
  ]);
  const others = unfixable.flatMap(({ label, registered = {} }): [string, CustomerZone][] =>
    registered === null ? [] : [[`${label}.test`, { records: [], ...registered }]],
  );
  return Object.fromEntries([...served, ...others]);
}
