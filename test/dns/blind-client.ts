import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { BUDGETS } from '../../shared/core/budgets.ts';
import { HOUR_MS, SECOND_MS } from '../../shared/core/instant.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import type { DnsServer } from '../fixtures/dns/dns-server.ts';
import { kdig } from '../fixtures/dns/kdig.ts';
import { HOST_SERVERS, LENIENT, REGISTRY } from '../fixtures/real-internet.ts';
import type { EdgeCluster } from '../service/edge/edge-cluster.ts';
import { api } from '../service/run-service.ts';
import { fewestChanges, type Goal } from './fewest-changes.ts';
import { rowsOf } from './lenient-host.ts';
import { obeyChanges } from './obey-changes.ts';
import type { ProxiedZone, UnfixableZone } from './proxied-zones.ts';
import { type Ours, type RandomZone, STALE_DS } from './random-zones.ts';
import { readLines } from './zone-model.ts';

/** Number of domains that the client works on at a time. */
const AT_ONCE = 10;
const PATIENT = { interval: 500 };
const WAITS_MAX = 6;
const TRIES_MAX = 5;
const RETRY_MS = HOUR_MS;
/** A placeholder for a TXT value that the API does not show. */
const UNKNOWN_PROOF = 'proof';

export interface Customer {
  zone: Pick<RandomZone, 'label' | 'sub' | 'service' | 'bystanders' | 'mistakes'> & Partial<ProxiedZone>;
  hostname: string;
  id: string;
  key: string;
  /** The records that the client must not change, as they were at the start of the test. */
  kept: string[];
  /** The changes that the client made, as text. `fewest` is the smallest number of changes that fix the zone. */
  changes: string[];
  fewest: number;
  /** The codes of the first diagnosis. */
  found: readonly string[];
}

/** The service and the DNS servers that the client uses. */
export interface BlindWorld {
  cluster: EdgeCluster;
  lenient: DnsServer;
  /** API keys: of an app that allows proxies, and of an app that forbids them. */
  keys: Record<'allows' | 'forbids', string>;
  proxyOf(label: string): string;
}

/** A client without any knowledge of DNS. It adds domains, and makes exactly the record changes that each diagnosis lists. */
export class BlindClient {
  readonly world: BlindWorld;

  constructor(world: BlindWorld) {
    this.world = world;
  }

  async addDomain(zone: RandomZone & Partial<ProxiedZone>): Promise<Customer> {
    const { label, sub, service, bystanders } = zone;
    const apex = `${label}.test`;
    const hostname = sub === null ? apex : `${sub}.${apex}`;
    const key = this.world.keys[zone.isAllowed ? 'allows' : 'forbids'];
    const domain = await this.#create(hostname, key);
    const ours = this.#oursOf(domain, label);
    const lines = zone.recordsFor(ours);
    if (service === 'careless') this.world.lenient.zones[apex] = rowsOf(apex, lines);
    else await this.world.cluster.net.change(apex, this.#withCut(lines, service));
    const customer = { zone, hostname, id: domain.id, key, changes: [], found: [], kept: [] };
    const goal: Goal = {
      hostname,
      zone: service === 'subzone' ? hostname : apex,
      target: ours.target,
      addresses: [ours.address, ...(zone.leads && zone.isAllowed ? [ours.proxy] : [])],
      proofName: `_service.${hostname}`,
      proof: ours.proof,
      issuer: 'pebble.test',
      kept: readLines(apex, bystanders),
    };
    const hasStaleDs = service === 'stale_ds' || service === 'ds_without_keys';
    const ds = hasStaleDs ? [{ name: 'DS', type: 'STALE-DS', value: STALE_DS }] : [];
    const fewest = fewestChanges([...readLines(apex, lines), ...ds], goal);
    return { ...customer, fewest, kept: await this.bystanders(customer) };
  }

  /** Adds a domain that no change of its customer's records can fix. */
  async addUnfixable({ label, recordsFor }: UnfixableZone): Promise<Pick<Customer, 'id' | 'key' | 'zone'>> {
    const key = this.world.keys.allows;
    const domain = await this.#create(`careers.${label}.test`, key);
    if (recordsFor !== undefined)
      await this.world.cluster.net.change(`${label}.test`, recordsFor(this.#oursOf(domain, label)));
    return {
      id: domain.id,
      key,
      zone: { label, sub: 'careers', service: 'plain', bystanders: [], mistakes: [] },
    };
  }

  async diagnose({ zone, id, key }: Pick<Customer, 'id' | 'key' | 'zone'>): Promise<Diagnosis> {
    await this.#forget(zone);
    const { status, body } = await this.#call(key, `GET /domains/${id}/diagnosis`);
    expect(status).toBe(200);
    return body as unknown as Diagnosis;
  }

  /**
   * Makes the record changes of a customer's diagnosis. @returns an array with the customer; an empty array if the diagnosis
   * lists no changes.
   */
  async obey(customer: Customer): Promise<Customer[]> {
    const diagnosis = await this.diagnose(customer);
    if (customer.found.length === 0) customer.found = diagnosis.findings.map(({ code }) => code);
    const { service } = customer.zone;
    const changes = await obeyChanges(diagnosis, (zone) => this.#serversOf(zone, service));
    if (changes.length === 0) return [];
    for (const { action, name, type, value } of changes)
      customer.changes.push(`${action} ${name} ${type} ${value}`);
    await this.#forget(customer.zone);
    return [customer];
  }

  verify({ id, key }: Customer) {
    return this.#call(key, `POST /domains/${id}/verify`);
  }

  async read({ id, key }: Pick<Customer, 'id' | 'key'>): Promise<DomainResource> {
    return (await this.#call(key, `GET /domains/${id}`)).body as unknown as DomainResource;
  }

  /** Waits until all domains are active, or until they have had enough time to become active. */
  async waitUntilActive(customers: readonly Customer[]): Promise<void> {
    let left = [...customers];
    const check = async () => {
      const statuses = await Promise.all(left.map(async (customer) => (await this.read(customer)).status));
      left = left.filter((_, index) => statuses[index] !== 'active');
      return left.length;
    };
    for (let waits = 0; waits < WAITS_MAX; waits++) {
      const isDone = await expect
        .poll(check, PATIENT)
        .toBe(0)
        .then(() => true)
        .catch(() => false);
      if (isDone) return;
      // Moves the clock, so that the service repeats attempts that failed before the change.
      await this.world.cluster.moveClock(RETRY_MS);
    }
  }

  /** Returns the records in the customer's zone that have nothing to do with the service. */
  bystanders({ zone }: Pick<Customer, 'zone'>): Promise<string[]> {
    const apex = `${zone.label}.test`;
    const [server] = this.#serversOf(apex, zone.service);
    if (server === undefined) throw new Error('there is no server');
    return Promise.all(
      zone.bystanders.map((line) => {
        const [name = '', type = ''] = line.replace('*', 'x').split(' ');
        return kdig(server, [name === '@' ? apex : `${name}.${apex}`, type, '+short']);
      }),
    );
  }

  /** Calls an async function for each element, `AT_ONCE` elements at a time. Moves the clock, so that no limit on lookups is reached. */
  async inTurns<T, R>(all: readonly T[], run: (each: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      await this.world.cluster.moveClock(BUDGETS.verify.windowMs);
      results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(run))));
    }
    return results;
  }

  async #create(hostname: string, key: string): Promise<DomainResource> {
    const { status, body } = await this.#call(key, 'POST /domains', { hostname });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as unknown as DomainResource;
  }

  /** Sends an API request. After a response with 429 or 503, waits for `Retry-After` and repeats the request. */
  async #call(key: string, request: string, body?: object): ReturnType<typeof api> {
    const { nodes, moveClock } = this.world.cluster;
    for (let tries = 1; ; tries++) {
      const response = await api(nodes[0]?.addresses?.api_url ?? '', key, request, body);
      if (![429, 503].includes(response.status) || tries === TRIES_MAX) return response;
      const waitMs = Number(response.headers.get('retry-after') ?? 1) * SECOND_MS;
      // Waits in real time too, because some limits use the machine's clock and not the nodes'.
      await Promise.all([moveClock(waitMs), delay(Math.min(waitMs, SECOND_MS))]);
    }
  }

  #oursOf({ dns }: DomainResource, label: string): Ours {
    const [address = ''] = this.world.cluster.edge_addresses;
    const { name: proofName = '', value: proof = UNKNOWN_PROOF } = dns.apex?.txt ?? {};
    return { target: dns.cname?.value ?? '', address, proofName, proof, proxy: this.world.proxyOf(label) };
  }

  /** Returns the lines of the parent zone, with the delegation if the hostname is in a subzone. */
  #withCut(lines: readonly string[], service: RandomZone['service']): readonly string[] {
    const servers = ['ns1.host.test', 'ns2.host.test'];
    return service === 'subzone' ? [...lines, ...servers.map((each) => `careers NS ${each}.`)] : lines;
  }

  #forget({ label }: Pick<RandomZone, 'label'>) {
    return Promise.all(this.world.cluster.net.resolvers.map((resolver) => resolver.forget(`${label}.test`)));
  }

  #serversOf(zone: string, service: RandomZone['service']) {
    const port = this.world.cluster.net.authorityPort;
    return hostsOf(zone, service).map((host) => ({ host, port }));
  }
}

/** Returns the addresses of the servers to update. Only the first server of the DNS host signs. */
function hostsOf(zone: string, service: RandomZone['service']): readonly string[] {
  if (zone === 'test') return [REGISTRY];
  if (service === 'careless') return [LENIENT];
  return service === 'signed' || service === 'stale_ds' ? HOST_SERVERS.slice(0, 1) : HOST_SERVERS;
}
