import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { delegationTarget } from '../../../shared/core/certificates/acme-challenge.ts';
import { newOrder } from '../../../shared/core/certificates/certificate-order.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { findCustomerAddresses } from '../../../shared/operations/domains/customer-target.ts';
import { presentDomain } from '../../../shared/operations/domains/present-domain.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { getApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { saveCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { saveDomain } from '../../../shared/store/domains/domains.ts';
import { findRoute, findRouteOwner, takeFreeRoute } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import type { SaidView } from '../../core/dns/survey-builder.ts';
import { addresses, type DnsWorld, dnsWorld, EDGE_ZONE, everywhere } from './dns-world.ts';

/** Tests that an old proof of ownership in a zone does not move a live hostname to another app (`shared/decisions/0066`). */
const CHALLENGE_ZONE = `acme.${EDGE_ZONE}`;
const SUBDOMAIN = 'careers.acme.com';
const APEX = 'acme.com';

let world: DnsWorld;
let former: Caller;
let chosen: Caller;
/** The target of the CNAME record at `_acme-challenge`. */
let delegation: string | null;

beforeEach(async () => {
  world = await dnsWorld();
  world.context.settings = { ...world.context.settings, challengeZone: CHALLENGE_ZONE };
  world.context.cnameLookup = { chain: async () => (delegation === null ? [] : [delegation]) };
  delegation = null;
  former = await world.addLiveApp('former');
  chosen = await world.addLiveApp('chosen');
});
afterEach(() => world[Symbol.asyncDispose]());

/** The tests run in both orders, because the result must not depend on which domain is checked first. */
const ORDERS = [
  ['the former app', true],
  ['the chosen app', false],
] as const;

describe.each(ORDERS)('the result is the same if the domain of %s is checked first', (_, isFormerFirst) => {
  /**
   * Checks both domains several times, an hour apart, in the order of the current group of tests. @returns the statuses of `other` after
   * each check.
   */
  async function checkBoth(one: DomainId, other: DomainId): Promise<Set<string>> {
    const statuses = new Set<string>();
    for (let round = 0; round < 4; round++) {
      for (const id of isFormerFirst ? [one, other] : [other, one]) {
        await checkNow(id);
        statuses.add((await world.domain(other)).status);
      }
      world.clock.move(HOUR_MS);
    }
    return statuses;
  }

  test('an apex without a TXT record stays with the chosen app, even if challenges are delegated to the former app', async () => {
    const prepared = await addPrepared(former, APEX);
    delegation = delegationTarget(prepared, CHALLENGE_ZONE);
    const live = await goLive(chosen, APEX);
    world.says = everywhere(() => addresses());
    expect(await checkBoth(prepared, live)).toEqual(new Set(['active']));
    expect((await world.domain(prepared)).status).not.toBe('issuing');
    expect(await findRouteOwner(world.context.store, APEX)).toBe(live);
  });

  test.each([true, false])(
    'a subdomain stays with the app that its CNAME points to, whether or not challenges are delegated to the former app (%s)',
    async (stands) => {
      const prepared = await addPrepared(former, SUBDOMAIN);
      delegation = delegationTarget(prepared, CHALLENGE_ZONE);
      const live = await goLive(chosen, SUBDOMAIN);
      if (!stands) delegation = null;
      world.says = everywhere(await resolvedCname(chosen));
      expect(await checkBoth(prepared, live)).toEqual(new Set(['active']));
      expect(await findRouteOwner(world.context.store, SUBDOMAIN)).toBe(live);
    },
  );

  test("an apex without the chosen app's TXT record stays with this app, even if the former app's old TXT record exists", async () => {
    const waiting = await world.addDomain(former, APEX);
    const old = (await world.domain(waiting)).txt_value;
    const live = await goLive(chosen, APEX);
    expect(await world.domain(waiting)).toMatchObject({ retired_at: expect.any(Number) });
    world.says = everywhere(() => addresses(old));
    await checkBoth(waiting, live);
    expect(await world.domain(live)).toMatchObject({ status: 'active' });
    expect(await world.domain(waiting)).toMatchObject({ status_reason: 'dns_txt_mismatch' });
    // A TXT record with the current value of the waiting domain shows that the customer wants to move to this app.
    const { txt_value } = await world.domain(waiting);
    world.says = everywhere(() => addresses(txt_value));
    await checkBoth(waiting, live);
    expect(await world.domain(waiting)).toMatchObject({ status: 'issuing' });
    expect(await world.domain(live)).toMatchObject({ status: 'dns_broken' });
  });

  test('if an expired domain is added again, its old TXT record proves nothing', async () => {
    const live = await goLive(chosen, APEX);
    const expired = await world.addDomain(former, APEX);
    const [own, old] = [(await world.domain(live)).txt_value, (await world.domain(expired)).txt_value];
    world.says = everywhere(() => addresses(own, old));
    world.clock.move(4 * DAY_MS);
    await world.work();
    expect(await world.domain(expired)).toMatchObject({ status: 'expired' });
    await createDomain(world.context, former, { body: { hostname: APEX } });
    world.says = everywhere(() => addresses(old));
    expect(await checkBoth(expired, live)).toEqual(new Set(['active']));
  });

  test('if two domains have their TXT records, the older one gets the hostname, even if only the newer one has a certificate', async () => {
    const older = await world.addDomain(chosen, APEX);
    world.clock.move(SECOND_MS);
    const prepared = await addPrepared(former, APEX);
    const proofs = [(await world.domain(older)).txt_value, (await world.domain(prepared)).txt_value];
    world.says = everywhere(() => addresses(...proofs));
    await checkNow(isFormerFirst ? prepared : older);
    expect(await world.domain(older)).toMatchObject({ status: 'issuing' });
    expect(await findRouteOwner(world.context.store, APEX)).toBe(older);
  });

  test('if a domain has lost its hostname, its delegation proves nothing, even after the chosen app deletes its own domain', async () => {
    const prepared = await addPrepared(former, APEX);
    delegation = delegationTarget(prepared, CHALLENGE_ZONE);
    const live = await goLive(chosen, APEX);
    await deleteDomain(world.context, chosen, { params: { id: live } });
    world.says = everywhere(() => addresses());
    await checkNow(prepared);
    expect((await world.domain(prepared)).status).not.toBe('issuing');
  });

  test('a live subdomain breaks if its CNAME points to an app that has not added it, or to no app', async () => {
    const live = await goLive(chosen, SUBDOMAIN);
    const { target_label } = await getApp(world.context.store, former.app_id);
    for (const label of [target_label, 'nobody']) {
      world.clock.move(SECOND_MS);
      world.says = everywhere(() => ({ a: [`CNAME ${label}.${EDGE_ZONE}`, 'A 203.0.113.10'] }));
      await checkNow(live);
      world.clock.move(HOUR_MS);
      await checkNow(live);
      expect(await world.domain(live)).toMatchObject({
        status: 'dns_broken',
        status_reason: 'dns_record_mismatch',
      });
      world.says = everywhere(await resolvedCname(chosen));
      await checkNow(live);
      expect(await world.domain(live)).toMatchObject({ status: 'active' });
    }
  });
});

test('a held domain that lost its hostname breaks in the transaction that releases it', async () => {
  const held = await goLive(former, SUBDOMAIN);
  await triggerDomain(world.context, held, 'hold');
  const live = await goLive(chosen, SUBDOMAIN);
  expect(await world.domain(held)).toMatchObject({ status: 'held' });
  await triggerDomain(world.context, held, 'release');
  expect(await world.domain(held)).toMatchObject({
    status: 'dns_broken',
    status_reason: 'hostname_routed_elsewhere',
  });
  expect((await world.events(former, held)).slice(-2)).toEqual(['domain.released', 'domain.dns_broken']);
  expect(await findRouteOwner(world.context.store, SUBDOMAIN)).toBe(live);
});

test('the edge serves the former domain of a hostname until the new domain has a certificate', async () => {
  const live = await goLive(former, SUBDOMAIN);
  const next = await world.addDomain(chosen, SUBDOMAIN);
  world.says = everywhere(await resolvedCname(chosen));
  await checkNow(next);
  expect(await findRoute(world.context.store, SUBDOMAIN)).toEqual({ domain_id: next, served_id: live });
  await triggerDomain(world.context, next, 'certificate_issued');
  expect(await findRoute(world.context.store, SUBDOMAIN)).toEqual({ domain_id: next, served_id: null });
});

describe('the name www can move between the apex that redirects it and a domain of its own', () => {
  const WWW = 'www.acme.com';

  test('www moves to the app that its CNAME points to, and back', async () => {
    const apex = await goLive(former, APEX, { apex_redirect: 'www' });
    const own = await goLive(chosen, WWW);
    expect(await findRouteOwner(world.context.store, WWW)).toBe(own);
    world.says = everywhere(await resolvedCname(former));
    await checkNow(own);
    expect(await findRoute(world.context.store, WWW)).toEqual({ domain_id: apex, served_id: own });
    expect(await world.domain(own)).toMatchObject({ status: 'dns_broken' });
    expect(await world.domain(apex)).toMatchObject({ status: 'active' });
    world.says = everywhere(await resolvedCname(chosen));
    await checkNow(own);
    expect(await findRoute(world.context.store, WWW)).toEqual({ domain_id: own, served_id: null });
    expect(await world.domain(apex)).toMatchObject({ status: 'active' });
  });

  test('www moves to a waiting domain only with its TXT record, and stays there after the record is removed', async () => {
    const apex = await goLive(former, APEX, { apex_redirect: 'www' });
    const waiting = await world.addDomain(chosen, WWW);
    world.says = everywhere(() => addresses());
    await checkNow(waiting);
    expect(await findRouteOwner(world.context.store, WWW)).toBe(apex);
    const { txt_value } = await world.domain(waiting);
    world.says = everywhere(() => addresses(txt_value));
    await checkNow(waiting);
    expect(await world.domain(waiting)).toMatchObject({ status: 'issuing' });
    world.says = everywhere(() => addresses());
    await triggerDomain(world.context, waiting, 'certificate_issued');
    await checkNow(waiting);
    expect(await findRouteOwner(world.context.store, WWW)).toBe(waiting);
  });
});

test("if a white-label host is also a domain, the records of this domain contain the app's own target", async () => {
  const { store } = world.context;
  const id = await world.addDomain(chosen, 'own.acme.com');
  const apexId = await createDomain(world.context, chosen, {
    body: { hostname: APEX, apex_redirect: 'www' },
  });
  const shown = async (host: string) => {
    await updateApp(autocommit(store), chosen.app_id, { whitelabel_host: host, whitelabel_verified: true });
    const app = await getApp(store, chosen.app_id);
    const targets = await findCustomerAddresses(world.context, app);
    const [own, apex] = [await world.domain(id), await world.domain(apexId.body.id as DomainId)];
    return [
      presentDomain(world.context, targets, own).dns.cname?.value,
      presentDomain(world.context, targets, apex).dns.apex?.www?.value,
    ];
  };
  const { target_label } = await getApp(store, chosen.app_id);
  const label = `${target_label}.${EDGE_ZONE}`;
  expect(await shown('own.acme.com')).toEqual([label, 'own.acme.com']);
  expect(await shown('www.acme.com')).toEqual(['www.acme.com', label]);
});

/** Adds a domain that has its certificate before the DNS switch, as after a delegated challenge. */
async function addPrepared(caller: Caller, hostname: string): Promise<DomainId> {
  const { store, clock } = world.context;
  const id = await world.addDomain(caller, hostname);
  const now = clock.now();
  const certificate = {
    issuer: 'CA',
    not_before: now,
    not_after: now + 90 * DAY_MS,
    renews_at: now + 60 * DAY_MS,
  };
  await saveDomain(autocommit(store), { ...(await world.domain(id)), certificate });
  await saveCertificateOrder(autocommit(store), { ...newOrder(id, 'issue', now), methods: ['dns-01'] });
  await takeFreeRoute(autocommit(store), hostname, id);
  return id;
}

/** Adds a domain, sets its DNS records, and checks them, so that the domain goes live. */
async function goLive(
  caller: Caller,
  hostname: string,
  fields: { apex_redirect?: 'www' } = {},
): Promise<DomainId> {
  const { body } = await createDomain(world.context, caller, { body: { hostname, ...fields } });
  const id = body.id as DomainId;
  const { is_apex, txt_value } = await world.domain(id);
  world.says = is_apex ? everywhere(() => addresses(txt_value)) : everywhere(await resolvedCname(caller));
  await checkNow(id);
  await triggerDomain(world.context, id, 'certificate_issued');
  return id;
}

/** Returns a resolver's answer for a CNAME to the target of an app: the CNAME and the addresses of the edge. */
async function resolvedCname({ app_id }: Caller): Promise<() => SaidView> {
  const { target_label } = await getApp(world.context.store, app_id);
  return () => ({
    a: [`CNAME ${target_label}.${EDGE_ZONE}`, 'A 203.0.113.10'],
    aaaa: 'nodata',
    txt: 'nodata',
  });
}

async function checkNow(id: DomainId): Promise<void> {
  const { store, clock } = world.context;
  await autocommit(store)
    .db.updateTable('jobs')
    .set({ due_at: clock.now() })
    .where('subject_id', '=', id)
    .where('kind', '=', 'check_dns')
    .execute();
  await world.work();
}
