import type { Lookup, SeenRecord } from './dns-survey.ts';

/** The certificate order that CAA records are checked for. */
export interface CaaOrder {
  /** The validation method, such as `http-01`. Null if it is not known yet; `validationmethods` is then ignored. */
  method: string | null;
  /** The URI of the ACME account. Null if it is not known yet; `accounturi` is then ignored. */
  accountUri: string | null;
  wildcard: boolean;
}

export type CaaVerdict =
  | { allowed: true }
  | {
      allowed: false;
      code: 'caa_forbids' | 'caa_lookup_failed';
      /** The name whose CAA records, or whose failed lookup, decided the verdict. */
      at: string;
      /** The records in presentation form, or the reason why the lookup failed. Untrusted text. */
      found: string;
    };

/**
 * Decides whether CAA records let a certificate authority issue for the hostname. `issuers` are the authority's names in these records (RFC
 * 8659, with `accounturi` and `validationmethods` of RFC 8657). The set of records closest to the hostname, on the way up to the root,
 * decides. At a CNAME, the records of the target decide. A failed or missing lookup forbids the order, unless a closer set has decided.
 * @param lookups CAA lookups for the hostname and every name above it, with CNAMEs followed.
 * @param issuers lowercase, e.g. `letsencrypt.org`.
 */
export function caaVerdict(
  lookups: readonly Lookup[],
  hostname: string,
  issuers: readonly string[],
  order: CaaOrder,
): CaaVerdict {
  for (const name of upwards(hostname)) {
    const { failure, records } = findSet(lookups, name);
    if (failure !== null) return { allowed: false, code: 'caa_lookup_failed', at: name, found: failure };
    if (records.length > 0) {
      const texts = records.map(({ value }) => value);
      if (allows(texts, issuers, order)) return { allowed: true };
      const found = texts.join(', ');
      return { allowed: false, code: 'caa_forbids', at: records[0]?.name ?? name, found };
    }
  }
  return { allowed: true };
}

/**
 * Returns the set of CAA records that decides: the set closest to the hostname. Returns an empty list if there is no set, or if the lookup
 * at a closer name failed.
 */
export function decidingCaa(lookups: readonly Lookup[], hostname: string): readonly SeenRecord[] {
  for (const name of upwards(hostname)) {
    const { failure, records } = findSet(lookups, name);
    if (failure !== null || records.length > 0) return records;
  }
  return [];
}

/** Returns false if the record, taken alone, forbids every order. @param text presentation form. */
export function isUnderstoodCaa(text: string): boolean {
  const record = readCaaRecord(text);
  return record !== null && !(record.critical && !UNDERSTOOD.has(record.tag));
}

/** Returns the name and every name above the name. Leaves out the root, whose zone has no CAA records. */
function upwards(hostname: string): string[] {
  const labels = hostname.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

interface CaaSet {
  failure: string | null;
  records: readonly SeenRecord[];
}

/**
 * Returns the set of CAA records at a name. If the name is a CNAME, these are the records of its target, because servers and resolvers
 * follow CNAMEs.
 */
function findSet(lookups: readonly Lookup[], name: string): CaaSet {
  const asked = lookups.filter((each) => each.name === name);
  const told = asked.find(({ outcome }) => outcome !== 'unknown');
  if (told === undefined) return { failure: asked[0]?.failure ?? 'not looked up', records: [] };
  return { failure: null, records: told.records.filter(({ type }) => type === 'CAA') };
}

/** Property tags that we understand (RFC 8659 section 4). An unknown critical tag forbids the order. */
const UNDERSTOOD: ReadonlySet<string> = new Set(['issue', 'issuewild', 'iodef', 'issuemail']);

function allows(texts: readonly string[], issuers: readonly string[], order: CaaOrder): boolean {
  if (!texts.every(isUnderstoodCaa)) return false;
  const records = texts.map(readCaaRecord).filter((record) => record !== null);
  const wild = order.wildcard ? records.filter(({ tag }) => tag === 'issuewild') : [];
  const deciding = wild.length > 0 ? wild : records.filter(({ tag }) => tag === 'issue');
  return deciding.length === 0 || deciding.some(({ value }) => names(readCaaIssuer(value), issuers, order));
}

function names(issuer: CaaIssuer | null, issuers: readonly string[], order: CaaOrder): boolean {
  if (issuer === null || !issuers.includes(issuer.domain)) return false;
  const account = issuer.parameters.get('accounturi');
  const methods = issuer.parameters.get('validationmethods');
  const fitsAccount = account === undefined || order.accountUri === null || account === order.accountUri;
  const fitsMethod =
    methods === undefined || order.method === null || methods.split(',').includes(order.method);
  return fitsAccount && fitsMethod;
}

/** One CAA property (RFC 8659 section 4.1). */
export interface CaaRecord {
  critical: boolean;
  /** The property's tag in lowercase, because tags are case-insensitive. */
  tag: string;
  value: string;
}

/** The parsed value of an `issue` or `issuewild` property (RFC 8659 section 4.2). */
export interface CaaIssuer {
  /** The issuer's domain in lowercase; empty if the property names no issuer. */
  domain: string;
  /** The values of parameters, by lowercase tag. */
  parameters: ReadonlyMap<string, string>;
}

/** Parses `<flags> <tag> "<value>"`. Returns null if the text is not a CAA record; the caller must then refuse to issue. */
export function readCaaRecord(text: string): CaaRecord | null {
  const match = /^(\d{1,3}) ([A-Za-z0-9]{1,255}) "((?:[^"\\]|\\.)*)"$/s.exec(text);
  if (match === null) return null;
  const [, flags = '', tag = '', value = ''] = match;
  if (Number(flags) > 255) return null;
  return { critical: (Number(flags) & CRITICAL) !== 0, tag: tag.toLowerCase(), value: unescaped(value) };
}

/**
 * Parses the value of an `issue` or `issuewild` property.
 * @returns null if the value breaks the grammar. Such a property allows no issuer (RFC 8659 section 4.2). A repeated parameter breaks the
 * grammar too (RFC 8657 section 3).
 */
export function readCaaIssuer(value: string): CaaIssuer | null {
  const [head = '', ...rest] = value.split(';').map(trimmed);
  if (head !== '' && !DOMAIN.test(head)) return null;
  const parameters = new Map<string, string>();
  // The domain may be followed by a single semicolon. After a parameter, another parameter must follow a semicolon.
  if (rest.length === 1 && rest[0] === '') return { domain: head.toLowerCase(), parameters };
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    const tag = trimmed(parameter.slice(0, Math.max(0, equals))).toLowerCase();
    const content = trimmed(parameter.slice(equals + 1));
    if (!LABEL.test(tag) || !/^[\x21-\x3a\x3c-\x7e]*$/.test(content) || parameters.has(tag)) return null;
    parameters.set(tag, content);
  }
  return { domain: head.toLowerCase(), parameters };
}

/** Bit 0 of the flags, which is the most significant bit (RFC 8659 section 4.1.1). */
const CRITICAL = 0x80;

const LABEL = /^[a-z0-9](?:-*[a-z0-9])*$/i;
const DOMAIN = /^[a-z0-9](?:-*[a-z0-9])*(?:\.[a-z0-9](?:-*[a-z0-9])*)*$/i;

/** Removes leading and trailing WSP (RFC 5234), which is only spaces and tabs. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
}

/** Decodes `\"`, `\\` and `\065` of the presentation form (RFC 1035 section 5.1). */
function unescaped(text: string): string {
  return text.replace(/\\(?:(\d{3})|(.))/gs, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCharCode(Number(code)),
  );
}
