import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../../shared/core/apps/app.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { holdHostname, releaseHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { verifyDomain } from '../../../shared/operations/request-check.ts';
import { getApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { findDnsCheck } from '../../../shared/store/domains/dns-checks.ts';
import { findDomainById } from '../../../shared/store/domains/domains.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { START } from '../../jobs/job-world.ts';
import { type DnsWorld, dnsWorld, EDGE_ZONE, everywhere, MISSING, nextCheck, right } from './dns-world.ts';

const HOST = 'careers.acme.com';
const WHITELABEL = 'jobs.brand.com';
const VERIFIED: Partial<App> = { whitelabel_host: WHITELABEL, whitelabel_verified: true };
const UNVERIFIED: Partial<App> = { whitelabel_host: WHITELABEL, whitelabel_verified: false };

let world: DnsWorld;
let caller: Caller;
let id: DomainId;

beforeEach(async () => {
  world = await dnsWorld();
  caller = await world.addLiveApp('acme');
  id = await world.addDomain(caller, HOST);
});
afterEach(() => world[Symbol.asyncDispose]());

describe('during the DNS lookup of a domain, other changes are possible', () => {
  beforeEach(() => {
    world.says = everywhere(right);
  });

  test('the domain can be deleted, and stays deleted', async () => {
    world.meanwhile = () => deleteDomain(world.context, caller, { params: { id } });
    await work();
    expect(await findDomainById(world.context.store, id)).toMatchObject({ status: 'deleted' });
    await expectNothingNoted(['domain.created', 'domain.deleted']);
    expect(await nextCheck(world, id)).toBeNull();
  });

  test('the domain can be held, and is checked at once after its release', async () => {
    world.meanwhile = () => holdHostname(world.context, HOST, null);
    await work();
    expect(await world.domain(id)).toMatchObject({ status: 'held' });
    await expectNothingNoted(['domain.created', 'domain.held']);
    expect(await nextCheck(world, id)).toBeNull();
    await releaseHostname(world.context, HOST);
    await world.work();
    expect(await world.domain(id)).toMatchObject({ status: 'issuing' });
  });

  test('another requested check uses the lookup that is already in progress', async () => {
    world.meanwhile = () => verifyDomain(world.context, caller, { params: { id } });
    await work();
    expect(await world.domain(id)).toMatchObject({ status: 'issuing', last_checked_at: world.clock.now() });
    expect(world.depths).toEqual(['first']);
  });

  test('the lease of the check can expire, and another worker can finish first', async () => {
    world.says = everywhere(() => MISSING);
    world.meanwhile = async () => {
      world.clock.move(3 * MINUTE_MS);
      world.says = everywhere(right);
      await world.work();
    };
    await work();
    expect(await world.domain(id)).toMatchObject({ status: 'issuing', status_reason: null });
    expect(await world.events(caller, id)).toEqual(['domain.created', 'domain.verified']);
    expect(await findDnsCheck(world.context.store, id)).toMatchObject({ findings: [] });
    expect(world.logged).toEqual([]);
  });

  test("the app's white-label host can be verified, and the lookup is then repeated at once", async () => {
    world.meanwhile = () => updateApp(autocommit(world.context.store), caller.app_id, VERIFIED);
    await work();
    expect(await world.domain(id)).toMatchObject({ status: 'pending_dns', last_checked_at: null });
    await expectNothingNoted(['domain.created']);
    expect(await nextCheck(world, id)).toBe(world.clock.now());
    await world.work();
    expect(await world.domain(id)).toMatchObject({ status: 'issuing', routed_through: WHITELABEL });
  });
});

describe("the app's white-label host affects the checks of its domains", () => {
  const through = { a: [`CNAME ${WHITELABEL}`, 'A 93.184.215.14'] } as const;

  beforeEach(() => {
    world.says = everywhere(() => through);
  });

  test("lets a check confirm a waiting domain once the host is verified and its CNAME points to the app's target", async () => {
    await updateApp(autocommit(world.context.store), caller.app_id, VERIFIED);
    const { target_label } = await getApp(world.context.store, caller.app_id);
    world.says = everywhere(() => ({ a: [`CNAME ${WHITELABEL}`, `CNAME ${target_label}.${EDGE_ZONE}`] }));
    expect(await world.check(id)).toMatchObject({ status: 'issuing', routed_through: WHITELABEL });
  });

  test('is checked at once if it is verified, but its CNAME record now points elsewhere', async () => {
    world.context.cnameLookup = { chain: async () => ['elsewhere.example'] };
    await updateApp(autocommit(world.context.store), caller.app_id, {
      ...VERIFIED,
      whitelabel_checked_at: START - MINUTE_MS,
    });
    await world.check(id);
    await world.work();
    expect(await getApp(world.context.store, caller.app_id)).toMatchObject({
      whitelabel_verified: false,
      whitelabel_found: 'elsewhere.example',
    });
  });

  test.each([
    ['verified, but now points elsewhere', VERIFIED],
    ['not verified yet', UNVERIFIED],
    ['broken, but within its grace period', { ...UNVERIFIED, whitelabel_grace_ends_at: START + DAY_MS }],
  ] as const)('that is %s confirms no waiting domain', async (_, state) => {
    await updateApp(autocommit(world.context.store), caller.app_id, state);
    expect(await world.check(id)).toMatchObject({
      status: 'pending_dns',
      routed_through: null,
      status_reason: 'whitelabel_unverified',
    });
  });

  test('keeps the domains that point to it active for its grace period if it breaks', async () => {
    await updateApp(autocommit(world.context.store), caller.app_id, VERIFIED);
    const active = await world.addActive(caller, 'jobs.acme.com');
    expect(await world.domain(active)).toMatchObject({ status: 'active', routed_through: WHITELABEL });
    const graceEndsAt = world.clock.now() + 3 * HOUR_MS;
    await updateApp(autocommit(world.context.store), caller.app_id, {
      ...UNVERIFIED,
      whitelabel_grace_ends_at: graceEndsAt,
    });
    for (let n = 0; n < 2; n += 1) {
      expect(await world.check(active)).toMatchObject({ status: 'active' });
      expect(await findDnsCheck(world.context.store, active)).toMatchObject({ missed_at: null });
    }
    expect(await world.check(active)).toMatchObject({ status: 'active' });
    expect(world.clock.now()).toBeGreaterThanOrEqual(graceEndsAt);
    expect(await world.check(active)).toMatchObject({
      status: 'dns_broken',
      status_reason: 'whitelabel_unverified',
    });
  });

  test("is not the only valid target: the app's own target is valid as well", async () => {
    await updateApp(autocommit(world.context.store), caller.app_id, VERIFIED);
    const own = `${(await getApp(world.context.store, caller.app_id)).target_label}.${EDGE_ZONE}`;
    world.says = everywhere(() => ({ a: [`CNAME ${own}`] }));
    expect(await world.check(id)).toMatchObject({ status: 'issuing', routed_through: own });
  });
});

/** Moves the clock by ten seconds and runs the due work. */
async function work(): Promise<void> {
  world.clock.move(10 * SECOND_MS);
  await world.work();
}

async function expectNothingNoted(events: readonly string[]): Promise<void> {
  expect(await findDnsCheck(world.context.store, id)).toBeNull();
  expect(await findRouteOwner(world.context.store, HOST)).toBeNull();
  expect(await world.events(caller, id)).toEqual(events);
}
