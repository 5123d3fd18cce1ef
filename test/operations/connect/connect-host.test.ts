import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { findCustomerAddresses } from '../../../shared/operations/domains/customer-target.ts';
import { holdHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { changeAccount } from '../../../shared/operations/operator/accounts.ts';
import { showCertificates } from '../../../shared/operations/operator/certificates.ts';
import { getApp, updateApp } from '../../../shared/store/accounts/apps.ts';
import { findHostDomain } from '../../../shared/store/domains/domains.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { scheduleJob } from '../../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { type DnsWorld, dnsWorld, EDGE_ZONE, everywhere, right } from '../dns/dns-world.ts';

/** Tests the domain that the service itself adds for a white-label host (`decisions/0049`), with live checks. */
const HOST = 'connect.agency.com';

let world: DnsWorld;
let caller: Caller;
let target: string;
/** The CNAME chain of the white-label host in DNS. */
let chain: string[];

beforeEach(async () => {
  world = await dnsWorld();
  caller = await world.addLiveApp('agency');
  target = `${(await getApp(world.context.store, caller.app_id)).target_label}.${EDGE_ZONE}`;
  chain = [target];
  world.context.cnameLookup = { chain: async () => chain };
  await updateApp(autocommit(world.context.store), caller.app_id, {
    whitelabel_host: HOST,
    whitelabel_set_at: world.clock.now(),
  });
});
afterEach(() => world[Symbol.asyncDispose]());

const hostDomain = () => findHostDomain(world.context.store, caller.app_id, HOST);

async function checkHost(): Promise<void> {
  const { app_id } = caller;
  const job = { kind: 'check_whitelabel', subject_id: app_id, app_id, due_at: world.clock.now() } as const;
  await scheduleJob(autocommit(world.context.store), job);
  await world.work();
}

/** Verifies the white-label host and obtains its certificate. */
async function serveHost(): Promise<Domain> {
  await checkHost();
  const { id } = (await hostDomain()) ?? expect.fail('the host has no domain');
  world.says = everywhere(right);
  await world.check(id);
  await triggerDomain(world.context, id, 'certificate_issued');
  return world.domain(id);
}

async function base(): Promise<string> {
  const app = await getApp(world.context.store, caller.app_id);
  return (await findCustomerAddresses(world.context, app)).connectBase;
}

test('a verified white-label host is checked and routed like a live domain, and emits no event', async () => {
  const host = await serveHost();
  expect(host).toMatchObject({ mode: 'host', status: 'active', routed_through: target, is_apex: false });
  expect(await findRouteOwner(world.context.store, HOST)).toBe(host.id);
  expect(await world.events(caller, host.id)).toEqual([]);
  expect(await base()).toBe(`https://${HOST}`);
});

/**
 * Sets one white-label host of the app after another and runs the checks. Each host points to the app's target. @returns the number of
 * hosts for which the service added a domain.
 */
async function setHosts(by: Caller, count: number): Promise<number> {
  let ordered = 0;
  for (let index = 0; index < count; index++) {
    const host = `h${index}.agency.com`;
    await updateCurrentApp(world.context, by, { body: { whitelabel_host: host } });
    await world.work();
    ordered += (await findHostDomain(world.context.store, by.app_id, host)) === null ? 0 : 1;
    world.clock.move(MINUTE_MS / 2);
  }
  return ordered;
}

test('the white-label host of a trial without a card is verified, but gets a certificate only once there is a card', async () => {
  const { account_id } = caller;
  const terms = { plan: 'free', trial_ends_at: world.clock.now() + 10 * DAY_MS } as const;
  await changeAccount(world.context, 'test', account_id, terms);
  expect(await setHosts({ ...caller, mode: 'test' }, 6)).toBe(0);
  expect(await getApp(world.context.store, caller.app_id)).toMatchObject({
    whitelabel_host: 'h5.agency.com',
    whitelabel_verified: true,
  });
  await changeAccount(world.context, 'test', account_id, { card_on_file: true });
  await world.work();
  const host = await findHostDomain(world.context.store, caller.app_id, 'h5.agency.com');
  expect(host).toMatchObject({ status: 'pending_dns', mode: 'host' });
});

test('an account gets certificates for ten white-label hosts a day, and other accounts have their own limit', async () => {
  expect(await setHosts(caller, 12)).toBe(10);
  const other = await world.addLiveApp('other');
  const { target_label: label } = await getApp(world.context.store, other.app_id);
  chain = [`${label}.${EDGE_ZONE}`];
  expect(await setHosts(other, 1)).toBe(1);
  // The last host gets its domain a day later, without another change of the app.
  chain = [target];
  world.clock.move(DAY_MS);
  await world.work();
  expect(await findHostDomain(world.context.store, caller.app_id, 'h11.agency.com')).not.toBeNull();
});

test("the only valid CNAME target of a white-label host is the app's own target", async () => {
  const asked: DnsExpectation[] = [];
  world.says = (expectation) => {
    asked.push(expectation);
    return everywhere(right)(expectation);
  };
  await checkHost();
  const { id } = (await hostDomain()) ?? expect.fail('the host has no domain');
  await world.check(id);
  expect(asked.map(({ targets }) => targets)).toEqual([[target]]);
});

test('an unverified white-label host has no domain of its own, and connect links do not use the host', async () => {
  chain = ['elsewhere.example'];
  await checkHost();
  expect(await hostDomain()).toBeNull();
  expect(await base()).toBe(world.context.settings.baseUrl);
});

test('while the white-label host is held, connect links use the address of the service', async () => {
  const { id } = await serveHost();
  await holdHostname(world.context, HOST, null);
  await world.work();
  expect(await world.domain(id)).toMatchObject({ status: 'held' });
  expect(await base()).toBe(world.context.settings.baseUrl);
});

test('after the plan ends, the white-label host is served for 72 hours, but connect links no longer use it', async () => {
  const { id } = await serveHost();
  await changeAccount(world.context, 'operator', caller.account_id, { plan: 'free' });
  await world.work();
  expect(await base()).toBe(world.context.settings.baseUrl);
  expect(await findRouteOwner(world.context.store, HOST)).toBe(id);
  for (let hours = 0; hours < 73; hours++) {
    world.clock.move(HOUR_MS);
    await world.work();
  }
  expect(await findRouteOwner(world.context.store, HOST)).toBeNull();
  expect(await hostDomain()).toBeNull();
});

test('an operator finds the certificate of a white-label host by its name', async () => {
  const { id } = await serveHost();
  const shown = await showCertificates(world.context, HOST);
  expect(shown.map(({ domain, routed }) => [domain.id, routed])).toEqual([[id, true]]);
});
