import { readName } from '../domains/hostname.ts';

/** RFC 5321 section 4.5.3.1: at most 64 octets before the @. A path has 256 octets, which leaves 254 for the address. */
const LOCAL_CHARS_MAX = 64;
const ADDRESS_CHARS_MAX = 254;
/** RFC 5322's dot-atom. It excludes quoted strings, comments, display names and line ends. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/**
 * Parses one email address as a person types it. The result is the form that mail is sent to, with the domain in lowercase ASCII.
 * @returns null if the input is not a single plain address.
 */
export function parseMailAddress(input: string): string | null {
  const text = input.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  if (local.length > LOCAL_CHARS_MAX || !LOCAL.test(local)) return null;
  const read = readName(text.slice(at + 1));
  if (!read.ok) return null;
  const address = `${local}@${read.name}`;
  return address.length > ADDRESS_CHARS_MAX ? null : address;
}
