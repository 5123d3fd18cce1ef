import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { LIMITS } from '../../../shared/core/limits.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { checkWhitelabel } from '../../../shared/operations/dns/check-whitelabel.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { getApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { findDnsCheck } from '../../../shared/store/domains/dns-checks.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { addresses, type DnsWorld, dnsWorld, EDGE_ZONE, everywhere, MISSING, right } from './dns-world.ts';

/** Tests attacks by a hostile customer, and cases in which a hostname was sold or moved. The rules are in `docs/domains.md`. */
const HOST = 'careers.acme.com';
const SITES = 'sites.agency.com';

/** The CNAME target of the white-label host in DNS; null if the host has no record. */
let sitesTarget: string | null;

let world: DnsWorld;
let before: Caller;
let after: Caller;

beforeEach(async () => {
  world = await dnsWorld();
  before = await world.addLiveApp('before');
  after = await world.addLiveApp('after');
});
afterEach(() => world[Symbol.asyncDispose]());

describe('a white-label host that moved from one app to another belongs to the new app', () => {
  beforeEach(async () => {
    await setVerifiedHost(before);
    world.context.cnameLookup = { chain: async () => [await targetOf(after)] };
    sitesTarget = await targetOf(after);
    await updateApp(autocommit(world.context.store), after.app_id, {
      whitelabel_host: SITES,
      whitelabel_set_at: world.clock.now(),
    });
    await checkWhitelabel(world.context, after.app_id);
    await checkWhitelabel(world.context, before.app_id);
    world.says = everywhere(throughSites);
  });

  test("is not affected by the first app's grace period", async () => {
    const victim = await added(after);
    const claimed = await world.addDomain(before, HOST);
    for (let minute = 0; minute < 5; minute++) await world.check(claimed);
    expect(await world.domain(claimed)).toMatchObject({ status: 'pending_dns' });
    expect(await world.domain(victim)).toMatchObject({ status: 'active' });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(victim);
  });
});

describe('a white-label host that is broken breaks its domains after 72 hours', () => {
  test('keeps the domains that point to it active for 72 hours, and confirms no new domains', async () => {
    await setVerifiedHost(before);
    world.says = everywhere(throughSites);
    const kept = await added(before);
    await breakHost();
    const late = await world.addDomain(before, 'shop.acme.com');
    expect(await world.check(late)).toMatchObject({ status: 'pending_dns' });
    expect(await world.check(kept)).toMatchObject({ status: 'active', status_reason: null });
    await passGrace();
    expect(await world.domain(kept)).toMatchObject({
      status: 'dns_broken',
      status_reason: 'whitelabel_unverified',
    });
  });

  test("causes a status reason about the host, and no finding about the customer's record", async () => {
    await setVerifiedHost(before);
    world.says = everywhere(throughSites);
    const id = await added(before);
    await breakHost();
    await passGrace();
    const broken = {
      status: 'dns_broken',
      status_reason: 'whitelabel_unverified',
      status_detail: {
        expected: await targetOf(before),
        found: null,
        hint: expect.stringMatching(
          `Point your own white-label host ${SITES} .*customers' records need no change`,
        ),
      },
    };
    expect(await world.domain(id)).toMatchObject(broken);
    expect(await world.check(id)).toMatchObject(broken);
    const check = await findDnsCheck(world.context.store, id);
    expect(check?.findings).toMatchObject([
      { code: 'whitelabel_unverified', record: { type: 'CNAME', name: SITES } },
    ]);
    await setVerifiedHost(before);
    expect(await world.check(id)).toMatchObject({ status: 'active', status_reason: null });
  });

  test("breaks no apex domain, and no domain that now points to the app's own target", async () => {
    await setVerifiedHost(before);
    const apex = await world.addActive(before, 'acme.com');
    world.says = everywhere(throughSites);
    const moved = await added(before);
    expect(await world.domain(moved)).toMatchObject({ routed_through: SITES });
    const own = await targetOf(before);
    world.says = everywhere(({ is_apex, txt_value }) =>
      is_apex ? addresses(txt_value) : { a: [`CNAME ${own}`] },
    );
    expect(await world.check(moved)).toMatchObject({ status: 'active', routed_through: own });
    await breakHost();
    await passGrace();
    for (const id of [apex, moved]) expect(await world.domain(id)).toMatchObject({ status: 'active' });
  });

  test('breaks all domains that point to it, even if they do not fit into one transaction', async () => {
    await setVerifiedHost(before);
    world.says = everywhere(throughSites);
    const ids: DomainId[] = [];
    for (let n = 0; n < 103; n++) ids.push(await world.addDomain(before, `d${n}.acme.com`));
    // Sets the domains' status directly, because this test is about the end of the grace period and not about a hundred checks.
    await autocommit(world.context.store)
      .db.updateTable('domains')
      .set({ status: 'active', routed_through: SITES })
      .where('app_id', '=', before.app_id)
      .execute();
    await breakHost();
    await passGrace();
    const statuses = new Set(await Promise.all(ids.map(async (id) => (await world.domain(id)).status)));
    expect(statuses).toEqual(new Set(['dns_broken']));
    expect(await getApp(world.context.store, before.app_id)).toMatchObject({
      whitelabel_grace_ends_at: null,
    });
  });
});

describe.each(['acme.com', HOST])('a hostname that broke and was sold needs a new proof: %s', (hostname) => {
  test('does not return to the old app through addresses that all apps share', async () => {
    const old = await world.addActive(before, hostname);
    world.says = everywhere(() => MISSING);
    await world.check(old);
    expect(await world.check(old)).toMatchObject({ status: 'dns_broken' });
    world.clock.move(300 * DAY_MS);
    world.says = everywhere(() => addresses());
    expect(await world.check(old)).toMatchObject({ status: 'dns_broken', status_reason: 'dns_txt_missing' });
    const rival = await world.addDomain(after, hostname);
    world.says = everywhere(provenBy(await world.domain(rival)));
    expect(await world.check(rival)).toMatchObject({ status: 'issuing' });
  });
});

test("an older lookup cannot take the hostname's route from a newer lookup", async () => {
  const slow = await world.addDomain(before, HOST);
  world.clock.move(3000);
  const quick = await world.addDomain(after, HOST);
  world.says = everywhere(right);
  // While the first domain's lookup runs, the second domain's check runs and succeeds. Then the record changes.
  world.meanwhile = async () => {
    world.clock.move(10_000);
    await world.work();
    world.says = everywhere(() => ({ a: ['CNAME elsewhere.example'] }));
  };
  await world.check(slow);
  expect(await world.domain(quick)).toMatchObject({ status: 'issuing' });
  expect(await findRouteOwner(world.context.store, HOST)).toBe(quick);
  await world.work();
  expect(await world.domain(slow)).toMatchObject({ status: 'pending_dns' });
});

test('a missing record before a hold does not count as one of the two misses that break a domain', async () => {
  const id = await world.addActive(before, HOST);
  world.says = everywhere(() => MISSING);
  await world.check(id);
  await triggerDomain(world.context, id, 'hold');
  world.clock.move(7 * DAY_MS);
  await triggerDomain(world.context, id, 'release');
  await world.work();
  expect(await world.domain(id)).toMatchObject({ status: 'active' });
  world.clock.move(MINUTE_MS);
  await world.work();
  expect(await world.domain(id)).toMatchObject({ status: 'dns_broken' });
});

test('the check soon asks an unreachable DNS provider for Domain Connect again, but a provider without it only after a day', async () => {
  let asked = 0;
  const outcomes = ['unknown', 'not_offered', 'not_offered'] as const;
  world.context.oneClick = {
    ask: async () => ({ outcome: outcomes[asked++] ?? 'not_offered' }),
    link: () => null,
  };
  world.says = everywhere(() => MISSING);
  const id = await world.addDomain(before, HOST);
  const askedWithin = async (ms: number) => {
    for (const until = world.clock.now() + ms; world.clock.now() < until; ) await world.check(id);
    return asked;
  };
  expect(await askedWithin(9 * MINUTE_MS)).toBe(1);
  expect(await askedWithin(2 * MINUTE_MS)).toBe(2);
  expect(await askedWithin(DAY_MS - 60 * MINUTE_MS)).toBe(2);
  expect(await askedWithin(90 * MINUTE_MS)).toBe(3);
});

function throughSites() {
  return { a: [`CNAME ${SITES}`, ...(sitesTarget === null ? [] : [`CNAME ${sitesTarget}`])] };
}

function provenBy({ txt_value }: { txt_value: string }) {
  return () => addresses(txt_value);
}

async function added(caller: Caller): Promise<DomainId> {
  const id = await world.addDomain(caller, HOST);
  await world.check(id);
  await triggerDomain(world.context, id, 'certificate_issued');
  return id;
}

async function setVerifiedHost({ app_id }: Caller): Promise<void> {
  sitesTarget = await targetOf({ app_id } as Caller);
  const now = world.clock.now();
  const verified = { whitelabel_verified: true, whitelabel_set_at: now, whitelabel_checked_at: now };
  await updateApp(autocommit(world.context.store), app_id, { whitelabel_host: SITES, ...verified });
}

async function breakHost(): Promise<void> {
  sitesTarget = null;
  world.context.cnameLookup = { chain: async () => [] };
  await checkWhitelabel(world.context, before.app_id);
}

async function passGrace(): Promise<void> {
  world.clock.move(LIMITS.whitelabel_grace_ms);
  await checkWhitelabel(world.context, before.app_id);
}

async function targetOf({ app_id }: Caller): Promise<string> {
  return `${(await getApp(world.context.store, app_id)).target_label}.${EDGE_ZONE}`;
}
