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
