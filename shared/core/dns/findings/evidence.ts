import { viewOutcome } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { DnsSurvey, NameView } from '../dns-survey.ts';

/** What the views of a survey say together. A view is in one of the lists at most; what is right needs no word. */
export interface Evidence {
  /** They speak for the zone, and the record is not right: what is wrong with it can be told from each. */
  wrong: readonly NameView[];
  /** Servers of the zone that do not have yet what others of them have. */
  lagging: readonly NameView[];
  /** Resolvers that still have an old answer, though the zone is right. */
  stale: readonly NameView[];
  /** Servers that could not be asked and whose answer would have counted. */
  unasked: readonly NameView[];
}

/**
 * Weighs the views: the zone's own servers know, whatever a cache says. Where none of those could be asked, the resolvers
 * stand for the zone if more of them find it wrong than right. A CNAME that leads elsewhere is wrong, be its end dead or alive.
 */
export function weigh(survey: DnsSurvey, expectation: DnsExpectation): Evidence {
  const own = sortViews(survey.authorities, expectation);
  const caches = sortViews(survey.resolvers, expectation);
  const told = own.right.length + own.wrong.length + own.astray.length > 0;
  const unasked = survey.resolvers.length === 0 && !told ? own.unknown : caches.unknown;
  const none = { wrong: [], lagging: [], stale: [], unasked };
  if (own.right.length > 0) return { ...none, lagging: own.wrong, stale: caches.wrong };
  if (own.wrong.length > 0) return { ...none, wrong: own.wrong };
  if (own.astray.length > 0) return { ...none, wrong: own.astray, unasked: [] };
  const outvoted = caches.wrong.length > caches.right.length;
  return outvoted ? { ...none, wrong: caches.wrong } : { ...none, stale: caches.wrong };
}

interface SortedViews {
  right: NameView[];
  wrong: NameView[];
  /** Their CNAME was told and is not ours; what is behind it could not be told, and nothing changes a status for it. */
  astray: NameView[];
  unknown: NameView[];
}

function sortViews(views: readonly NameView[], expectation: DnsExpectation): SortedViews {
  const sorted: SortedViews = { right: [], wrong: [], astray: [], unknown: [] };
  for (const view of views) {
    const outcome = viewOutcome(view, expectation);
    sorted[outcome === 'unknown' && isAstray(view, expectation) ? 'astray' : outcome].push(view);
  }
  return sorted;
}

function isAstray({ a }: NameView, { targets }: DnsExpectation): boolean {
  return a.records.some(({ type, value }) => type === 'CNAME' && !targets.includes(value));
}
