import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS, timestamp } from '../../../shared/core/instant.ts';
import { getConnectPage } from '../../../shared/operations/connect/get-connect-page.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { holdHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { getDomain, listDomains } from '../../../shared/operations/domains/present-domain.ts';
import { updateDomain } from '../../../shared/operations/domains/update-domain.ts';
import { updateApp } from '../../../shared/store/accounts/apps.ts';
import { selectEvents } from '../../../shared/store/events/events.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { at, type DnsWorld, dnsWorld, everywhere, MISSING, nextCheck, right, UNKNOWN } from './dns-world.ts';

const HOST = 'careers.acme.com';

let world: DnsWorld;
let caller: Caller;
let id: DomainId;

beforeEach(async () => {
  world = await dnsWorld();
  caller = await world.addLiveApp('acme');
  id = await world.addActive(caller, HOST);
  world.depths.length = 0;
});
afterEach(() => world[Symbol.asyncDispose]());

test.each<[string, DnsWorld['says']]>([
  ['no longer has the record', at(() => MISSING, right, right)],
  ['does not respond', at(() => UNKNOWN, right, right)],
])('if the zone of an active domain %s, the answers of the resolvers decide', async (_, says) => {
  world.says = says;
  expect(await world.check(id)).toMatchObject({ status: 'active' });
  expect(await world.check(id)).toMatchObject({ status: 'active' });
  expect(world.depths).toEqual(['zone', 'again', 'again']);
});

test('a check of an active domain asks the resolvers while another domain has the hostname', async () => {
  await world.addDomain(await world.addLiveApp('other'), HOST);
  world.says = everywhere(right);
  await world.check(id);
  expect(world.depths.at(-1)).toBe('again');
});

test('checks of an active domain ask the resolvers from the first missing record until the record is back', async () => {
  world.says = everywhere(() => MISSING);
  await world.check(id);
  world.says = everywhere(right);
  await world.check(id);
  await world.check(id);
  expect(world.depths).toEqual(['zone', 'again', 'again', 'zone']);
});

test('a check that finds nothing new changes only the time of the last check, which the API and the connect page show', async () => {
  world.says = everywhere(right);
  await world.check(id);
  const before = await stored();
  const checked = await world.check(id);
  const now = world.clock.now();
  expect(await stored()).toEqual({ ...before, check: { ...before.check, checked_at: now } });
  const times = { last_checked_at: timestamp(now), next_check_at: timestamp(now + HOUR_MS) };
  expect(checked).toMatchObject({ last_checked_at: now, next_check_at: now + HOUR_MS });
  expect(await nextCheck(world, id)).toBe(now + HOUR_MS);
  expect((await getDomain(world.context, caller, { params: { id } })).body).toMatchObject({
    ...times,
    updated_at: timestamp(before.domain.updated_at),
  });
  const { body: list } = await listDomains(world.context, caller, { query: { limit: 20, metadata: {} } });
  expect(list.data).toMatchObject([times]);
  expect(await getConnectPage(world.context, checked.connect_token)).toMatchObject(times);
  const { body: changed } = await updateDomain(world.context, caller, {
    params: { id },
    body: { metadata: { plan: 'gold' } },
  });
  expect(changed).toMatchObject(times);
  await holdHostname(world.context, HOST, null);
  const [event] = (
    await selectEvents(world.context.store, caller, { domain_id: id }, { limit: 1, after: null })
  ).rows;
  expect(JSON.parse(event?.body ?? '')).toMatchObject({
    data: { domain: { status: 'held', last_checked_at: times.last_checked_at, next_check_at: null } },
  });
});

test('a check runs again at once if the app verified its white-label host during the lookup', async () => {
  world.says = everywhere(right);
  await world.check(id);
  world.meanwhile = () =>
    updateApp(autocommit(world.context.store), caller.app_id, {
      whitelabel_host: 'jobs.brand.com',
      whitelabel_verified: true,
    });
  const { last_checked_at } = await world.domain(id);
  expect(await world.check(id)).toMatchObject({ last_checked_at });
  expect(await nextCheck(world, id)).toBe(world.clock.now());
});

/** Returns the domain's row and the row of its last check. */
async function stored() {
  const { db } = world.context.store;
  const domain = await db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const check = await db
    .selectFrom('dns_checks')
    .selectAll()
    .where('domain_id', '=', id)
    .executeTakeFirstOrThrow();
  return { domain, check };
}
