import { expect } from 'vitest';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import type { ReasonCode } from '../../shared/core/reasons.ts';
import type { SurveyDepth } from '../../shared/ports/dns.ts';
import type { CustomerZone } from '../fixtures/real-internet.ts';
import { EXPIRED, WITHOUT_DENIAL } from './presigned-zones.ts';

export const TARGET = 'k3x9.edge.test';
export const WHITELABEL_HOST = 'jobs.brand.test';
export const V4 = '192.0.2.10';
export const V6 = '2001:db8::10';
/** The name server of a DNS host that loads any zone (`lenient-host.ts`). */
export const LENIENT_SERVER = 'ns.lenient.test';
export const PROOF = 'service-verify-1';

/** A zone with a mistake, and the findings of a check at its subdomain `careers` or at its apex. */
export interface BrokenZone extends Partial<CustomerZone> {
  /** The first label of the zone, below `test`. */
  label: string;
  at?: 'apex';
  depth?: SurveyDepth;
  /** The codes of all findings, the most severe first. */
  codes: readonly ReasonCode[];
  /** The field `found` of the first finding. */
  found: unknown;
}

const CAREERS = `careers CNAME ${TARGET}.`;
const TXT = `_service TXT "${PROOF}"`;
const CLOUDFLARE = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const CARELESS = ['ns.careless.test'];
const STALE_DS = '12345 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

export const BROKEN_ZONES: readonly BrokenZone[] = [
  { label: 'missing', codes: ['dns_record_missing'], found: null },
  {
    label: 'mismatch',
    records: ['careers CNAME shops.myshopify.com.'],
    codes: ['dns_record_mismatch'],
    found: 'shops.myshopify.com (Shopify)',
  },
  {
    label: 'mismatch-whose-end-is-dead',
    depth: 'all',
    records: ['careers CNAME jobs.lame.test.'],
    codes: ['dns_record_mismatch'],
    found: 'jobs.lame.test',
  },
  {
    label: 'mismatch-in-a-circle',
    depth: 'all',
    records: ['careers CNAME jobs', 'jobs CNAME careers'],
    codes: ['dns_record_mismatch'],
    found: 'jobs.mismatch-in-a-circle.test',
  },
  {
    label: 'mismatch-by-address',
    at: 'apex',
    records: ['@ A 93.184.215.14', TXT],
    codes: ['dns_record_mismatch'],
    found: '93.184.215.14',
  },
  {
    label: 'doubled-host',
    records: [`careers.doubled-host.test CNAME ${TARGET}.`],
    codes: ['dns_doubled_host'],
    found: 'careers.doubled-host.test.doubled-host.test',
  },
  {
    label: 'doubled-by-wildcard',
    records: [`*.doubled-by-wildcard.test CNAME ${TARGET}.`],
    codes: ['dns_record_missing'],
    found: null,
  },
  {
    label: 'doubled-target',
    records: [`careers CNAME ${TARGET}`],
    codes: ['dns_doubled_target'],
    found: `${TARGET}.doubled-target.test`,
  },
  {
    label: 'proxied',
    servers: CLOUDFLARE,
    records: ['careers A 104.16.1.1', 'careers AAAA 2606:4700::1'],
    codes: ['dns_proxied'],
    found: '104.16.1.1, 2606:4700::1',
  },
  {
    label: 'extra',
    at: 'apex',
    records: [`@ A ${V4}`, '@ A 93.184.215.14', TXT],
    codes: ['dns_extra_addresses'],
    found: '93.184.215.14',
  },
  {
    label: 'stale-aaaa',
    at: 'apex',
    records: [`@ A ${V4}`, '@ AAAA 2a00:1450::5', TXT],
    codes: ['dns_stale_aaaa'],
    found: '2a00:1450::5',
  },
  {
    label: 'conflicting',
    servers: CARELESS,
    records: [CAREERS, 'careers A 93.184.215.14', 'careers TXT "old"'],
    codes: ['dns_conflicting_record'],
    found: 'A 93.184.215.14, TXT old',
  },
  {
    label: 'aaaa-beside',
    servers: CARELESS,
    records: [CAREERS, 'careers AAAA 2a00:1450::5'],
    codes: ['dns_conflicting_record'],
    found: 'AAAA 2a00:1450::5',
  },
  {
    label: 'https-elsewhere',
    at: 'apex',
    depth: 'all',
    records: [`@ A ${V4}`, TXT, '@ HTTPS 1 . alpn=h2 ipv4hint=93.184.215.14'],
    codes: ['dns_https_elsewhere'],
    found: '1 . key1="\\002h2" ipv4hint=93.184.215.14',
  },
  {
    label: 'https-beside',
    servers: CARELESS,
    depth: 'all',
    records: [CAREERS, 'careers HTTPS 0 shops.myshopify.com.'],
    codes: ['dns_https_elsewhere'],
    found: '0 shops.myshopify.com',
  },
  {
    label: 'two-cnames',
    servers: CARELESS,
    records: [CAREERS, 'careers CNAME shops.myshopify.com.'],
    codes: ['dns_conflicting_record'],
    found: 'CNAME shops.myshopify.com',
  },
  {
    label: 'apex-cname',
    at: 'apex',
    servers: ['ns1.domaincontrol.com'],
    records: [`@ CNAME ${TARGET}.`],
    codes: ['dns_apex_cname', 'dns_txt_missing'],
    found: TARGET,
  },
  {
    label: 'cut',
    records: ['careers NS ns1.host.test.', 'careers NS ns2.host.test.'],
    codes: ['dns_apex_cname', 'dns_txt_missing'],
    found: null,
  },
  {
    label: 'txt-missing',
    at: 'apex',
    records: [`@ A ${V4}`, `@ AAAA ${V6}`],
    codes: ['dns_txt_missing'],
    found: null,
  },
  {
    label: 'txt-mismatch',
    at: 'apex',
    records: [`@ A ${V4}`, '_service TXT "service-verify-2"'],
    codes: ['dns_txt_mismatch'],
    found: 'service-verify-2',
  },
  {
    label: 'txt-doubled',
    at: 'apex',
    records: [`@ A ${V4}`, `_service.txt-doubled.test TXT "${PROOF}"`],
    codes: ['dns_txt_missing'],
    found: '_service.txt-doubled.test.txt-doubled.test',
  },
  {
    label: 'txt-at-the-apex',
    at: 'apex',
    records: [`@ A ${V4}`, `@ TXT "${PROOF}"`, '@ TXT "v=spf1 -all"'],
    codes: ['dns_txt_missing'],
    found: 'txt-at-the-apex.test',
  },
  {
    label: 'flattened-txt-doubled',
    records: [`careers A ${V4}`, `_service.careers.flattened-txt-doubled.test TXT "${PROOF}"`],
    codes: ['dns_txt_missing'],
    found: '_service.careers.flattened-txt-doubled.test.flattened-txt-doubled.test',
  },
  {
    label: 'flattened-without-txt',
    records: [`careers A ${V4}`],
    codes: ['dns_txt_missing'],
    found: null,
  },
  {
    label: 'challenge',
    depth: 'all',
    records: [CAREERS, '_acme-challenge.careers CNAME x.acme-dns.com.'],
    codes: ['dns_acme_challenge_conflict'],
    found: 'x.acme-dns.com',
  },
  {
    label: 'syncing',
    records: [CAREERS],
    second: [],
    codes: ['dns_provider_syncing'],
    found: expect.stringContaining('ns2.host.test'),
  },
  {
    label: 'lame',
    lame: true,
    codes: ['dns_delegation_lame'],
    found: 'ns1.host.test, ns2.host.test',
  },
  {
    label: 'lame-in-few-words',
    lame: true,
    servers: CARELESS,
    codes: ['dns_delegation_lame'],
    found: 'ns.careless.test',
  },
  {
    label: 'ns-mismatch',
    own_servers: ['ns1.host.test', 'ns9.host.test'],
    depth: 'all',
    records: [CAREERS],
    codes: ['dns_ns_mismatch'],
    found: 'ns1.host.test, ns2.host.test',
  },
  {
    label: 'stale-ds',
    signed: true,
    ds: STALE_DS,
    servers: ['ns1.host.test'],
    records: [CAREERS],
    codes: ['dnssec_invalid'],
    found: expect.stringMatching(/^SERVFAIL, .*\(EDE \d+\)/),
  },
  {
    label: 'ds-of-unsigned',
    ds: STALE_DS,
    records: [CAREERS],
    codes: ['dnssec_invalid'],
    found: expect.stringMatching(/^SERVFAIL, .*\(EDE \d+\)/),
  },
  {
    label: 'expired',
    servers: CARELESS,
    ...EXPIRED,
    codes: ['dnssec_invalid'],
    found: expect.stringMatching(/^SERVFAIL, .*\(EDE \d+\)/),
  },
  {
    label: 'parked',
    servers: ['ns1.sedoparking.com'],
    records: ['@ A 93.184.215.14', '* A 93.184.215.14'],
    codes: ['domain_parked'],
    found: 'ns1.sedoparking.com',
  },
  {
    label: 'reserved',
    records: ['careers A 10.0.0.1'],
    codes: ['dns_reserved_address'],
    found: '10.0.0.1',
  },
  {
    label: 'caa',
    depth: 'all',
    records: [CAREERS, '@ CAA 0 issue "other-ca.example"'],
    codes: ['caa_forbids'],
    found: expect.stringContaining('other-ca.example'),
  },
  {
    label: 'no-denial',
    depth: 'all',
    servers: CARELESS,
    ...WITHOUT_DENIAL,
    codes: ['caa_lookup_failed'],
    found: expect.anything(),
  },
];

/** Returns the records that a check expects at `careers` in the zone `<label>.test`, or at the apex of the zone. */
export function expecting(label: string, at?: 'apex'): DnsExpectation {
  const registrable = `${label}.test`;
  const hostname = at === 'apex' ? registrable : `careers.${registrable}`;
  return {
    hostname,
    registrable,
    is_apex: at === 'apex',
    targets: [TARGET, WHITELABEL_HOST],
    host: null,
    edgeIpv4: [V4],
    edgeIpv6: [V6],
    txtName: `_service.${hostname}`,
    txt_value: PROOF,
    txtRequired: true,
    caaIssuers: ['letsencrypt.org'],
  };
}
