import { compareReasons, type ReasonCode } from '../reasons.ts';
import { changesFor } from './changes/finding-changes.ts';
import type { DnsExpectation } from './dns-expectation.ts';
import type { Finding } from './dns-finding.ts';
import type { DnsSurvey } from './dns-survey.ts';
import { findConflicts } from './findings/at-hostname.ts';
import { findForeignHttps } from './findings/https.ts';
import { findAcmeChallenge, findCaaFaults } from './findings/issuance.ts';
import { findProxyFaults } from './findings/proxy.ts';
import { findApexCname, findDoubledHost, findRecordFaults } from './findings/record.ts';
import { findTxtFaults } from './findings/txt.ts';
import { findWaiting } from './findings/waiting.ts';
import { findInvalidDnssec, findZoneFaults } from './findings/zone.ts';

/**
 * Returns what is wrong with a hostname's DNS according to one survey: the most severe finding first, and at most one per code. Returns an
 * empty list if nothing is wrong. If one finding is the cause of another, only the cause is returned. The customer's record is reported as
 * wrong only if a lookup has a definite answer.
 */
export function diagnose(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const byCode = new Map<ReasonCode, Finding>();
  for (const detect of DETECTORS) {
    for (const finding of detect(survey, expectation)) {
      if (!byCode.has(finding.code)) byCode.set(finding.code, finding);
    }
  }
  const explained = new Set([...byCode.keys()].flatMap((code) => EXPLAINS[code] ?? []));
  return [...byCode.values()]
    .filter(({ code }) => !explained.has(code))
    .toSorted((a, b) => compareReasons(a.code, b.code))
    .map((finding) => ({ ...finding, changes: changesFor(finding, survey, expectation) }));
}

type Detector = (survey: DnsSurvey, expectation: DnsExpectation) => Finding[];

const DETECTORS: readonly Detector[] = [
  findZoneFaults,
  findInvalidDnssec,
  findConflicts,
  findApexCname,
  findDoubledHost,
  findProxyFaults,
  findRecordFaults,
  findForeignHttps,
  findTxtFaults,
  findAcmeChallenge,
  findCaaFaults,
  findWaiting,
];

/** Findings that follow from a record that is absent or points elsewhere. */
const POINTING = [
  'dns_proxied',
  'dns_reserved_address',
  'dns_stale_aaaa',
  'dns_extra_addresses',
  'dns_record_mismatch',
  'dns_record_missing',
] as const satisfies readonly ReasonCode[];
/** Findings that report a wrong record although the hostname points to a proxy. */
const PROXIED = [
  'dns_https_elsewhere',
  'dns_reserved_address',
  'dns_proxied',
  'dns_record_mismatch',
  'dns_record_missing',
] as const satisfies readonly ReasonCode[];
const PROXY = [
  'proxy_plain_http',
  'proxy_misdirects',
  'proxy_https_failed',
  'proxy_unreachable',
] as const satisfies readonly ReasonCode[];
const RECORD = [
  'dns_conflicting_record',
  'dns_apex_cname',
  'dns_doubled_host',
  'dns_doubled_target',
  ...POINTING,
  ...PROXY,
  'dns_https_elsewhere',
  'dns_txt_mismatch',
  'dns_txt_missing',
  'dns_acme_challenge_conflict',
] as const satisfies readonly ReasonCode[];
const WAITING = [
  'dns_propagating',
  'dns_resolver_blocks',
  'dns_resolver_unavailable',
] as const satisfies readonly ReasonCode[];
const CAA = ['caa_forbids', 'caa_lookup_failed'] as const satisfies readonly ReasonCode[];

/** For each finding, the findings that are left out beside it, because they would repeat it or cannot be fixed before it. */
const EXPLAINS: Partial<Record<ReasonCode, readonly ReasonCode[]>> = {
  domain_not_registered: [
    'dns_delegation_lame',
    'dnssec_invalid',
    'domain_parked',
    'dns_ns_mismatch',
    'dns_provider_syncing',
    ...RECORD,
    ...WAITING,
    ...CAA,
  ],
  dns_delegation_lame: ['dnssec_invalid', 'dns_ns_mismatch', ...RECORD, ...WAITING, ...CAA],
  dnssec_invalid: [...WAITING, 'caa_lookup_failed'],
  domain_parked: ['dns_ns_mismatch', ...RECORD, ...WAITING, ...CAA],
  dns_conflicting_record: [
    'dns_doubled_target',
    'dns_https_elsewhere',
    ...POINTING,
    'dns_txt_mismatch',
    'dns_txt_missing',
  ],
  dns_apex_cname: ['dns_conflicting_record', 'dns_doubled_target', ...POINTING],
  whitelabel_ended: [...POINTING, 'dns_txt_mismatch', 'dns_txt_missing'],
  whitelabel_unverified: [...POINTING, 'dns_txt_mismatch', 'dns_txt_missing'],
  dns_doubled_host: POINTING,
  // Different servers may show different faults of the record. Only the fault closest to the cause is reported.
  dns_doubled_target: POINTING,
  proxy_plain_http: PROXIED,
  proxy_misdirects: PROXIED,
  proxy_https_failed: PROXIED,
  proxy_unreachable: PROXIED,
  dns_proxied: ['dns_https_elsewhere', 'dns_record_mismatch', 'dns_record_missing'],
  dns_reserved_address: ['dns_record_mismatch', 'dns_record_missing'],
  dns_record_mismatch: ['dns_record_missing'],
  dns_txt_mismatch: ['dns_txt_missing'],
  dns_provider_syncing: ['dns_propagating'],
  dns_resolver_unavailable: ['caa_lookup_failed'],
};
