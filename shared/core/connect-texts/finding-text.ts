import type { CertificateReason } from '../certificates/certificate-reasons.ts';
import type { Finding } from '../dns/dns-finding.ts';
import type { DNS_REASONS } from '../dns/dns-reasons.ts';
import { fillHint, REASONS } from '../reasons.ts';
import type { LanguageTag } from './language.ts';
import { fill } from './text.ts';

/** The reasons that a customer can see on the connect page. The other reasons are about the app's origin, or have a status of their own. */
export type ShownReason =
  | keyof typeof DNS_REASONS
  | CertificateReason
  | 'hostname_routed_elsewhere'
  | 'whitelabel_unverified'
  | 'whitelabel_ended';

/**
 * The name of a finding, its meaning, and the next action. The hint has the placeholders of `Reason.hint`, and `{app}` for the app's name.
 */
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
 * Returns the facts of a finding. A stored finding has some facts only in the text of its English hint, so this function reads them back
 * from that text. Each language fills the facts into its own hint.
 */
export function factsOf({ code, record, expected, found, hint }: Finding): Record<string, string> {
  const reason = REASONS[code];
  const facts = {
    ...record,
    ...(expected !== reason.expected && { expected }),
    ...(found !== null && { found }),
  };
  // Facts that the finding has in fields are matched literally, so that only a name, a type and a wait are read from the hint.
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
    // If all facts of a bracketed part are known, the hint contains the part. Otherwise the part may be missing.
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

/** Translates a wait from the English hint, such as `at most 300 seconds` or a time in RFC 3339. */
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
