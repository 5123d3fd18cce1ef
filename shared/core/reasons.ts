import { CERTIFICATE_REASONS } from './certificates/certificate-reasons.ts';
import { DNS_REASONS } from './dns/dns-reasons.ts';
import type { StatusDetail } from './domains/domain.ts';
import { OTHER_REASONS } from './other-reasons.ts';
import { printable } from './text/printable.ts';

/**
 * The catalog of status reasons, which the API shows, the docs explain, and test hostnames can force. Among reasons of the same severity,
 * the reasons closer to the cause come first.
 */
export const REASONS = { ...DNS_REASONS, ...CERTIFICATE_REASONS, ...OTHER_REASONS } as const satisfies Record<
  string,
  Reason
>;
export type ReasonCode = keyof typeof REASONS;

export const REASON_CODES = Object.keys(REASONS) as readonly ReasonCode[];

/** Returns true if this version knows a stored `status_reason`. */
export function isReasonCode(text: string): text is ReasonCode {
  return Object.hasOwn(REASONS, text);
}

/** Compares two reasons for a sort: the more severe reason first, then by position in the catalog. */
export function compareReasons(a: ReasonCode, b: ReasonCode): number {
  const bySeverity = RANK[REASONS[a].severity] - RANK[REASONS[b].severity];
  return bySeverity !== 0 ? bySeverity : REASON_CODES.indexOf(a) - REASON_CODES.indexOf(b);
}

/** Returns the most severe of several findings' reasons, which becomes `status_reason`. Returns null if there are none. */
export function mostSevere(codes: readonly ReasonCode[]): ReasonCode | null {
  return codes.toSorted(compareReasons)[0] ?? null;
}

/** Facts that a check found. `found` comes from untrusted DNS, so `reasonDetail` shortens and escapes this text. */
export interface ReasonFacts {
  /** The value that the record should have. Defaults to the catalog's `expected`. */
  expected?: string | null;
  found?: string | null;
  /** The record's name as a DNS panel expects it, e.g. `careers` or `@`. */
  name?: string;
  /** The record's type, e.g. `CNAME`. */
  type?: string;
  /** How long to wait, in words, e.g. `at most 300 seconds`. */
  wait?: string;
}

/** Returns the `status_detail` of `docs/api.md#domain`: the reason's hint with the facts filled in. */
export function reasonDetail(code: ReasonCode, facts: ReasonFacts = {}): StatusDetail {
  const reason: Reason = REASONS[code];
  const known: Record<string, string> = {};
  for (const [key, fact] of Object.entries(facts)) {
    if (typeof fact === 'string' && fact !== '') known[key] = printable(fact, FACT_CHARS_MAX);
  }
  const expected = known['expected'] ?? reason.expected;
  const hint = fillHint(reason.hint, known, { wait: 'a few minutes' });
  return { expected, found: known['found'] ?? null, hint };
}

/**
 * Fills facts into a hint. Decides first which bracketed parts stay, then fills in all facts at once, so that no fact is read as part of
 * the hint.
 * @param otherwise the texts for unknown placeholders outside of brackets.
 */
export function fillHint(
  hint: string,
  known: Readonly<Record<string, string>>,
  otherwise: Readonly<Record<string, string>>,
): string {
  const values: Readonly<Record<string, string>> = { ...otherwise, ...known };
  return hint
    .replace(/\[([^\]]*)\]/g, (_, part: string) =>
      placeholders(part).every((key) => key in known) ? part : '',
    )
    .replace(PLACEHOLDER, (placeholder, key: string) => values[key] ?? placeholder);
}

const PLACEHOLDER = /\{([a-z]+)\}/g;

function placeholders(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, key = '']) => key);
}

/** Maximum length of a fact. It is enough for a long TXT value or a list of addresses. */
const FACT_CHARS_MAX = 512;

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/**
 * How serious a reason is. `error`: the domain does not work until someone changes something. `warning`: the domain may fail. `info`: no
 * one has to change anything.
 */
export type Severity = 'error' | 'warning' | 'info';
export type ReasonGroup = 'dns' | 'ca' | 'origin' | 'whitelabel' | 'other';

/** A row of the catalog of status reasons, with texts for the person who reads them in a dashboard. */
export interface Reason {
  group: ReasonGroup;
  severity: Severity;
  /** Whether a later check or attempt may succeed even if nothing is changed. */
  retryable: boolean;
  title: string;
  /** The title in at most 30 characters, for a line of a list. */
  short: string;
  /** Says what was found, and why it matters. */
  meaning: string;
  /**
   * Says what to do. `reasonDetail` fills in `{name}`, `{type}`, `{expected}`, `{found}` and `{wait}`. If a fact in brackets is not known,
   * the whole part in brackets is left out.
   */
  hint: string;
  /** Default of `status_detail.expected`, for checks without a more specific value. */
  expected: string;
}
