import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/instant.ts';
import { LIMITS } from '../../../shared/core/limits.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import type { Mail } from '../../../shared/ports/accounts.ts';
import { getApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { insertMember } from '../../../shared/store/accounts/members.ts';
import { findWhitelabelEnding } from '../../../shared/store/accounts/whitelabel-endings.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { type DnsWorld, dnsWorld, EDGE_ZONE, everywhere } from './dns-world.ts';

/** Tests what happens to domains when the plan loses white-label. The rules are in `docs/plans-and-limits.md`. */
const HOST = 'sites.agency.com';

let world: DnsWorld;
let caller: Caller;
let id: DomainId;
let mails: Mail[];

beforeEach(async () => {
  world = await dnsWorld();
  mails = [];
  world.context.mailer = {
    async send(mail) {
      mails.push(mail);
      return 'sent';
    },
  };
  caller = await world.addLiveApp('agency');
  const { account_id } = caller;
  const now = world.clock.now();
  const person = { mail: 'ada@agency.com', role: 'owner', created_at: now, joined_at: now } as const;
  await insertMember(autocommit(world.context.store), {
    id: world.context.ids('mem'),
    account_id,
    ...person,
  });
  const target = `${(await getApp(world.context.store, caller.app_id)).target_label}.${EDGE_ZONE}`;
  world.context.cnameLookup = { chain: async () => [target] };
  const verified = { whitelabel_verified: true, whitelabel_set_at: now, whitelabel_checked_at: now };
  await updateApp(autocommit(world.context.store), caller.app_id, { whitelabel_host: HOST, ...verified });
  // The customer's CNAME points to the white-label host, and that host's CNAME points to the app's own target.
  world.says = everywhere(() => ({ a: [`CNAME ${HOST}`, `CNAME ${target}`, 'A 203.0.113.10'] }));
  id = await world.addActive(caller, 'careers.acme.com');
  world.says = everywhere(() => ({ a: [`CNAME ${HOST}`, `CNAME ${target}`, 'A 203.0.113.10'] }));
});
afterEach(() => world[Symbol.asyncDispose]());

async function setPlan(plan: 'free' | 'growth' | 'scale'): Promise<void> {
  await changeAccount(world.context, 'operator', caller.account_id, { plan });
  await world.work();
}

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HOUR_MS) {
    world.clock.move(Math.min(left, HOUR_MS));
    await world.work();
    await world.work();
  }
}

test('after white-label ends, the host works for 72 hours; then its domains break, even if the host still points to us', async () => {
  const lostAt = world.clock.now();
  await setPlan('free');
  expect(await getApp(world.context.store, caller.app_id)).toMatchObject({
    whitelabel_verified: true,
    whitelabel_grace_ends_at: lostAt + LIMITS.whitelabel_grace_ms,
  });
  await pass(71 * HOUR_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'active', status_reason: null });
  await pass(HOUR_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'dns_broken', status_reason: 'whitelabel_ended' });
  // The next checks do not repair the domain.
  expect(await world.check(id)).toMatchObject({ status: 'dns_broken', status_reason: 'whitelabel_ended' });
  expect((await world.domain(id)).status_detail).toMatchObject({ found: HOST });
});

test("after white-label ends, a domain recovers if its record points to the app's own target or white-label is back", async () => {
  await setPlan('free');
  await pass(73 * HOUR_MS);
  const through = world.says;
  const target = `${(await getApp(world.context.store, caller.app_id)).target_label}.${EDGE_ZONE}`;
  world.says = everywhere(() => ({ a: [`CNAME ${target}`, 'A 203.0.113.10'] }));
  expect((await world.check(id)).status).not.toBe('dns_broken');
  world.says = through;
  for (let times = 0; times < 3; times++) await world.check(id);
  expect(await world.domain(id)).toMatchObject({ status: 'dns_broken', status_reason: 'whitelabel_ended' });
  await setPlan('growth');
  expect((await getApp(world.context.store, caller.app_id)).whitelabel_grace_ends_at).toBeNull();
  expect(await findWhitelabelEnding(world.context.store, caller.app_id)).toBeNull();
  expect((await world.check(id)).status).not.toBe('dns_broken');
});

test('owners get a mail when the plan loses white-label, a day before the domains break, and when they break', async () => {
  await setPlan('free');
  await world.work();
  const ends = 'White-label for sites.agency.com ends on 2026-01-04';
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([['ada@agency.com', ends]]);
  expect(mails[0]?.text).toContain('The record of 1 domain points to sites.agency.com.');
  expect(mails[0]?.text).toMatch(/CNAME record to \w+\.edge\.service\.example/);
  await pass(2 * DAY_MS);
  expect(mails.map(({ subject }) => subject)).toEqual([ends, ends]);
  await pass(DAY_MS);
  expect(mails.map(({ subject }) => subject)).toEqual([
    ends,
    ends,
    'White-label for sites.agency.com has ended',
  ]);
  await pass(3 * DAY_MS);
  expect(mails).toHaveLength(3);
});

test('if the plan includes white-label again within the 72 hours, no domain breaks', async () => {
  await setPlan('free');
  await pass(DAY_MS);
  await setPlan('scale');
  await pass(3 * DAY_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'active' });
  expect((await getApp(world.context.store, caller.app_id)).whitelabel_grace_ends_at).toBeNull();
  expect(mails).toHaveLength(1);
  // If the plan loses white-label again, another 72 hours begin.
  await setPlan('free');
  await pass(71 * HOUR_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'active' });
});

test('a white-label host whose record breaks within the 72 hours gets no second grace period', async () => {
  await setPlan('free');
  await pass(2 * DAY_MS);
  world.context.cnameLookup = { chain: async () => [] };
  await pass(DAY_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'dns_broken' });
});

test('white-label ends after 72 hours even if the lookup of the host fails', async () => {
  world.context.cnameLookup = { chain: async () => null };
  await setPlan('free');
  await pass(3 * DAY_MS);
  expect(await world.domain(id)).toMatchObject({ status: 'dns_broken', status_reason: 'whitelabel_ended' });
});

test('if white-label ends with the trial, the 72 hours start at the end of the trial', async () => {
  const endsAt = world.clock.now() + 2 * HOUR_MS + 60_000;
  await changeAccount(world.context, 'operator', caller.account_id, { plan: 'free', trial_ends_at: endsAt });
  await world.work();
  expect((await getApp(world.context.store, caller.app_id)).whitelabel_grace_ends_at).toBeNull();
  await pass(2 * HOUR_MS);
  world.clock.move(60_000);
  await world.work();
  expect(await getApp(world.context.store, caller.app_id)).toMatchObject({
    whitelabel_grace_ends_at: endsAt + LIMITS.whitelabel_grace_ms,
  });
});
