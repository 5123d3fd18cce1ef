import { domainToUnicode } from 'node:url';

/**
 * Returns a hostname in its Unicode form, e.g. `bücher.example` for `xn--bcher-kva.example`. Returns null if it has no encoded label, or if
 * a label could be mistaken for another (UTS #39). Show the ASCII form beside the result.
 */
export function unicodeHostname(hostname: string): string | null {
  return isEncoded(hostname) && !imitates(hostname) ? decoded(hostname) : null;
}

/**
 * Returns the Unicode form of a hostname that could be mistaken for another, or null. Show it only with a warning, and never instead of the
 * ASCII form.
 */
export function lookAlikeHostname(hostname: string): string | null {
  return isEncoded(hostname) && imitates(hostname) ? decoded(hostname) : null;
}

function isEncoded(hostname: string): boolean {
  return hostname.split('.').some((label) => label.startsWith('xn--'));
}

function imitates(hostname: string): boolean {
  const encoded = hostname.split('.').filter((label) => label.startsWith('xn--'));
  return !encoded.map(domainToUnicode).every(isPlain);
}

function decoded(hostname: string): string {
  const labels = hostname.split('.');
  return labels.map((label) => (label.startsWith('xn--') ? domainToUnicode(label) : label)).join('.');
}

/** Returns true if a label uses one writing system, with digits and hyphens, and does not imitate another label. */
function isPlain(label: string): boolean {
  return WRITING_SYSTEMS.some((letters) => letters.test(label)) && !LOOKS_LATIN.test(label);
}

const WRITING_SYSTEMS: readonly RegExp[] = [
  // The letters of European Latin, without those that look like others: dotless i, kra, long s and the middle dots.
  /^[-a-z0-9ß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżž]+$/u,
  /^[-a-z0-9ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u,
  /^[-a-z0-9\p{Script=Han}\p{Script=Hangul}]+$/u,
  /^[-0-9\p{Script=Cyrillic}]+$/u,
  /^[-0-9\p{Script=Greek}]+$/u,
  /^[-0-9\p{Script=Arabic}]+$/u,
  /^[-0-9\p{Script=Hebrew}]+$/u,
  /^[-0-9\p{Script=Devanagari}]+$/u,
  /^[-0-9\p{Script=Thai}]+$/u,
];

/** Labels that consist only of Cyrillic and Greek letters that look like Latin ones. */
const LOOKS_LATIN = /^[-0-9асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτ]+$/u;
