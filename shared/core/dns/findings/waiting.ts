import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup, NameView } from '../dns-survey.ts';
import { weigh } from './evidence.ts';
import { makeFinding } from './make-finding.ts';

/**
 * Reports problems that only time fixes: servers that are still copying the zone, caches that hold an old answer, and servers that did not
 * respond.
 */
export function findWaiting(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { lagging, stale, unasked } = weigh(survey, expectation);
  const nobodyAsked = survey.authorities.length + survey.resolvers.length === 0;
  const findings: Finding[] = [];
  if (lagging.length > 0) {
    const found = lagging.map(({ server }) => server).join(', ');
    findings.push(makeFinding('dns_provider_syncing', null, { found }));
  }
  if (stale.length > 0) findings.push(propagating(stale));
  if (unasked.length > 0 || nobodyAsked) {
    const found = unasked.map((view) => `${view.server}: ${failureOf(view)}`).join(', ');
    findings.push(makeFinding('dns_resolver_unavailable', null, { found }));
  }
  return findings;
}

function failureOf({ a, aaaa, txt }: NameView): string {
  return a.failure ?? aaaa?.failure ?? txt?.failure ?? 'no answer';
}

function propagating(stale: readonly NameView[]): Finding {
  const lookups = stale.flatMap(({ a, aaaa, txt }) => [a, aaaa, txt]).filter((lookup) => lookup !== null);
  const ttlsS = lookups.map(rememberedS).filter((ttlS) => ttlS !== null);
  const old = stale.flatMap(({ a }) => a.records.slice(0, 1)).map(({ value }) => value);
  return makeFinding('dns_propagating', null, {
    found: [...new Set(old)].join(', '),
    ...(ttlsS.length === 0 ? {} : { wait: `at most ${inWords(Math.max(...ttlsS))}` }),
  });
}

/**
 * Returns how long a cache may keep this answer, in seconds: the TTL of its first record, or the negative TTL if it has none (RFC 2308).
 */
function rememberedS({ records, negative_ttl_s }: Lookup): number | null {
  return records[0]?.ttl_s ?? negative_ttl_s;
}

function inWords(seconds: number): string {
  if (seconds <= 300) return `${seconds} seconds`;
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
