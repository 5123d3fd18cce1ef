import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { SECOND_MS } from '../../../shared/core/instant.ts';
import { type ReasonCode, reasonDetail } from '../../../shared/core/reasons.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { diagnoseDomain } from '../../../shared/operations/dns/diagnose-domain.ts';
import type { Dns, SurveyDepth } from '../../../shared/ports/dns.ts';
import { diagnosisSchema } from '../../../shared/schema/diagnosis.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { insertAcmeAccount } from '../../../shared/store/certificates/acme-accounts.ts';
import { findDomain, saveDomain } from '../../../shared/store/domains/domains.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { type SmallInternet, SUBDOMAIN, smallInternet } from '../../dns/small-internet.ts';
import type { Row } from '../../fixtures/dns/dns-server.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';

const HOST = 'careers.acme.test';

let world: JobWorld;
let net: SmallInternet;
let caller: Caller;
let domain: Domain;

async function begin(acme: (target: string) => readonly Row[], hostname = HOST) {
  world = await jobWorld();
  const { context } = world;
  context.settings = {
    ...context.settings,
    timerForLive: false,
    edgeZone: 'edge.test',
    edgeIpv4: ['192.0.2.10'],
  };
  caller = { ...(await world.addApp('acme')), mode: 'live' };
  const found = await findDomain(context.store, caller, await world.addDomain(caller, hostname));
  if (found === null) throw new Error('there is no domain');
  domain = found;
  const { target_label } = await getApp(context.store, caller.app_id);
  net = await smallInternet({ acme: acme(`${target_label}.edge.test`) });
  context.dns = net.dns;
}

async function ask() {
  const { body } = await diagnoseDomain(world.context, caller, { params: { id: domain.id } });
  return diagnosisSchema.parse(body);
}

async function become(fields: Partial<Domain>) {
  domain = { ...domain, ...fields };
  await saveDomain(autocommit(world.context.store), domain);
}

function because(code: ReasonCode): Partial<Domain> {
  return { status_reason: code, status_detail: reasonDetail(code) };
}

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await net[Symbol.asyncDispose]();
});

test('the diagnosis reports a right record as healthy, with every lookup and the server that was asked', async () => {
  await begin((target) => [[HOST, 'CNAME', target]]);
  const told = await ask();
  expect(told).toMatchObject({ hostname: HOST, healthy: true, findings: [], provider: null });
  expect(told.checked_at).toBe('2026-01-01T00:00:00.000Z');
  expect(told.name_servers).toEqual(['ns1.acme.test', 'ns2.acme.test']);
  const asked = (who: string) => told.lookups.filter((each) => each.asked === who).length;
  expect([asked('authority'), asked('resolver')]).toEqual([4, 3]);
  expect(told.lookups.filter(({ type }) => type === 'CAA').length).toBeGreaterThan(0);
});

test('the diagnosis reports a wrong record as a finding with the expected record, the value found, and its page', async () => {
  await begin(() => [[HOST, 'CNAME', 'shop.brand.test']]);
  const { healthy, findings } = await ask();
  expect(healthy).toBe(false);
  expect(findings[0]).toMatchObject({
    code: 'dns_record_mismatch',
    record: { type: 'CNAME', name: 'careers' },
    found: 'shop.brand.test',
    docs: 'http://127.0.0.1:1/docs/reasons/dns_record_mismatch',
  });
});

test.each([
  ['a lookup replaces an older DNS reason', 'pending_dns', 'dns_record_missing', []],
  ['a CAA record that is gone', 'cert_failed', 'caa_forbids', []],
  ['a hold stands', 'held', 'hostname_held', ['hostname_held']],
  ['an expired window stands', 'expired', 'window_expired', ['window_expired']],
  ['a refusal by the CA stands', 'cert_failed', 'ca_rejected', ['ca_rejected']],
] as const)('also reports the reason of the status: %s', async (_, status, code, codes) => {
  await begin((target) => [[HOST, 'CNAME', target]]);
  await become({ status, ...because(code) });
  const { findings, healthy } = await ask();
  expect(findings.map((finding) => finding.code)).toEqual(codes);
  expect(healthy).toBe(codes.length === 0);
});

test('the diagnosis asks every server, outside any transaction, and changes no data', async () => {
  await begin(() => []);
  const depths: SurveyDepth[] = [];
  const survey: Dns['survey'] = async (expectation, depth) => {
    depths.push(depth);
    // The store has one connection. If the diagnosis held a transaction open during the lookup, this read would wait forever.
    expect(await findDomain(world.context.store, caller, domain.id)).toEqual(domain);
    return net.dns.survey(expectation, depth);
  };
  world.context.dns = { ...net.dns, survey };
  await ask();
  expect(depths).toEqual(['all']);
  expect(await findDomain(world.context.store, caller, domain.id)).toEqual(domain);
});

describe('the diagnosis has limits', () => {
  beforeEach(() => begin(() => []));

  test('allows one lookup of a domain in 15 seconds', async () => {
    await ask();
    world.clock.move(14 * SECOND_MS);
    await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', retry_after_s: 1 });
    world.clock.move(SECOND_MS);
    await expect(ask()).resolves.toMatchObject({ hostname: HOST });
  });

  test('allows lookups of 20 domains of an app in 15 seconds', async () => {
    const seen = await net.dns.survey(SUBDOMAIN, 'again');
    let surveys = 0;
    const survey: Dns['survey'] = async () => {
      surveys += 1;
      return seen;
    };
    world.context.dns = { ...net.dns, survey };
    const outcomes: string[] = [];
    for (let count = 1; count <= 21; count++) {
      const id = await world.addDomain(caller, `a${count}.acme.test`);
      const asked = diagnoseDomain(world.context, caller, { params: { id } });
      outcomes.push(
        await asked.then(
          () => 'told',
          (error) => error.code,
        ),
      );
    }
    expect(outcomes).toEqual([...Array.from({ length: 20 }, () => 'told'), 'rate_limited']);
    expect(surveys).toBe(20);
  });
});

test.each([
  [
    'acme.test',
    [{ type: 'CAA', name: '@', value: '0 issue "ca.example; accounturi=https://ca.example/acct/1"' }],
  ],
  [HOST, []],
])('the diagnosis of %s suggests CAA records that lock issuance: %j', async (hostname, lock) => {
  await begin(() => [], hostname);
  const { context } = world;
  const directoryUrl = 'https://ca.example/directory';
  await insertAcmeAccount(autocommit(context.store), {
    directory_url: directoryUrl,
    account_url: 'https://ca.example/acct/1',
    private_key: 'sealed',
    created_at: 0,
  });
  const ca = { directory_url: directoryUrl, caa_issuers: ['ca.example'] };
  context.issuance = { authorities: [{ ca }] } as unknown as NonNullable<typeof context.issuance>;
  expect((await ask()).issuance_lock).toEqual(lock);
});
