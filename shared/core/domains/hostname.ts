import { domainToASCII, domainToUnicode } from 'node:url';
import { getDomain, parse } from 'tldts';
import { ServiceError } from '../errors.ts';
import type { Branded } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { printable, quoted, quotedUrl } from '../text/printable.ts';

/** A customer's valid hostname in lowercase ASCII, outside the service's zones. Only `parseHostname` creates one. */
export type Hostname = Branded<string, 'Hostname'>;

export interface ParsedHostname {
  hostname: Hostname;
  /** The registrable domain, e.g. `acme.co.uk`, according to the Public Suffix List with its private section. */
  registrable: string;
  is_apex: boolean;
  /** The name as a DNS panel expects it: `@` at the apex, else the labels before the registrable domain. */
  relativeName: string;
}

/**
 * Parses a hostname as a customer may type it (`docs/domains.md`).
 * @param serviceZones lowercase ASCII, no trailing dot.
 * @throws ServiceError `invalid_hostname`, `hostname_is_service` or `hostname_is_public_suffix`. It throws no other error.
 */
export function parseHostname(input: string, serviceZones: readonly string[]): ParsedHostname {
  const read = readLabels(input);
  const problem = !read.ok ? read.problem : isPublicSuffix(read.name) ? null : oneLabelProblem(read.name);
  if (!read.ok || problem !== null) {
    throw new ServiceError('invalid_hostname', {
      message: `${quotedUrl(input)} is not a valid hostname: ${problem}.`,
    });
  }
  const { name } = read;
  const zone = serviceZones.find((each) => isUnder(name, each));
  if (zone !== undefined) {
    throw new ServiceError('hostname_is_service', {
      message: `${name} is in ${zone}, one of the service's own zones.`,
    });
  }
  const registrable = registrableDomain(name);
  if (registrable === null) {
    throw new ServiceError('hostname_is_public_suffix', {
      message: `${name} is a public suffix, under which others register names.`,
      fix: `Use a name below ${name} that your customer owns.`,
    });
  }
  const isApex = name === registrable;
  const relativeName = isApex ? '@' : name.slice(0, -registrable.length - 1);
  return { hostname: name as Hostname, registrable, is_apex: isApex, relativeName };
}

/** Special-use names that resolve only inside one machine or network, or not at all: RFC 6761, 6762, 7686, 8375, and ICANN's `internal`. */
const NOT_PUBLIC = ['localhost', 'local', 'internal', 'home.arpa', 'invalid', 'onion'] as const;

/** Returns the special-use zone that contains a name, such as `local`; null if the name can be in the public DNS. */
export function specialZoneOf(name: string): string | null {
  return NOT_PUBLIC.find((each) => isUnder(name, each)) ?? null;
}

/**
 * Refuses a hostname for which no customer can set a record in the public DNS. Test domains may use such hostnames. `test` is allowed,
 * because it is reserved for trials with one's own DNS servers (RFC 6761 section 6.2).
 * @param allowLoopback true in the emulator, which runs on the same machine as `localhost`.
 * @throws ServiceError `invalid_hostname`.
 */
export function checkIsPublic(hostname: string, { allowLoopback }: { allowLoopback: boolean }): void {
  const zone = isUnder(hostname, 'arpa') ? 'arpa' : (specialZoneOf(hostname) ?? unknownTopLevel(hostname));
  if (zone === null || zone === 'test' || (zone === 'localhost' && allowLoopback)) return;
  throw new ServiceError('invalid_hostname', {
    message: `${hostname} is not a valid hostname: customers cannot have a name under ${zone} in the public DNS.`,
    fix: 'Use the exact hostname that your customer owns, such as careers.acme.com. With a test key, any name works.',
  });
}

/** Returns the last label of a name if the Public Suffix List does not have it; null if the list has it. */
function unknownTopLevel(name: string): string | null {
  const topLevel = name.slice(name.lastIndexOf('.') + 1);
  return parse(topLevel, AS_READ).isIcann ? null : topLevel;
}

function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(name, AS_READ);
  return publicSuffix === name && (isIcann === true || isPrivate === true);
}

/** Returns why public certificate authorities may refuse a hostname of this form, or null if the form is usual. */
export function certificateDoubt(hostname: string): string | null {
  const labels = hostname.split('.');
  // CA/Browser Forum, Baseline Requirements, section 7.1.4.2.1: labels such as `ab--cd` are reserved (RFC 5890 section 2.3.1).
  const reserved = labels.find((label) => label.slice(2, 4) === '--' && !label.startsWith('xn--'));
  if (reserved !== undefined)
    return `the label ${quoted(reserved)} has hyphens in its third and fourth place`;
  // The limits of boulder (policy/pa.go).
  if (labels.length > 10) return `it has ${labels.length} labels, and Let's Encrypt permits 10`;
  return hostname.length > 230
    ? `it has ${hostname.length} characters, and some authorities permit 230`
    : null;
}

/** Returns true if a name is the zone or below it. Compares whole labels: `notacme.com` is not under `acme.com`. */
export function isUnder(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** Returns the name without its leading `www.`; null if it has none. */
export function apexOf(hostname: string): string | null {
  return hostname.startsWith('www.') ? hostname.slice(4) : null;
}

/** Returns the names of all holds that can cover a hostname: the hostname, and `*.name` for each name above the hostname. */
export function coveringHolds(hostname: string): string[] {
  const covering = [hostname];
  for (let dot = hostname.indexOf('.'); dot >= 0; dot = hostname.indexOf('.', dot + 1)) {
    covering.push(`*${hostname.slice(dot)}`);
  }
  return covering;
}

/** Returns the registrable domain of a name that `readName` returned; null for a public suffix. */
export function registrableDomain(name: string): string | null {
  return getDomain(name, AS_READ);
}

/** Options of the parser for names that `readName` has already checked. */
const AS_READ = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

/** Returns a stored hostname as a DNS panel expects it: `@` at the apex, else the labels before the registrable domain. */
export function relativeName({ hostname, is_apex }: { hostname: string; is_apex: boolean }): string {
  const registrable = registrableDomain(hostname);
  return is_apex || registrable === null ? '@' : hostname.slice(0, -registrable.length - 1);
}

/**
 * Parses any hostname in the public DNS, such as a customer's hostname or the host of an origin. Applies UTS #46, then allows only letters,
 * digits and hyphens.
 * @returns the name in lowercase ASCII without a trailing dot, or a clause that says what is wrong with the input.
 */
export function readName(input: string): { ok: true; name: string } | { ok: false; problem: string } {
  const read = readLabels(input);
  const problem = read.ok ? oneLabelProblem(read.name) : null;
  return problem === null ? read : { ok: false, problem };
}

function oneLabelProblem(name: string): string | null {
  return name.includes('.') ? null : 'it has only one label, and needs at least two';
}

function readLabels(input: string): { ok: true; name: string } | { ok: false; problem: string } {
  const problem = inputProblem(input);
  if (problem !== null) return { ok: false, problem };
  const ascii = domainToASCII(input);
  if (ascii === '') return { ok: false, problem: unmappedProblem(input) };
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  const wrong = nameProblem(name);
  return wrong === null ? { ok: true, name } : { ok: false, problem: wrong };
}

/** Characters that show what the caller sent instead of a hostname, each with the problem to report. */
const TELLING: Readonly<Record<string, string>> = {
  '*': 'wildcards are not allowed',
  '/': 'it has a path',
  ':': 'it has a port, or is an IPv6 address',
  '@': 'it has a user name, or is an email address',
  '[': 'it is an IPv6 address',
  _: 'underscores are not allowed',
  ' ': 'it has a space',
};

/**
 * Finds problems before the input goes to `domainToASCII`. That function parses its input as part of a URL: it decodes percent escapes,
 * drops tabs and line ends, and cuts the input at `/`, `?`, `#` and `\`.
 */
function inputProblem(input: string): string | null {
  if (input === '') return 'it is empty';
  if (input.length > LIMITS.hostname_body_chars_max) {
    return `it has ${input.length} characters, more than ${LIMITS.hostname_body_chars_max}`;
  }
  const scheme = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.exec(input);
  if (scheme !== null) return `it has a scheme (${printable(scheme[0])})`;
  const found = /[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u.exec(input)?.[0];
  if (found === undefined) return null;
  return TELLING[found] ?? `the character ${quoted(found)} is not allowed`;
}

/** Explains why `domainToASCII` returned an empty string. */
function unmappedProblem(input: string): string {
  const labels = input.split(/[.\u3002\uff0e\uff61]/u);
  const wrong = labels.find((label) => label !== '' && domainToASCII(label) === '');
  if (wrong !== undefined)
    return `the label ${quoted(wrong)} has characters that UTS #46 does not allow in a name`;
  const last = labels.findLast((label) => label !== '') ?? '';
  // If the last label of a name is a number, even in hex or octal, a URL parser reads the name as an IPv4 address or rejects the name.
  if (domainToASCII(`a.${last}`) === '')
    return `it ends in ${quoted(last)}, which is read as part of an IPv4 address`;
  return 'UTS #46 does not allow its labels together (mixed writing directions)';
}

function nameProblem(name: string): string | null {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  if (/^[0-9]+$/.test(last)) {
    if (labels.length !== 4) return `its last label, "${printable(last)}", is all digits`;
    return `it is read as the IPv4 address ${printable(name)}`;
  }
  for (const label of labels) {
    const problem = labelProblem(label);
    if (problem !== null) return problem;
  }
  if (name.length > LIMITS.hostname_chars_max) {
    return `it has ${name.length} characters in ASCII, more than ${LIMITS.hostname_chars_max}`;
  }
  return null;
}

function labelProblem(label: string): string | null {
  if (label === '') return 'it has an empty label (two dots together, or a dot at the start or end)';
  if (label.length > 63)
    return `the label ${quoted(label, 20)} has ${label.length} characters in ASCII, more than 63`;
  if (!/^[a-z0-9-]+$/.test(label))
    return `the label ${quoted(label)} has characters other than letters, digits and hyphens`;
  if (label.startsWith('-') || label.endsWith('-'))
    return `the label ${quoted(label)} starts or ends with a hyphen`;
  // `domainToASCII` does not check ASCII labels. UTS #46 requires that a label with the punycode prefix can be decoded.
  if (label.startsWith('xn--') && domainToUnicode(label).startsWith('xn--')) {
    return `the label ${quoted(label)} is not valid punycode`;
  }
  return null;
}

/**
 * Returns a hostname in its Unicode form, e.g. `bücher.example` for `xn--bcher-kva.example`. Returns null if it has no encoded label, or if
 * a label could be mistaken for another (UTS #39). Show the ASCII form beside the result.
 */
export function unicodeHostname(hostname: string): string | null {
  return isEncoded(hostname) && !imitates(hostname) ? decoded(hostname) : null;
}

/**
 * Returns the Unicode form of a hostname that could be mistaken for another hostname; null for any other. Show it only with a warning, and
 * never instead of the ASCII form.
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
