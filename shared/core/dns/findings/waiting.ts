import { failsBy } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey, Lookup, NameView } from '../dns-survey.ts';
import { weigh } from './evidence.ts';

/**
 * Reports problems that no change to the zone fixes: servers that are still copying the zone, caches that have an old answer, and resolvers
 * that block the name. Also reports servers that did not respond.
 */
export function findWaiting(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { lagging, stale, unasked: untold } = weigh(survey, expectation);
  const unasked = untold.filter((view) => !isBlocked(view));
  const nobodyAsked = survey.authorities.length + survey.resolvers.length === 0;
  const findings: Finding[] = [];
  if (lagging.length > 0) {
    const found = lagging.map(({ server }) => server).join(', ');
    findings.push(makeFinding('dns_provider_syncing', null, { found }));
  }
  if (stale.length > 0) findings.push(propagating(stale));
  findings.push(...findBlocks(survey));
  if (unasked.length > 0 || nobodyAsked) {
    const found = unasked.map((view) => `${view.server}: ${failureOf(view)}`).join(', ');
    findings.push(makeFinding('dns_resolver_unavailable', null, { found }));
  }
  return findings;
}

/** Reports the resolvers that block the hostname. Until spare resolvers have replaced all of them, no check can confirm the record. */
function findBlocks({ resolvers, replaced = [] }: DnsSurvey): Finding[] {
  const views = [...replaced, ...resolvers].filter(isBlocked);
  if (views.length === 0) return [];
  const found = views.map(({ server }) => `${server}${OPERATORS[server] ?? ''}`).join(', ');
  return [{ ...makeFinding('dns_resolver_blocks', null, { found }), retryable: resolvers.some(isBlocked) }];
}

const OPERATORS: Readonly<Record<string, string>> = {
  '1.1.1.1': ' (Cloudflare)',
  '8.8.8.8': ' (Google)',
  '9.9.9.9': ' (Quad9)',
};

function isBlocked(view: NameView): boolean {
  return failsBy(view, ['blocked']);
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
 * Returns how long a cache may keep this answer, in seconds: the TTL of its first record, or the negative TTL if the answer has no record
 * (RFC 2308).
 */
function rememberedS({ records, negative_ttl_s }: Lookup): number | null {
  return records[0]?.ttl_s ?? negative_ttl_s;
}

function inWords(seconds: number): string {
  if (seconds <= 300) return `${seconds} seconds`;
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
