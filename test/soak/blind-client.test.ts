import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatChanges } from '../../cli/diagnose/format-changes.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { Diagnosis } from '../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../shared/schema/domain.ts';
import { type Ours, type RandomZone, randomZones } from '../dns/random-zones.ts';
import { describePebble } from '../fixtures/acme/pebble.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeRealInternet } from '../fixtures/describe-real-internet.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { KDIG, kdig } from '../fixtures/dns/kdig.ts';
import { KNSUPDATE, updateZone } from '../fixtures/dns/update-zone.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { HOST_SERVERS } from '../fixtures/real-internet.ts';
import { type EdgeCluster, startEdgeCluster } from '../service/edge/edge-cluster.ts';

/** Tests a client that knows nothing about DNS. It applies the changes in the diagnosis by DNS UPDATE, and waits. */
const ZONES = Number(process.env['BLIND_ZONES'] ?? 300);
const SEED = Number(process.env['BLIND_SEED'] ?? 1);
/** If a domain needs more than one round, one finding hid another. */
const ROUNDS_MAX = 3;
/** Number of domains that the client works on at a time. */
const AT_ONCE = 10;
const PATIENT = { timeout: 120_000, interval: 200 };

const missing = whyMissing({ packages: ['knot-dnsutils'], programs: [KDIG, KNSUPDATE] });

describeUnlessMissing(missing, `A blind client with ${ZONES} broken zones`, () => {
  describeRealInternet('of real servers', () => {
    describePebble('and Pebble', () => {
      describePostgres('on Postgres', blindClient);
    });
  });
});

interface Customer {
  zone: RandomZone;
  hostname: string;
  id: string;
  /** Records that must stay, as they were before. */
  kept: string[];
  /** Number of changes that the client made. */
  changes: number;
}

function blindClient() {
  const zones = randomZones(ZONES, SEED);
  let cluster: EdgeCluster;

  beforeAll(async () => {
    // Only the first server signs.
    const empty = zones.map(({ label, signed }) => [
      `${label}.test`,
      { records: [], ...(signed && { signed, servers: ['ns1.host.test'] }) },
    ]);
    cluster = await startEdgeCluster(Object.fromEntries(empty), { addressCount: 1 });
    // A new account may add only a few domains on its first day.
    await cluster.moveClock(DAY_MS);
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test('brings each of them to active, and touches no other record', async () => {
    const customers = await inTurns(zones, addDomain);
    let rounds = 0;
    let broken = customers;
    for (; rounds < ROUNDS_MAX && broken.length > 0; rounds++) {
      broken = await inTurns(broken, obey).then((changed) => changed.flat());
    }
    await cluster.moveClock(LIMITS.verify_window_ms);
    await inTurns(customers, ({ id }) => cluster.call(`POST /domains/${id}/verify`));
    await expect
      .poll(() => countActive(), PATIENT)
      .toBe(ZONES)
      .catch(() => undefined);

    const wrong: unknown[] = [];
    let minimal = 0;
    for (const { zone, id, kept, changes } of customers) {
      const { label, mistakes, fewestChanges } = zone;
      const { status, status_reason: reason } = await read(id);
      const after = await lookUp(zone);
      if (changes === fewestChanges) minimal++;
      else console.log(`${label}: ${changes} changes instead of ${fewestChanges}: ${mistakes.join(', ')}`);
      const isKept = JSON.stringify(after) === JSON.stringify(kept);
      if (status !== 'active' || !isKept) wrong.push({ label, mistakes, status, reason, isKept });
    }
    const signed = zones.filter((zone) => zone.signed).length;
    console.log(
      `${ZONES} zones (${signed} signed), ${ZONES - wrong.length} active with all other records kept, ` +
        `${minimal} by the fewest changes, at most ${rounds} rounds, ${cluster.proxy.counts.orders} orders, seed ${SEED}`,
    );
    expect(wrong).toEqual([]);
    expect(minimal / ZONES).toBeGreaterThanOrEqual(0.95);
  });

  async function addDomain(zone: RandomZone): Promise<Customer> {
    const { label, sub } = zone;
    const hostname = sub === null ? `${label}.test` : `${sub}.${label}.test`;
    const { status, body } = await cluster.call('POST /domains', { hostname });
    expect({ status, body }).toMatchObject({ status: 201 });
    const domain = body as unknown as DomainResource;
    await cluster.net.change(`${label}.test`, zone.recordsFor(oursOf(domain)));
    return { zone, hostname, id: domain.id, kept: await lookUp(zone), changes: 0 };
  }

  function oursOf({ dns }: DomainResource): Ours {
    const [address = ''] = cluster.edge_addresses;
    const { name: proofName = '', value: proof = '' } = dns.apex?.txt ?? {};
    return { target: dns.cname?.value ?? '', address, proofName, proof };
  }

  /** Applies the changes of the diagnosis. @returns the customer, or nothing if there are no changes. */
  async function obey(customer: Customer): Promise<Customer[]> {
    const { zone, id } = customer;
    await forget(zone);
    const { status, body } = await cluster.call(`GET /domains/${id}/diagnosis`);
    expect(status).toBe(200);
    const diagnosis = body as unknown as Diagnosis;
    const update = formatChanges(diagnosis, 'nsupdate');
    if (update === '') return [];
    customer.changes += JSON.parse(formatChanges(diagnosis, 'json')).length;
    await Promise.all(serversOf(zone).map((server) => updateZone(server, update)));
    await forget(zone);
    return [customer];
  }

  function forget({ label }: RandomZone) {
    return Promise.all(cluster.net.resolvers.map((resolver) => resolver.forget(`${label}.test`)));
  }

  async function read(id: string): Promise<DomainResource> {
    return (await cluster.call(`GET /domains/${id}`)).body as unknown as DomainResource;
  }

  async function countActive(): Promise<number> {
    let count = 0;
    let after = '';
    do {
      const { body } = await cluster.call(`GET /domains?status=active&limit=100${after}`);
      count += (body['data'] as unknown[]).length;
      const cursor = body['next_cursor'];
      after = typeof cursor === 'string' ? `&cursor=${cursor}` : '';
    } while (after !== '');
    return count;
  }

  function serversOf({ signed }: RandomZone) {
    const hosts = signed ? HOST_SERVERS.slice(0, 1) : HOST_SERVERS;
    return hosts.map((host) => ({ host, port: cluster.net.authorityPort }));
  }

  /** Returns the zone's records that have nothing to do with us, as the customer's server has them. */
  function lookUp(zone: RandomZone): Promise<string[]> {
    const { label, unrelated } = zone;
    const [server] = serversOf(zone);
    if (server === undefined) throw new Error('there is no server');
    return Promise.all(
      unrelated.map((each) => {
        const [name, type = ''] = each.split(' ');
        return kdig(server, [name === '@' ? `${label}.test` : `${name}.${label}.test`, type, '+short']);
      }),
    );
  }

  /** Calls an async function for each element, `AT_ONCE` elements at a time. Moves the clock, so that no limit on lookups is reached. */
  async function inTurns<T, R>(all: readonly T[], run: (each: T) => Promise<R>): Promise<R[]> {
    const results: R[] = [];
    for (let from = 0; from < all.length; from += AT_ONCE) {
      await cluster.moveClock(LIMITS.verify_window_ms);
      results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(run))));
    }
    return results;
  }
}
