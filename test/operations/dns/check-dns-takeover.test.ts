import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import type { SaidView } from '../../core/dns/survey-builder.ts';
import { addresses, type DnsWorld, dnsWorld, EDGE_ZONE, everywhere, nextCheck } from './dns-world.ts';

let world: DnsWorld;
let holder: Caller;
let rival: Caller;

beforeEach(async () => {
  world = await dnsWorld();
  holder = await world.addLiveApp('holder');
  rival = await world.addLiveApp('rival');
});
afterEach(() => world[Symbol.asyncDispose]());

describe('a subdomain that two apps have belongs to the app of its CNAME', () => {
  const HOST = 'careers.acme.com';
  let held: DomainId;
  let claimed: DomainId;

  beforeEach(async () => {
    held = await world.addActive(holder, HOST);
    claimed = await world.addDomain(rival, HOST);
  });

  test('moves to the app that its CNAME now names, and breaks for the previous app', async () => {
    world.says = everywhere(await cnameOf(rival));
    expect(await world.check(claimed)).toMatchObject({ status: 'issuing' });
    expect(await world.domain(held)).toMatchObject({
      status: 'dns_broken',
      status_reason: 'hostname_routed_elsewhere',
      status_since: world.clock.now(),
    });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(claimed);
    expect((await world.events(rival, claimed)).at(-1)).toBe('domain.verified');
    expect((await world.events(holder, held)).at(-1)).toBe('domain.dns_broken');
  });

  test('moves in one transaction, so that a failed move changes nothing', async () => {
    world.says = everywhere(await cnameOf(rival));
    const { ids } = world.context;
    let events = 0;
    world.context.ids = ((prefix) => {
      if (prefix === 'evt' && ++events === 2) throw new Error('the database is gone');
      return ids(prefix);
    }) as typeof ids;
    await world.check(claimed);
    expect(events).toBe(2);
    expect(await world.domain(claimed)).toMatchObject({ status: 'pending_dns' });
    expect(await world.domain(held)).toMatchObject({ status: 'active' });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(held);
    expect(await world.events(rival, claimed)).toEqual(['domain.created']);
    // The failed check is scheduled again. The second attempt succeeds.
    expect(await world.check(claimed)).toMatchObject({ status: 'issuing' });
    expect(await world.domain(held)).toMatchObject({ status: 'dns_broken' });
  });

  test('has the reason hostname_routed_elsewhere in one app while its CNAME names the other app', async () => {
    world.says = everywhere(await cnameOf(rival));
    await world.check(claimed);
    expect(await world.check(held)).toMatchObject({ status_reason: 'hostname_routed_elsewhere' });
    world.says = everywhere(await cnameOf(holder));
    expect(await world.check(held)).toMatchObject({ status: 'active', status_reason: null });
    expect(await world.domain(claimed)).toMatchObject({
      status: 'dns_broken',
      status_reason: 'hostname_routed_elsewhere',
    });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(held);
  });
});

describe('an apex that two apps have belongs to the app with a proof', () => {
  const HOST = 'acme.com';
  let held: DomainId;
  let claimed: DomainId;
  let proofs: readonly [holder: string, rival: string];

  beforeEach(async () => {
    held = await world.addActive(holder, HOST);
    claimed = await world.addDomain(rival, HOST);
    proofs = [(await world.domain(held)).txt_value, (await world.domain(claimed)).txt_value];
  });

  test("stays with the first app while that app's TXT record exists; the second app waits", async () => {
    world.says = everywhere(() => addresses(...proofs));
    const waiting = await world.check(claimed);
    expect(waiting).toMatchObject({
      status: 'verifying',
      status_reason: 'hostname_routed_elsewhere',
      next_check_at: world.clock.now() + 10 * SECOND_MS,
    });
    expect(waiting.status_detail?.found).toBe(proofs[0]);
    expect(await world.check(claimed)).toMatchObject({
      status: 'verifying',
      status_reason: 'hostname_routed_elsewhere',
    });
    expect(await nextCheck(world, claimed)).toBe(world.clock.now() + 10 * SECOND_MS);
    expect(await world.domain(held)).toMatchObject({ status: 'active' });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(held);
    expect(await world.events(rival, claimed)).toEqual(['domain.created']);
  });

  test('expires for the second app after 72 hours', async () => {
    world.says = everywhere(() => addresses(...proofs));
    world.clock.move(3 * DAY_MS);
    await world.work();
    expect(await world.domain(claimed)).toMatchObject({ status: 'expired', status_reason: 'window_expired' });
    expect(await world.domain(held)).toMatchObject({ status: 'active' });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(held);
  });

  test("goes to the second app once the first app's TXT record is gone", async () => {
    world.says = everywhere(() => addresses(...proofs));
    await world.check(claimed);
    world.says = everywhere(() => addresses(proofs[1]));
    expect(await world.check(claimed)).toMatchObject({ status: 'issuing' });
    expect(await world.domain(held)).toMatchObject({
      status: 'dns_broken',
      status_reason: 'hostname_routed_elsewhere',
    });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(claimed);
  });

  test("moves to the second app if a CNAME points to that app's target, although both TXT records exist", async () => {
    const { a } = (await cnameOf(rival))();
    world.says = everywhere(() => ({ a, aaaa: a, txt: proofs.map((proof) => `TXT ${proof}`) }));
    expect(await world.check(claimed)).toMatchObject({ status: 'issuing' });
    expect(await world.domain(held)).toMatchObject({ status_reason: 'hostname_routed_elsewhere' });
    expect(await findRouteOwner(world.context.store, HOST)).toBe(claimed);
  });

  test('does not move because of addresses alone', async () => {
    world.says = everywhere(() => addresses());
    expect(await world.check(claimed)).toMatchObject({
      status: 'pending_dns',
      status_reason: 'dns_txt_missing',
    });
    expect(await world.domain(held)).toMatchObject({ status: 'active' });
  });

  test('stays with the first app, even without a TXT record, until another app proves ownership', async () => {
    world.says = everywhere(() => addresses());
    expect(await world.check(held)).toMatchObject({ status: 'active' });
    expect(await world.check(held)).toMatchObject({ status: 'active' });
  });
});

async function cnameOf(caller: Caller): Promise<() => SaidView> {
  const { target_label } = await getApp(world.context.store, caller.app_id);
  return () => ({ a: [`CNAME ${target_label}.${EDGE_ZONE}`] });
}
