import { registrableDomain } from '../domains/hostname.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../instant.ts';
import type { AcmeProblem } from './acme-problem.ts';

/** Whom a certificate authority asks to wait: all that asks it, or orders with a registrable domain, a hostname, an exact set of names. */
export const LIMIT_ABOUTS = ['authority', 'domain', 'hostname', 'names'] as const;
export type LimitAbout = (typeof LIMIT_ABOUTS)[number];

export interface RateLimit {
  about: LimitAbout;
  /** Of `limitSubjects`, those that have to wait. */
  subjects: readonly string[];
  /** Where the authority does not say for how long. */
  wait_ms: number;
  /** What is believed of what it says. One hostname must not keep the others waiting for long, whatever it says. */
  wait_ms_max: number;
}

/**
 * What a rate limit is about. ACME gives that no field, so it is read from the words. Words that nobody knows are about the order that
 * they answer: to take them for the account's would let one hostname stop all the others.
 * @param names of the order; empty where no order was asked for, and all have to wait.
 */
export function rateLimitOf(problem: AcmeProblem, names: readonly string[]): RateLimit {
  const text = wordsOf(problem);
  const { about, wait_ms, wait_ms_max } =
    names.length === 0 || isOverloaded(problem)
      ? { ...OVERLOADED, ...WORDINGS.find(({ says, about }) => about === 'authority' && text.includes(says)) }
      : { ...UNKNOWN, ...WORDINGS.find(({ says }) => text.includes(says)) };
  const subjects = limitSubjects(names)[about];
  const mentioned = about === 'hostname' ? subjects.filter((name) => mentions(text, name)) : [];
  return { about, subjects: mentioned.length > 0 ? mentioned : subjects, wait_ms, wait_ms_max };
}

/** Everything by which an order of these names can be limited. */
export function limitSubjects(names: readonly string[]): Readonly<Record<LimitAbout, readonly string[]>> {
  return {
    authority: [''],
    domain: [...new Set(names.map((name) => registrableDomain(name) ?? name))],
    hostname: names,
    names: [exactSet(names)],
  };
}

/** As authorities compare them: without regard to the order. */
export function exactSet(names: readonly string[]): string {
  return names.toSorted().join(',');
}

const FOR_ALL = { about: 'authority', wait_ms: 10 * MINUTE_MS, wait_ms_max: HOUR_MS } as const;
const FOR_SOME = { wait_ms: DAY_MS, wait_ms_max: 7 * DAY_MS } as const;
const OVERLOADED = FOR_ALL;
const UNKNOWN = { about: 'domain', wait_ms: 10 * MINUTE_MS, wait_ms_max: DAY_MS } as const;

/** What authorities are known to say, in lowercase. The first that fits decides. */
const WORDINGS: readonly ({ says: string } & Omit<RateLimit, 'subjects'>)[] = [
  // Let's Encrypt: boulder, ratelimits/limiter.go. "exact set of domains" until 2025.
  { says: 'exact set of', ...FOR_SOME, about: 'names' },
  { says: 'too many certificates', ...FOR_SOME, about: 'domain' },
  { says: 'too many failed authorizations', ...FOR_SOME, about: 'hostname', wait_ms: HOUR_MS },
  { says: 'too many new orders', ...FOR_ALL },
  { says: 'too many new registrations', ...FOR_ALL },
  // The same, until 2024.
  { says: 'too many registrations', ...FOR_ALL },
  { says: 'too many currently pending authorizations', ...FOR_ALL },
  // boulder, wfe2/wfe.go: names that have failed for weeks, until the account's owner asks for them again.
  { says: 'temporarily prevented from requesting certificates', ...FOR_SOME, about: 'hostname' },
  // What stands before boulder.
  { says: 'service busy', ...FOR_ALL, wait_ms: MINUTE_MS },
  // Google: "is over quota (30 requests in 60 seconds) for the given ACME resource".
  { says: 'is over quota', ...FOR_ALL, wait_ms: MINUTE_MS },
];

/** A load balancer that answers 429 in its own words, and any 5xx, know of no hostname. */
function isOverloaded({ type, status }: AcmeProblem): boolean {
  return type === null || (status !== null && status >= 500);
}

function wordsOf({ detail, subproblems }: AcmeProblem): string {
  return [detail, ...subproblems.map((each) => `${each.detail} "${each.name}"`)].join('\n').toLowerCase();
}

/** Whole: `acme.com` is not mentioned in `careers.acme.com`. */
function mentions(text: string, name: string): boolean {
  const escaped = name.replaceAll('.', '\\.');
  return new RegExp(`(?<![a-z0-9.-])${escaped}(?![a-z0-9-]|\\.[a-z0-9])`).test(text);
}
