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
      /** The name that decided, by its records or by its failed lookup. */
      at: string;
      /** The records in presentation form, or the reason why the lookup failed. Untrusted text. */
      found: string;
    };

/**
 * Decides whether a certificate authority known by one of `issuers` may issue for the hostname (RFC 8659, with `accounturi` and
 * `validationmethods` of RFC 8657). The closest set of records between the hostname and the root decides. If a name is a CNAME, the records
 * of its target count. If a lookup failed or was not made, the order is forbidden, unless a closer set has decided.
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
 * Returns the closest set of CAA records to the hostname, which decides. Returns an empty list if there is none, or if a closer lookup
 * failed.
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

/** Returns the name and every name above it. Leaves out the root, whose zone has no CAA records. */
function upwards(hostname: string): string[] {
  const labels = hostname.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

interface CaaSet {
  failure: string | null;
  records: readonly SeenRecord[];
}

/** Returns the set of records at a name. The server or resolver follows CNAMEs, so the records are those at the end of the chain. */
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
  /** Lowercase, because tags are case-insensitive. */
  tag: string;
  value: string;
}

/** The parsed value of an `issue` or `issuewild` property (RFC 8659 section 4.2). */
export interface CaaIssuer {
  /** Lowercase; empty if the property names no issuer. */
  domain: string;
  /** Values by lowercase tag. */
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
 * @returns null if the value breaks the grammar. It then allows no issuer (RFC 8659 section 4.2). Repeating a parameter breaks the
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

/** Bit 0 of the flags, the most significant one (RFC 8659 section 4.1.1). */
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
