import { domainToUnicode } from 'node:url';

/**
 * A hostname as people write it, e.g. `bücher.example` for `xn--bcher-kva.example`; null where it is written like that
 * already, or where some label could be taken for another (UTS #39). It may stand beside the ASCII form, never instead of it.
 */
export function unicodeHostname(hostname: string): string | null {
  const labels = hostname.split('.');
  const encoded = labels.filter((label) => label.startsWith('xn--'));
  if (encoded.length === 0 || !encoded.map(domainToUnicode).every(isPlain)) return null;
  return labels.map((label) => (label.startsWith('xn--') ? domainToUnicode(label) : label)).join('.');
}

/** A label of one writing system, with digits and hyphens, that is not a disguise. */
function isPlain(label: string): boolean {
  return WRITING_SYSTEMS.some((letters) => letters.test(label)) && !LOOKS_LATIN.test(label);
}

const WRITING_SYSTEMS: readonly RegExp[] = [
  // European Latin without dotless i, kra, long s and the middle dots, which pass for other letters.
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

/** Of nothing but Cyrillic and Greek letters that look like Latin ones. */
const LOOKS_LATIN = /^[-0-9асԁеһіјӏорԛѕԝхуъьҽпгѵѡαικνρυωηοτ]+$/u;
