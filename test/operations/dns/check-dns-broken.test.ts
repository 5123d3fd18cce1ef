import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { saveDomain } from '../../../shared/store/domains/domains.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { at, type DnsWorld, dnsWorld, everywhere, MISSING, right, UNKNOWN } from './dns-world.ts';

const HOST = 'careers.acme.com';

let world: DnsWorld;
let caller: Caller;
let id: DomainId;

afterEach(() => world[Symbol.asyncDispose]());

describe('a domain in dns_broken is checked until its record is back', () => {
  beforeEach(async () => {
    world = await dnsWorld();
    caller = await world.addLiveApp('acme');
    id = await world.addActive(caller, HOST);
    world.says = everywhere(() => MISSING);
    await world.check(id);
    await world.check(id);
    expect(await world.domain(id)).toMatchObject({ status: 'dns_broken' });
  });

  test('is checked every minute for an hour, then every 30 minutes', async () => {
    const since = world.clock.now();
    while (world.clock.now() < since + HOUR_MS) await world.check(id);
    expect((await world.domain(id)).next_check_at).toBe(since + HOUR_MS + 30 * MINUTE_MS);
  });

  test('is active again once all three resolvers return its record', async () => {
    world.says = at(right, right, () => MISSING);
    expect(await world.check(id)).toMatchObject({ status: 'dns_broken', status_reason: 'dns_propagating' });
    world.says = everywhere(right);
    const now = await world.check(id);
    expect(now).toMatchObject({ status: 'active', status_reason: null, status_detail: null });
    expect(now.next_check_at).toBe(world.clock.now() + HOUR_MS);
    expect((await world.events(caller, id)).slice(-2)).toEqual(['domain.dns_broken', 'domain.active']);
  });

  test('gets a new certificate if it has no valid certificate', async () => {
    await saveDomain(autocommit(world.context.store), { ...(await world.domain(id)), certificate: null });
    world.says = everywhere(right);
    expect(await world.check(id)).toMatchObject({ status: 'issuing' });
    expect((await world.events(caller, id)).at(-1)).toBe('domain.verified');
  });

  test('keeps its status reason while lookups fail', async () => {
    world.says = everywhere(() => UNKNOWN);
    expect(await world.check(id)).toMatchObject({
      status: 'dns_broken',
      status_reason: 'dns_record_missing',
    });
  });
});
