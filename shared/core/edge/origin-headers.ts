import type { FieldProblem } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { ServiceNames } from '../service-name.ts';
import { printable, quoted } from '../text/printable.ts';

export type OriginHeaders = Record<string, string>;

export const ORIGIN_HEADER_NAME = /^X-[A-Za-z0-9-]+$/;

/**
 * Validates `origin_headers` (`docs/domains.md`). `null` and `{}` both remove all headers.
 * @returns the headers unchanged, or every problem that was found.
 */
export function parseOriginHeaders(
  value: unknown,
  names: Pick<ServiceNames, 'origin_header_prefix'>,
): { ok: true; value: OriginHeaders | null } | { ok: false; problem: FieldProblem[] } {
  if (value === null) return { ok: true, value: null };
  if (typeof value !== 'object' || Array.isArray(value)) {
    return {
      ok: false,
      problem: [{ path: 'origin_headers', message: 'must be an object of names to values, or null' }],
    };
  }
  const entries = Object.entries(value);
  if (entries.length > LIMITS.origin_headers_max) {
    const message = `has ${entries.length} headers, at most ${LIMITS.origin_headers_max} are allowed`;
    return { ok: false, problem: [{ path: 'origin_headers', message }] };
  }
  const problems: FieldProblem[] = [];
  const headers: [string, string][] = [];
  const seen = new Set<string>();
  for (const [name, text] of entries) {
    const key = name.toLowerCase();
    const message =
      nameProblem(name, names.origin_header_prefix) ??
      (seen.has(key) ? 'is given twice' : valueProblem(text));
    seen.add(key);
    if (message !== null) problems.push({ path: `origin_headers.${printable(name)}`, message });
    else if (typeof text === 'string') headers.push([name, text]);
  }
  if (problems.length > 0) return { ok: false, problem: problems };
  return { ok: true, value: headers.length === 0 ? null : Object.fromEntries(headers) };
}

function nameProblem(name: string, servicePrefix: string): string | null {
  if (!ORIGIN_HEADER_NAME.test(name)) return 'must be X- followed by letters, digits and hyphens';
  const charsMax = LIMITS.origin_header_name_chars_max;
  if (name.length > charsMax) return `must have at most ${charsMax} characters`;
  const reserved = [servicePrefix, 'X-Forwarded-'].find((prefix) =>
    name.toLowerCase().startsWith(prefix.toLowerCase()),
  );
  return reserved === undefined ? null : `must not start with ${reserved}, which only the service sets`;
}

function valueProblem(text: unknown): string | null {
  if (typeof text !== 'string') return 'must be a string';
  if (text === '' || text.length > LIMITS.origin_header_value_chars_max) {
    return `must have 1 to ${LIMITS.origin_header_value_chars_max} characters`;
  }
  const found = /[^\x20-\x7e]/u.exec(text)?.[0];
  if (found !== undefined) return `must be visible ASCII and spaces, but has ${quoted(found)}`;
  // Whitespace around a value is not part of the value (RFC 9110 section 5.5), so the origin would not get the value that is stored here.
  return /^ | $/.test(text) ? 'must not begin or end with a space, because HTTP removes it' : null;
}
