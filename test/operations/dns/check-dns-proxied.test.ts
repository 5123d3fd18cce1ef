import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import type { PublicPath } from '../../../shared/core/public-path/public-path.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import { updateApp } from '../../../shared/store/accounts/apps.ts';
import { autocommit } from '../../../shared/store/store.ts';
import type { SaidView } from '../../core/dns/survey-builder.ts';
import { at, type DnsWorld, dnsWorld, everywhere } from './dns-world.ts';

const HOST = 'careers.acme.com';
const PROXY = '93.184.216.7';
const OLD_HOST = '93.184.216.99';

let world: DnsWorld;
let caller: Caller;
/** The result of the next probes of the public path, and the addresses that each probe got. */
let found: Partial<PublicPath>;
let asked: (readonly string[])[];

const LEADS: Partial<PublicPath> = { hop: 'tls_ended', leads_here: true, reaches_edge: true };
const ELSEWHERE: Partial<PublicPath> = { hop: 'elsewhere' };
const SILENT: Partial<PublicPath> = { hop: 'unreachable' };

const proxied = ({ txt_value }: DnsExpectation): SaidView => ({
  a: [`A ${PROXY}`],
  txt: [`TXT ${txt_value}`],
});
const unproven = (): SaidView => ({ a: [`A ${PROXY}`], txt: 'nodata' });
const stale = ({ txt_value }: DnsExpectation): SaidView => ({
  a: [`A ${OLD_HOST}`],
  txt: [`TXT ${txt_value}`],
});

beforeEach(async () => {
  world = await dnsWorld();
  caller = await world.addLiveApp('acme');
  found = LEADS;
  asked = [];
  world.context.pathProbe = {
    async follow(_, addresses) {
      asked.push(addresses);
      const here = addresses.includes(OLD_HOST) ? ELSEWHERE : found;
      return {
        hop: 'elsewhere',
        leads_here: false,
        reaches_edge: false,
        https_fails: false,
        ...here,
        addresses,
      };
    },
  };
});
afterEach(() => world[Symbol.asyncDispose]());

describe('a new domain behind a proxy in front of our edge is confirmed by its TXT record', () => {
  let id: DomainId;
  beforeEach(async () => {
    id = await world.addDomain(caller, HOST);
  });

  test('is verified once all three resolvers have its TXT record', async () => {
    world.says = everywhere(unproven);
    expect(await world.check(id)).toMatchObject({ status: 'pending_dns', status_reason: 'dns_txt_missing' });
    world.says = at(proxied, proxied, unproven);
    expect(await world.check(id)).toMatchObject({ status: 'verifying', status_reason: 'dns_propagating' });
    world.says = everywhere(proxied);
    expect(await world.check(id)).toMatchObject({ status: 'issuing', routed_through: null });
    expect(await world.events(caller, id)).toEqual(['domain.created', 'domain.verified']);
  });

  test('waits while a resolver still has the address of its old host', async () => {
    world.says = at(proxied, proxied, stale);
    expect(await world.check(id)).toMatchObject({ status: 'verifying' });
    expect(asked).toEqual([[PROXY], [OLD_HOST]]);
  });

  test('is not probed if the app forbids proxies', async () => {
    await updateApp(autocommit(world.context.store), caller.app_id, { allow_proxied: false });
    world.says = everywhere(proxied);
    expect(await world.check(id)).toMatchObject({
      status: 'pending_dns',
      status_reason: 'dns_record_mismatch',
    });
    expect(asked).toEqual([]);
  });
});

describe('a new domain behind a proxy that does not forward to our edge correctly is not confirmed', () => {
  test.each([
    [{ hop: 'flexible', reaches_edge: true }, 'proxy_plain_http'],
    [{ hop: 'cached', reaches_edge: true }, 'proxy_misdirects'],
    [{ hop: 'partial', reaches_edge: true }, 'proxy_misdirects'],
    [{ hop: 'proxied', reaches_edge: true, https_fails: true }, 'proxy_https_failed'],
    [{ hop: 'looping' }, 'proxy_misdirects'],
    [{ hop: 'unreachable' }, 'proxy_unreachable'],
    [{ hop: 'elsewhere' }, 'dns_record_mismatch'],
  ] as const)('stays in pending_dns if a probe finds the path %j', async (path, reason) => {
    found = path;
    world.says = everywhere(proxied);
    const id = await world.addDomain(caller, HOST);
    expect(await world.check(id)).toMatchObject({ status: 'pending_dns', status_reason: reason });
    expect(await world.events(caller, id)).toEqual(['domain.created']);
  });

  test('gets a finding about its record if the proxy does not respond and no TXT record names the app', async () => {
    found = SILENT;
    world.says = everywhere(unproven);
    const id = await world.addDomain(caller, HOST);
    expect(await world.check(id)).toMatchObject({ status_reason: 'dns_record_mismatch' });
  });

  test('is probed once a minute, and at once if its address changes', async () => {
    found = ELSEWHERE;
    world.says = everywhere(unproven);
    const id = await world.addDomain(caller, HOST);
    const since = world.clock.now();
    await world.check(id);
    while (world.clock.now() < since + MINUTE_MS - 10_000) await world.check(id);
    expect(asked).toEqual([[PROXY]]);
    world.says = everywhere(stale);
    await world.check(id);
    expect(asked).toEqual([[PROXY], [OLD_HOST]]);
  });
});

describe('a live domain behind a proxy is checked through the proxy', () => {
  let id: DomainId;
  beforeEach(async () => {
    id = await world.addDomain(caller, HOST);
    world.says = everywhere(proxied);
    await world.check(id);
    await triggerDomain(world.context, id, 'certificate_issued');
    await world.check(id);
  });

  test.each([
    ['does not respond', SILENT],
    ['fails by HTTPS', { hop: 'proxied', https_fails: true, reaches_edge: true } as const],
  ])('stays active while the proxy %s', async (_, path) => {
    found = path;
    for (let checks = 0; checks < 5; checks++)
      expect(await world.check(id)).toMatchObject({ status: 'active' });
  });

  test.each([
    ['forwards to another server', ELSEWHERE],
    ['forwards over plain HTTP', { hop: 'flexible', reaches_edge: true } as const],
  ])(
    'becomes dns_broken at the second check after its proxy %s, and active again once the proxy forwards correctly',
    async (_, path) => {
      found = path;
      expect(await world.check(id)).toMatchObject({ status: 'active' });
      expect(await world.check(id)).toMatchObject({ status: 'dns_broken' });
      found = LEADS;
      await world.check(id);
      expect(await world.check(id)).toMatchObject({ status: 'active' });
    },
  );

  test('stays active without its TXT record, but needs the record to recover from dns_broken', async () => {
    world.says = everywhere(unproven);
    expect(await world.check(id)).toMatchObject({ status: 'active' });
    found = ELSEWHERE;
    await world.check(id);
    expect(await world.check(id)).toMatchObject({ status: 'dns_broken' });
    found = LEADS;
    await world.check(id);
    expect(await world.check(id)).toMatchObject({ status: 'dns_broken', status_reason: 'dns_txt_missing' });
  });
});
