import { readName } from '../domains/hostname.ts';

/** RFC 5321 section 4.5.3.1: 64 octets before the @, and 254 in all that fit a path. */
const LOCAL_CHARS_MAX = 64;
const ADDRESS_CHARS_MAX = 254;
/** RFC 5322's dot-atom: no quoted strings, comments or display names, and nothing that ends a header line. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * Reads one e-mail address as a person types it, to the form that mail is sent to: the domain in lowercase ASCII.
 * @returns null for what is no single plain address.
 */
export function parseMailAddress(input: string): string | null {
  const text = input.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  if (local.length > LOCAL_CHARS_MAX || !LOCAL.test(local)) return null;
  const read = readName(text.slice(at + 1));
  if (!('name' in read)) return null;
  const address = `${local}@${read.name}`;
  return address.length > ADDRESS_CHARS_MAX ? null : address;
}
