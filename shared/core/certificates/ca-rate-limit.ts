import { registrableDomain } from '../domains/hostname.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../instant.ts';
import type { AcmeProblem } from './acme-problem.ts';

/** Scope of a rate limit: all requests to the authority, or the orders for a registrable domain, a hostname, or an exact set of names. */
export const LIMIT_ABOUTS = ['authority', 'domain', 'hostname', 'names'] as const;
export type LimitAbout = (typeof LIMIT_ABOUTS)[number];

export interface RateLimit {
  about: LimitAbout;
  /** The domains, hostnames or sets of names, from `limitSubjects`, whose orders have to wait. */
  subjects: readonly string[];
  /** How long to wait, in milliseconds, if the authority names no time. */
  waitMs: number;
  /** The longest wait that we accept from the authority. A limit on one hostname must not block other hostnames for long. */
  maxWaitMs: number;
}

/**
 * Determines what a rate limit applies to. ACME has no field for the scope of a limit, so this function looks for known phrases in the
 * authority's text. If there are none, it assumes that the limit applies to the order's registrable domain. If it assumed the whole
 * account, one hostname could block all others.
 * @param names the order's names. Empty if the request was not for an order; the limit then applies to all requests.
 */
export function rateLimitOf(problem: AcmeProblem, names: readonly string[]): RateLimit {
  const text = wordsOf(problem);
  const { about, waitMs, maxWaitMs } =
    names.length === 0 || isOverloaded(problem)
      ? { ...OVERLOADED, ...WORDINGS.find(({ says, about }) => about === 'authority' && text.includes(says)) }
      : { ...UNKNOWN, ...WORDINGS.find(({ says }) => text.includes(says)) };
  const subjects = limitSubjects(names)[about];
  const mentioned = about === 'hostname' ? subjects.filter((name) => mentions(text, name)) : [];
  return { about, subjects: mentioned.length > 0 ? mentioned : subjects, waitMs, maxWaitMs };
}

/** Returns the values to which a rate limit applies in an order for these names, by the scope of the limit. */
export function limitSubjects(names: readonly string[]): Readonly<Record<LimitAbout, readonly string[]>> {
  return {
    authority: [''],
    domain: [...new Set(names.map((name) => registrableDomain(name) ?? name))],
    hostname: names,
    names: [exactSet(names)],
  };
}

/** Joins the names into one key, in sorted order, because authorities compare names as sets. */
export function exactSet(names: readonly string[]): string {
  return names.toSorted().join(',');
}

const FOR_ALL = { about: 'authority', waitMs: 10 * MINUTE_MS, maxWaitMs: HOUR_MS } as const;
const FOR_SOME = { waitMs: DAY_MS, maxWaitMs: 7 * DAY_MS } as const;
const OVERLOADED = FOR_ALL;
const UNKNOWN = { about: 'domain', waitMs: 10 * MINUTE_MS, maxWaitMs: DAY_MS } as const;

/** Phrases that authorities use, in lowercase. The first match decides. */
const WORDINGS: readonly ({ says: string } & Omit<RateLimit, 'subjects'>)[] = [
  // Let's Encrypt: boulder, ratelimits/limiter.go. Until 2025, the text was "exact set of domains".
  { says: 'exact set of', ...FOR_SOME, about: 'names' },
  { says: 'too many certificates', ...FOR_SOME, about: 'domain' },
  { says: 'too many failed authorizations', ...FOR_SOME, about: 'hostname', waitMs: HOUR_MS },
  { says: 'too many new orders', ...FOR_ALL },
  { says: 'too many new registrations', ...FOR_ALL },
  // The text of boulder until 2024.
  { says: 'too many registrations', ...FOR_ALL },
  { says: 'too many currently pending authorizations', ...FOR_ALL },
  // The text that the load balancer in front of boulder sends.
  { says: 'service busy', ...FOR_ALL, waitMs: MINUTE_MS },
  // Google: "is over quota (30 requests in 60 seconds) for the given ACME resource".
  { says: 'is over quota', ...FOR_ALL, waitMs: MINUTE_MS },
];

/**
 * Returns true for any response without an ACME type, such as a load balancer's 429, and for any 5xx. Such a response is not about a
 * hostname.
 */
function isOverloaded({ type, status }: AcmeProblem): boolean {
  return type === null || (status !== null && status >= 500);
}

function wordsOf({ detail, subproblems }: AcmeProblem): string {
  return [detail, ...subproblems.map((each) => `${each.detail} "${each.name}"`)].join('\n').toLowerCase();
}

/** Returns true if the text mentions the whole name: `careers.acme.com` does not mention `acme.com`. */
function mentions(text: string, name: string): boolean {
  const escaped = name.replaceAll('.', '\\.');
  return new RegExp(`(?<![a-z0-9.-])${escaped}(?![a-z0-9-]|\\.[a-z0-9])`).test(text);
}
