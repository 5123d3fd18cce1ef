import { canonicalAddress } from '../dns-confirmation.ts';
import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { DnsSurvey, SeenRecord } from '../dns-survey.ts';
import { recordsAtHostname } from '../findings/at-hostname.ts';
import { needsAddresses } from '../findings/expected-record.ts';
import { type PlainChange, setRecords, type WantedRecord } from './record-change.ts';

/** Returns the changes that point the hostname to us: by a CNAME or, if it cannot have one, by addresses. */
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

/** Leaves records of other types alone. Adds an AAAA record only if it is needed. */
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

/** The types that decide where a hostname leads. */
const POINTING: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

function ownAddress({ edgeIpv4, edgeIpv6 }: DnsExpectation): (record: SeenRecord) => boolean {
  const edge = new Set([...edgeIpv4, ...edgeIpv6].map(canonicalAddress));
  return ({ type, value }) => (type === 'A' || type === 'AAAA') && edge.has(canonicalAddress(value));
}
