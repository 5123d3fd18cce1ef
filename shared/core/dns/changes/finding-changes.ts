import { findProvider } from '../../providers/providers.ts';
import type { ReasonCode } from '../../reasons.ts';
import { decidingCaa, isUnderstoodCaa } from '../caa.ts';
import { canonicalAddress } from '../dns-confirmation.ts';
import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey, SeenRecord } from '../dns-survey.ts';
import { panelName, panelZone, recordsAtHostname } from '../findings/at-hostname.ts';
import { weigh } from '../findings/evidence.ts';
import { needsAddresses } from '../findings/expected-record.ts';
import { foreignHttps } from '../findings/https.ts';
import { isMeant, misplacedProof } from '../findings/txt.ts';
import { nameServers } from '../findings/zone.ts';
import { brokenLink } from '../trust-chain.ts';
import { type PlainChange, type RecordChange, setRecords, type WantedRecord } from './record-change.ts';
import type { FixableCode } from './without-changes.ts';

/**
 * Returns the fewest changes to the customer's zone that fix a finding. Returns an empty list if no change to records fixes the finding.
 * The fault is then at the registrar, at the DNS provider or in the app's own records, or time alone fixes it.
 */
export function changesFor(
  { code }: Pick<Finding, 'code'>,
  survey: DnsSurvey,
  expectation: DnsExpectation,
): RecordChange[] {
  const plans = isFixable(code) ? PLANS[code](survey, expectation) : [];
  const changes = plans.flatMap((plan) => placedChanges(plan, survey, expectation));
  // If a fix would change more records than this, we propose nothing: the name seems to be in use, and the customer has to decide first.
  return changes.length > CHANGES_MAX ? [] : changes;
}

/** Adds two fields to each change of a plan: the zone in which the customer makes the change, and the name within this zone. */
export function placedChanges(
  { at, changes, parent }: ChangePlan,
  survey: DnsSurvey,
  expectation: DnsExpectation,
): RecordChange[] {
  const zone = parent ?? panelZone(at, survey, expectation);
  if (zone === null) return [];
  const name = parent === undefined ? panelName(at, survey, expectation) : at.slice(0, -parent.length - 1);
  return changes.map((change) => ({ ...change, zone, name }));
}

const CHANGES_MAX = 20;

/** Changes to the records at the fully qualified name `at`. */
export interface ChangePlan {
  at: string;
  changes: readonly PlainChange[];
  /** The name of the parent zone, if the parent zone contains the records, as it does with DS records. */
  parent?: string;
}

type MakePlan = (survey: DnsSurvey, expectation: DnsExpectation) => ChangePlan[];

const setPointing: MakePlan = (survey, expectation) => [
  { at: expectation.hostname, changes: pointToUs(survey, expectation) },
];

/** For each finding that changes can fix, the function that plans the changes. `WITHOUT_CHANGES` lists the other findings. */
const PLANS = {
  dnssec_invalid: removeOrphanedDs,
  dns_conflicting_record: setPointing,
  dns_apex_cname: (survey, expectation) => [
    { at: expectation.hostname, changes: pointByAddresses(survey, expectation) },
  ],
  dns_doubled_host: setPointing,
  dns_doubled_target: setPointing,
  dns_proxied: unlessHidden,
  dns_reserved_address: setPointing,
  dns_stale_aaaa: setPointing,
  dns_extra_addresses: setPointing,
  dns_record_mismatch: setPointing,
  dns_record_missing: setPointing,
  dns_https_elsewhere: (survey, expectation) => [
    { at: expectation.hostname, changes: setRecords(foreignHttps(survey, expectation), []) },
  ],
  whitelabel_ended: setPointing,
  dns_txt_mismatch: setProof,
  dns_txt_missing: setProof,
  dns_acme_challenge_conflict: removeDelegation,
  caa_forbids: allowIssuer,
} satisfies Record<FixableCode, MakePlan>;

/** The codes of the findings that changes to records can fix. */
export const FIXABLE_CODES = Object.keys(PLANS) as FixableCode[];

function isFixable(code: ReasonCode): code is FixableCode {
  return code in PLANS;
}

/**
 * Plans no change if the zone is at Cloudflare. Cloudflare's proxy returns its own addresses, so the record to change is not visible to us.
 */
function unlessHidden(survey: DnsSurvey, expectation: DnsExpectation): ChangePlan[] {
  const provider = findProvider(nameServers(survey.delegation));
  return provider?.id === 'cloudflare' ? [] : setPointing(survey, expectation);
}

/**
 * Plans the TXT record that proves ownership. Replaces the TXT values of other domains of the hostname, our value in extra quotation marks,
 * and a value that is alone at the name. If there is nothing to replace, adds our value, because a name can have several TXT values. Also
 * removes our value from a wrong name.
 */
function setProof(survey: DnsSurvey, expectation: DnsExpectation): ChangePlan[] {
  const { txtName, txt_value, otherProofs = [] } = expectation;
  const views = weigh(survey, expectation).wrong;
  const others = views.flatMap(({ txt }) => txt?.records ?? []).filter(({ type }) => type === 'TXT');
  const values = new Map(others.map((record) => [record.value, record]));
  const all = [...values.values()];
  const replaced =
    all.length === 1
      ? all
      : all.filter(({ value }) => otherProofs.includes(value) || isMeant(value, expectation));
  const misplaced = misplacedProof(survey, expectation);
  return [
    ...(misplaced === null ? [] : [{ at: misplaced.name, changes: setRecords([misplaced], []) }]),
    { at: txtName, changes: setRecords(replaced, [{ type: 'TXT', value: txt_value }]) },
  ];
}

function removeDelegation({ probes }: DnsSurvey): ChangePlan[] {
  const record = probes.acmeChallenge?.records.find(({ type }) => type === 'CNAME');
  return record === undefined ? [] : [{ at: record.name, changes: setRecords([record], []) }];
}

/** Plans to add our authority to the CAA records that forbid the order, and to remove records that forbid every order. */
function allowIssuer({ probes }: DnsSurvey, { hostname, caaIssuers }: DnsExpectation): ChangePlan[] {
  const [issuer] = caaIssuers;
  const set = decidingCaa(probes.caa, hostname);
  const [first] = set;
  if (issuer === undefined || first === undefined) return [];
  const unreadable = set.filter(({ value }) => !isUnderstoodCaa(value));
  const wanted = { type: 'CAA', value: `0 issue "${issuer}"` };
  return [{ at: first.name, changes: setRecords(unreadable, [wanted]) }];
}

/**
 * Plans to remove DS records whose key is gone. The domain then works without DNSSEC, until the DNS provider gives a new DS record. We
 * never propose a DS record, because an attacker on the path could have sent us the key (RFC 8078 section 3).
 */
function removeOrphanedDs(survey: DnsSurvey): ChangePlan[] {
  const link = brokenLink(survey);
  return link === null ? [] : [{ at: link.zone, parent: link.parent, changes: setRecords(link.ds, []) }];
}

/** Returns the changes that point the hostname to us: by a CNAME or, if the hostname cannot have one, by addresses. */
export function pointToUs(survey: DnsSurvey, expectation: DnsExpectation): PlainChange[] {
  const present = recordsAtHostname(survey, expectation);
  const isOurs = ownAddress(expectation);
  const staysFlat = present.some((record) => isOurs(record)) && present.every(({ type }) => type !== 'CNAME');
  return staysFlat || needsAddresses(survey, expectation)
    ? setAddresses(present, expectation)
    : setCname(present, expectation);
}

/** Returns the changes that replace a CNAME at the top of a zone with our addresses. */
export function pointByAddresses(survey: DnsSurvey, expectation: DnsExpectation): PlainChange[] {
  return setAddresses(recordsAtHostname(survey, expectation), expectation);
}

function setCname(present: readonly SeenRecord[], { targets }: DnsExpectation): PlainChange[] {
  const right = present.find(({ type, value }) => type === 'CNAME' && targets.includes(value));
  const [value] = targets;
  if (value === undefined) return [];
  // A CNAME must be the only record at its name, so records of all other types are removed too (RFC 1034 section 3.6.2).
  const others = present.filter((record) => record !== right);
  return setRecords(others, right === undefined ? [{ type: 'CNAME', value }] : []);
}

/**
 * Plans to replace CNAMEs and other addresses with our addresses. Keeps records of other types. Adds an AAAA record only if the edge has
 * only IPv6, or if one has to be replaced.
 */
function setAddresses(present: readonly SeenRecord[], expectation: DnsExpectation): PlainChange[] {
  const isOurs = ownAddress(expectation);
  const unwanted = present.filter((record) => POINTING.has(record.type) && !isOurs(record));
  const needed = neededAddressType(expectation);
  const missing = (type: 'A' | 'AAAA', addresses: readonly string[]): WantedRecord[] => {
    const has = present.some((record) => record.type === type && isOurs(record));
    const isAskedFor = type === needed || unwanted.some((record) => record.type === type);
    return has || !isAskedFor ? [] : addresses.map((value) => ({ type, value }));
  };
  return setRecords(unwanted, [
    ...missing('A', expectation.edgeIpv4),
    ...missing('AAAA', expectation.edgeIpv6),
  ]);
}

/** The record types that determine which server visitors of a hostname reach. */
const POINTING: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

function ownAddress({ edgeIpv4, edgeIpv6 }: DnsExpectation): (record: SeenRecord) => boolean {
  const edge = new Set([...edgeIpv4, ...edgeIpv6].map(canonicalAddress));
  return ({ type, value }) => (type === 'A' || type === 'AAAA') && edge.has(canonicalAddress(value));
}
