import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, timestamp } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { getDomain } from '../../../shared/operations/domains/present-domain.ts';
import { verifyDomain } from '../../../shared/operations/request-check.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { findDnsCheck } from '../../../shared/store/domains/dns-checks.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { START } from '../../jobs/job-world.ts';
import {
  at,
  type DnsWorld,
  dnsWorld,
  EDGE_ZONE,
  everywhere,
  MISSING,
  nextCheck,
  right,
  UNKNOWN,
} from './dns-world.ts';

const HOST = 'careers.acme.com';
const CREATED = 'domain.created';

let world: DnsWorld;
let caller: Caller;
let id: DomainId;

beforeEach(async () => {
  world = await dnsWorld();
  caller = await world.addLiveApp('acme');
});
afterEach(() => world[Symbol.asyncDispose]());

describe('a live domain that waits for its record is checked for 72 hours', () => {
  beforeEach(async () => {
    id = await world.addDomain(caller, HOST);
  });

  test('shows what is missing, and when the next check is', async () => {
    const target = await ownTarget();
    const { status, last_checked_at, next_check_at, ...rest } = await world.check(id);
    const now = START + 10 * SECOND_MS;
    expect({ status, last_checked_at, next_check_at }).toEqual({
      status: 'pending_dns',
      last_checked_at: now,
      next_check_at: now + 10 * SECOND_MS,
    });
    expect(rest.status_reason).toBe('dns_record_missing');
    expect(rest.status_detail).toMatchObject({ expected: target, found: null });
    expect(rest.status_detail?.hint).toContain(`named careers with the value ${target}`);
    expect(await nextCheck(world, id)).toBe(next_check_at);
    expect(world.depths).toEqual(['first']);
    expect(await shown()).toMatchObject({
      status_reason: 'dns_record_missing',
      status_detail: rest.status_detail,
      last_checked_at: timestamp(now),
      next_check_at: timestamp(now + 10 * SECOND_MS),
    });
  });

  test('stores what the DNS check found', async () => {
    await world.check(id);
    expect(await findDnsCheck(world.context.store, id)).toMatchObject({
      checked_at: START + 10 * SECOND_MS,
      missed_at: null,
      name_servers: ['ns1.host.example', 'ns2.host.example'],
      one_click: null,
      findings: [{ code: 'dns_record_missing', record: { type: 'CNAME', name: 'careers' } }],
    });
  });

  test('stores whether its DNS has changed since the first check, and whether its record was ever right', async () => {
    const progress = async () => (await findDnsCheck(world.context.store, id))?.progress;
    await world.check(id);
    await world.check(id);
    expect(await progress()).toBe('untouched');
    world.says = everywhere(() => ({ a: ['CNAME shops.example.net', 'A 203.0.113.7'] }));
    await world.check(id);
    expect(await progress()).toBe('changed');
    world.says = at(right, right, () => MISSING);
    await world.check(id);
    expect(await progress()).toBe('seen');
    world.says = everywhere(() => MISSING);
    expect((await world.check(id)).status).toBe('pending_dns');
    expect(await progress()).toBe('seen');
  });

  test('keeps the earlier name servers if the check did not look them up', async () => {
    await world.check(id);
    world.says = () => ({ delegation: null, resolvers: [UNKNOWN, UNKNOWN, UNKNOWN] });
    await world.check(id);
    const check = await findDnsCheck(world.context.store, id);
    expect(check?.name_servers).toEqual(['ns1.host.example', 'ns2.host.example']);
    expect(check?.findings).toMatchObject([{ code: 'dns_resolver_unavailable' }]);
  });

  test('is verifying while some resolvers return the record, and pending again when none does', async () => {
    world.says = at(right, right, () => MISSING);
    expect(await world.check(id)).toMatchObject({ status: 'verifying', status_reason: 'dns_propagating' });
    expect((await world.domain(id)).last_checked_at).toBe(world.clock.now());
    world.says = at(
      () => UNKNOWN,
      () => UNKNOWN,
      () => UNKNOWN,
    );
    expect(await world.check(id)).toMatchObject({ status: 'verifying' });
    world.says = everywhere(() => MISSING);
    expect(await world.check(id)).toMatchObject({
      status: 'pending_dns',
      status_reason: 'dns_record_missing',
    });
    expect(await world.events(caller, id)).toEqual([CREATED]);
    expect(await nextCheck(world, id)).toBe(world.clock.now() + 10 * SECOND_MS);
  });

  test.each(['pending_dns', 'verifying'])(
    'in %s is verified by all three resolvers, and gets the route',
    async (from) => {
      if (from === 'verifying') {
        world.says = at(
          right,
          () => MISSING,
          () => UNKNOWN,
        );
        await world.check(id);
      }
      world.says = everywhere(right);
      const domain = await world.check(id);
      expect(domain).toMatchObject({
        status: 'issuing',
        status_since: world.clock.now(),
        status_reason: null,
        status_detail: null,
        last_checked_at: world.clock.now(),
        next_check_at: world.clock.now() + HOUR_MS,
        routed_through: await ownTarget(),
      });
      expect(await world.events(caller, id)).toEqual([CREATED, 'domain.verified']);
      expect(await findRouteOwner(world.context.store, HOST)).toBe(id);
    },
  );

  test('is not verified if the lookup fails at one of the three resolvers', async () => {
    world.says = at(right, right, () => UNKNOWN);
    expect(await world.check(id)).toMatchObject({
      status: 'verifying',
      status_reason: 'dns_resolver_unavailable',
    });
  });

  test('is checked on schedule for 72 hours, and then no longer', async () => {
    const gaps = new Map<number, number>();
    for (let last = START; ; last = world.clock.now()) {
      const due = await nextCheck(world, id);
      if (due === null || due >= START + 3 * DAY_MS) break;
      gaps.set(due - last, (gaps.get(due - last) ?? 0) + 1);
      await world.check(id);
    }
    expect([...gaps]).toEqual([
      [10 * SECOND_MS, 30],
      [MINUTE_MS, 55],
      [5 * MINUTE_MS, 276],
      [30 * MINUTE_MS, 95],
    ]);
    expect(await world.check(id)).toMatchObject({
      status: 'expired',
      status_since: START + 3 * DAY_MS,
      last_checked_at: START + 3 * DAY_MS,
      next_check_at: null,
    });
    expect(await nextCheck(world, id)).toBeNull();
    expect(await world.events(caller, id)).toEqual([CREATED]);
  });

  test('is checked at once on request, and on schedule afterwards', async () => {
    world.clock.move(3 * SECOND_MS);
    await verifyDomain(world.context, caller, { params: { id } });
    await world.work();
    expect(await world.domain(id)).toMatchObject({
      last_checked_at: START + 3 * SECOND_MS,
      next_check_at: START + 10 * SECOND_MS,
    });
    expect(await nextCheck(world, id)).toBe(START + 10 * SECOND_MS);
  });
});

describe('an active domain is checked every hour', () => {
  beforeEach(async () => {
    id = await world.addActive(caller, HOST);
    world.depths.length = 0;
  });

  test('is checked every hour, at only one server of its zone while the record is right', async () => {
    const since = (await world.domain(id)).status_since;
    world.says = everywhere(right);
    expect(await world.check(id)).toMatchObject({
      status: 'active',
      status_reason: null,
      last_checked_at: since + HOUR_MS,
      next_check_at: since + 2 * HOUR_MS,
    });
    expect(world.depths).toEqual(['zone']);
  });

  test.each([
    ['gone', everywhere(() => MISSING), 'dns_record_missing'],
    ['elsewhere', everywhere(() => ({ a: ['CNAME shops.myshopify.com'] })), 'dns_record_mismatch'],
  ])('breaks at the second check, a minute after the first, if its record is %s', async (_, says, reason) => {
    world.says = says;
    const first = await world.check(id);
    const missedAt = world.clock.now();
    expect(first).toMatchObject({
      status: 'active',
      status_reason: null,
      next_check_at: missedAt + MINUTE_MS,
    });
    expect(await findDnsCheck(world.context.store, id)).toMatchObject({ missed_at: missedAt });
    const second = await world.check(id);
    expect(world.clock.now()).toBe(missedAt + MINUTE_MS);
    expect(second).toMatchObject({
      status: 'dns_broken',
      status_reason: reason,
      next_check_at: missedAt + 2 * MINUTE_MS,
    });
    expect((await world.events(caller, id)).at(-1)).toBe('domain.dns_broken');
    // The edge still serves the broken domain, so the domain still has the route.
    expect(await findRouteOwner(world.context.store, HOST)).toBe(id);
  });

  test('does not break earlier because of a requested check in between', async () => {
    world.says = everywhere(() => MISSING);
    await world.check(id);
    const missedAt = world.clock.now();
    world.clock.move(20 * SECOND_MS);
    await verifyDomain(world.context, caller, { params: { id } });
    await world.work();
    expect(await world.domain(id)).toMatchObject({
      status: 'active',
      last_checked_at: missedAt + 20 * SECOND_MS,
      next_check_at: missedAt + MINUTE_MS,
    });
    expect(await world.check(id)).toMatchObject({ status: 'dns_broken' });
  });

  test('forgets that its record was missing when the record is back', async () => {
    world.says = everywhere(() => MISSING);
    await world.check(id);
    world.says = everywhere(right);
    expect(await world.check(id)).toMatchObject({ status: 'active' });
    expect(await findDnsCheck(world.context.store, id)).toMatchObject({ missed_at: null });
    world.says = everywhere(() => MISSING);
    expect(await world.check(id)).toMatchObject({ status: 'active' });
  });

  test('remembers that its record was missing while lookups fail, but never breaks because of failed lookups', async () => {
    world.says = everywhere(() => MISSING);
    await world.check(id);
    const missedAt = world.clock.now();
    world.says = everywhere(() => UNKNOWN);
    for (let n = 1; n <= 5; n += 1) {
      expect(await world.check(id)).toMatchObject({ status: 'active', status_reason: null });
      expect(world.clock.now()).toBe(missedAt + n * MINUTE_MS);
    }
    expect(await findDnsCheck(world.context.store, id)).toMatchObject({ missed_at: missedAt });
    world.says = everywhere(() => MISSING);
    expect(await world.check(id)).toMatchObject({ status: 'dns_broken' });
  });

  test.each([
    ['all three lookups fail', [UNKNOWN, UNKNOWN, UNKNOWN]],
    ['one resolver misses it, and two lookups fail', [MISSING, UNKNOWN, UNKNOWN]],
  ])('never breaks if %s', async (_, resolvers) => {
    world.says = () => ({ zone: [UNKNOWN], resolvers });
    for (let n = 0; n < 4; n += 1) expect(await world.check(id)).toMatchObject({ status: 'active' });
    expect(await findDnsCheck(world.context.store, id)).toMatchObject({ missed_at: null });
  });

  test('does not break if one resolver misses the record and two return it', async () => {
    world.says = at(right, right, () => MISSING);
    for (let n = 0; n < 4; n += 1) expect(await world.check(id)).toMatchObject({ status: 'active' });
  });
});

async function ownTarget(): Promise<string> {
  return `${(await getApp(world.context.store, caller.app_id)).target_label}.${EDGE_ZONE}`;
}

async function shown() {
  return (await getDomain(world.context, caller, { params: { id } })).body;
}
