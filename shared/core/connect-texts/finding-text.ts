import type { CertificateReason } from '../certificates/certificate-reasons.ts';
import type { Finding } from '../dns/dns-finding.ts';
import type { DNS_REASONS } from '../dns/dns-reasons.ts';
import { fillHint, REASONS } from '../reasons.ts';
import type { LanguageTag } from './language.ts';
import { fill } from './text.ts';

/** The reasons that a customer can see on the connect page. The others are about the app's origin, or have a status of their own. */
export type ShownReason =
  | keyof typeof DNS_REASONS
  | CertificateReason
  | 'hostname_routed_elsewhere'
  | 'whitelabel_unverified'
  | 'whitelabel_ended';

/** The name of a finding, its meaning, and the next action. The hint has the syntax of `Reason.hint`, and `{app}`. */
export interface FindingText {
  readonly title: string;
  readonly meaning: string;
  readonly hint: string;
}

export interface FindingTexts {
  findings: Readonly<Record<ShownReason, FindingText>>;
  waits: { readonly fewMinutes: string; readonly atMost: string };
}

/** Returns true for a reason that the catalogs of the languages explain. */
export function isShownReason(findings: FindingTexts['findings'], code: string): code is ShownReason {
  return Object.hasOwn(findings, code);
}

/** Returns the texts of a finding in a language, with its facts and the app's name filled in. */
export function findingText(
  tag: LanguageTag,
  { findings, waits }: FindingTexts,
  finding: Finding,
  app: string,
): FindingText {
  if (!isShownReason(findings, finding.code)) {
    const { title, meaning } = REASONS[finding.code];
    return { title, meaning, hint: finding.hint };
  }
  const { title, meaning, hint } = findings[finding.code];
  const { wait, ...facts } = factsOf(finding);
  const known = { ...facts, app, ...(wait !== undefined && { wait: waitText(tag, waits, wait) }) };
  return {
    title: fill(title, { app }),
    meaning: fill(meaning, { app }),
    hint: fillHint(hint, known, { wait: waits.fewMinutes }),
  };
}

/**
 * Returns the facts of a finding. A stored finding has them only in its English hint, beside the record and the values. Each language
 * fills them into a hint of its own.
 */
export function factsOf({ code, record, expected, found, hint }: Finding): Record<string, string> {
  const reason = REASONS[code];
  const facts = {
    ...record,
    ...(expected !== reason.expected && { expected }),
    ...(found !== null && { found }),
  };
  // The values that are known otherwise are matched as they are, so that only a name, a type and a wait are read from the hint.
  const source = reason.hint
    .split(/(\[[^\]]*\]|\{[a-z]+\})/)
    .map((part) => patternOf(part, facts))
    .join('');
  const read = new RegExp(`^${source}$`, 's').exec(hint)?.groups ?? {};
  const given = Object.entries(read).filter(([, text]) => text !== undefined);
  return Object.fromEntries([...given, ...Object.entries(facts)]);
}

function patternOf(part: string, facts: Readonly<Record<string, string>>): string {
  if (part.startsWith('[')) {
    const inner = part
      .slice(1, -1)
      .split(/(\{[a-z]+\})/)
      .map((each) => patternOf(each, facts));
    // A part whose facts are all known is in the hint. Any other may be left out.
    const isKnown = [...part.matchAll(/\{([a-z]+)\}/g)].every(([, name = '']) => name in facts);
    return `(?:${inner.join('')})${isKnown ? '' : '?'}`;
  }
  const name = /^\{([a-z]+)\}$/.exec(part)?.[1];
  if (name === undefined) return literal(part);
  return facts[name] === undefined ? `(?<${name}>.+?)` : literal(facts[name]);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Puts a wait of the catalog, `at most 300 seconds` or a time in RFC 3339, into a language. */
function waitText(tag: LanguageTag, waits: FindingTexts['waits'], wait: string): string {
  const [, count, unit] = /^at most (\d+) (second|minute|hour)s$/.exec(wait) ?? [];
  if (unit !== undefined) {
    const format = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'long' });
    return fill(waits.atMost, { duration: format.format(Number(count)) });
  }
  const at = /^\d{4}-\d\d-\d\dT/.test(wait) ? Date.parse(wait) : Number.NaN;
  if (Number.isNaN(at)) return wait === 'a few minutes' ? waits.fewMinutes : wait;
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(at)} UTC`;
}
