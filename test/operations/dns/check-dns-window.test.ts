import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { START } from '../../jobs/job-world.ts';
import { type DnsWorld, dnsWorld, everywhere, MISSING, right, UNKNOWN } from './dns-world.ts';

/** Tests the end of the 72-hour window: a domain must not expire because of an outage of the service. */
const HOST = 'careers.acme.com';

let world: DnsWorld;
let caller: Caller;
let id: DomainId;

beforeEach(async () => {
  world = await dnsWorld();
  caller = await world.addLiveApp('acme');
  id = await world.addDomain(caller, HOST);
});
afterEach(() => world[Symbol.asyncDispose]());

test('a domain does not expire while the resolvers do not respond; the next conclusive check decides', async () => {
  const other = await world.addDomain(caller, 'jobs.acme.com');
  world.says = everywhere(() => UNKNOWN);
  world.clock.move(3 * DAY_MS - HOUR_MS);
  await world.work();
  for (let n = 0; n < 5; n += 1) {
    expect(await world.check(id)).toMatchObject({
      status: 'pending_dns',
      status_reason: 'dns_resolver_unavailable',
      next_check_at: world.clock.now() + 30 * MINUTE_MS,
    });
  }
  expect(world.clock.now()).toBe(START + 3 * DAY_MS + 90 * MINUTE_MS);
  world.says = (expectation) =>
    everywhere(expectation.hostname === HOST ? right : () => MISSING)(expectation);
  expect(await world.check(id)).toMatchObject({ status: 'issuing' });
  expect(await world.domain(other)).toMatchObject({ status: 'expired' });
});

test('a domain does not expire while no worker runs', async () => {
  world.clock.move(30 * DAY_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'pending_dns' });
  world.says = everywhere(right);
  await world.work();
  expect(await world.domain(id)).toMatchObject({ status: 'issuing' });
});
