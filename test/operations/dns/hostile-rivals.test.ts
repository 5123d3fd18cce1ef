import { afterEach, beforeEach, expect, test } from 'vitest';
import { delegationTarget } from '../../../shared/core/certificates/acme-challenge.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { deleteDomain, updateDomain } from '../../../shared/operations/domains/update-domain.ts';
import { getApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { addresses, type DnsWorld, dnsWorld, EDGE_ZONE, everywhere, MISSING } from './dns-world.ts';

/** Tests attacks by the owner of another app that adds the same hostname. */
const CHALLENGE_ZONE = `acme.${EDGE_ZONE}`;
const APEX = 'acme.com';
const WWW = 'www.acme.com';
const CHECKS = 5;
const RIVALS = 8;

let world: DnsWorld;
let owner: Caller;
let rival: Caller;

beforeEach(async () => {
  world = await dnsWorld();
  owner = await world.addLiveApp('owner');
  rival = await world.addLiveApp('rival');
});
afterEach(() => world[Symbol.asyncDispose]());

test("an app that changes its settings during each lookup cannot prevent the check of another app's domain", async () => {
  const own = await goLive(owner, APEX);
  const other = await world.addDomain(rival, APEX);
  world.says = everywhere(() => MISSING);
  for (let check = 0; check < CHECKS; check++) {
    world.clock.move(HOUR_MS);
    await checkDuring(own, async () => {
      const { allow_proxied } = await getApp(world.context.store, rival.app_id);
      await updateApp(autocommit(world.context.store), rival.app_id, { allow_proxied: !allow_proxied });
    });
  }
  expect(await world.domain(own)).toMatchObject({ status: 'dns_broken' });
  expect(await world.domain(other)).toMatchObject({ status: 'pending_dns' });
});

test('an app cannot keep a hostname from the right app by changing its settings during each lookup', async () => {
  await goLive(rival, APEX);
  const own = await world.addDomain(owner, APEX);
  const { txt_value } = await world.domain(own);
  world.says = everywhere(() => addresses(txt_value));
  await checkDuring(own, async () => {
    const { allow_proxied } = await getApp(world.context.store, rival.app_id);
    await updateApp(autocommit(world.context.store), rival.app_id, { allow_proxied: !allow_proxied });
  });
  expect(await world.domain(own)).toMatchObject({ status: 'issuing' });
  expect(await findRouteOwner(world.context.store, APEX)).toBe(own);
});

test("an app that adds and deletes a hostname during each lookup cannot prevent another app's confirmation", async () => {
  const own = await world.addDomain(owner, APEX);
  const { txt_value } = await world.domain(own);
  world.says = everywhere(() => addresses(txt_value));
  await checkDuring(own, () => createDomain(world.context, rival, { body: { hostname: APEX } }));
  expect(await world.domain(own)).toMatchObject({ status: 'issuing' });
});

test('a delegation to a domain that was added while another app had the hostname proves nothing, even after that app deletes its domain', async () => {
  world.context.settings = { ...world.context.settings, challengeZone: CHALLENGE_ZONE };
  const own = await goLive(owner, APEX);
  const later = await world.addDomain(rival, APEX);
  const delegation = delegationTarget(later, CHALLENGE_ZONE);
  world.context.cnameLookup = { chain: async () => [delegation] };
  await deleteDomain(world.context, owner, { params: { id: own } });
  world.says = everywhere(() => addresses());
  await checkDuring(later, async () => undefined);
  expect(await world.domain(later)).toMatchObject({
    status: 'pending_dns',
    status_reason: 'dns_txt_missing',
  });
  // The TXT record of this domain shows that the customer wants this app, even if the record is older than the deletion of the other
  // domain.
  const { txt_value } = await world.domain(later);
  world.says = everywhere(() => addresses(txt_value));
  await checkDuring(later, async () => undefined);
  expect(await world.domain(later)).toMatchObject({ status: 'issuing' });
});

test.each([
  ['none of them', false],
  ['the newest of them', true],
])(
  'a challenge delegation to %s with the hostname is looked up at most twice, however many apps have the hostname',
  async (_, isDelegated) => {
    world.context.settings = { ...world.context.settings, challengeZone: CHALLENGE_ZONE };
    const ids: DomainId[] = [];
    for (let app = 0; app < RIVALS; app++)
      ids.push(await world.addDomain(await world.addLiveApp(`rival${app}`), APEX));
    const [first, newest] = [ids[0], ids.at(-1)] as [DomainId, DomainId];
    let lookups = 0;
    const chain = isDelegated ? [delegationTarget(newest, CHALLENGE_ZONE)] : [];
    world.context.cnameLookup = {
      chain: async () => {
        lookups += 1;
        return chain;
      },
    };
    world.says = everywhere(() => addresses());
    await checkDuring(first, async () => undefined);
    expect(lookups).toBeLessThanOrEqual(2);
    expect(await world.domain(newest)).toMatchObject({ status: isDelegated ? 'issuing' : 'pending_dns' });
  },
);

test('if an apex moves to another app, the former app also loses www, even if a third app has added www', async () => {
  const { store } = world.context;
  const former = await goLive(owner, APEX, 'www');
  // The check of the rival's domain gives `www` its own route, owned by the apex that redirects `www`.
  await checkDuring(await world.addDomain(rival, WWW), async () => undefined);
  expect(await findRouteOwner(store, WWW)).toBe(former);
  await goLive(await world.addLiveApp('next'), APEX, 'www');
  expect(await world.domain(former)).toMatchObject({ status: 'dns_broken' });
  expect(await findRouteOwner(store, WWW)).toBeNull();
});

test('an apex that no longer redirects www loses the name www', async () => {
  const apex = await goLive(owner, APEX, 'www');
  await checkDuring(await world.addDomain(rival, WWW), async () => undefined);
  await updateDomain(world.context, owner, { params: { id: apex }, body: { apex_redirect: 'none' } });
  expect(await findRouteOwner(world.context.store, WWW)).toBeNull();
});

async function goLive(caller: Caller, hostname: string, apexRedirect?: 'www'): Promise<DomainId> {
  const { body } = await createDomain(world.context, caller, {
    body: { hostname, ...(apexRedirect && { apex_redirect: apexRedirect }) },
  });
  const id = body.id as DomainId;
  const { txt_value } = await world.domain(id);
  world.says = everywhere(() => addresses(txt_value));
  await checkDuring(id, async () => undefined);
  await triggerDomain(world.context, id, 'certificate_issued');
  return id;
}

/** Checks a domain now. @param happens is called during the lookup. */
async function checkDuring(id: DomainId, happens: () => Promise<unknown>): Promise<void> {
  const { store, clock } = world.context;
  await autocommit(store)
    .db.updateTable('jobs')
    .set({ due_at: clock.now() + HOUR_MS })
    .where('kind', '=', 'check_dns')
    .execute();
  await autocommit(store)
    .db.updateTable('jobs')
    .set({ due_at: clock.now() })
    .where('subject_id', '=', id)
    .where('kind', '=', 'check_dns')
    .execute();
  world.meanwhile = happens;
  await world.work();
}
