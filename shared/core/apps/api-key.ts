import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { MODES, type Mode } from '../domains/status.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 26;
const CHECKSUM_CHARS = 6;
const KEY = new RegExp(`^sk_(${MODES.join('|')})_[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/**
 * `sk_live_` or `sk_test_`, 26 random characters (154 bits) and a checksum of all that precedes it (`docs/idempotency-and-rates.md`).
 * @param random returns so many bytes of a CSPRNG.
 */
export function makeApiKey(mode: Mode, random: (bytes: number) => Uint8Array): string {
  const body = `sk_${mode}_${randomText(random)}`;
  return body + checksum(body);
}

/** What a key says by itself, so that a mistyped one is refused without a database read; null when it is none. */
export function parseApiKey(text: string): { mode: Mode } | null {
  const named = KEY.exec(text)?.[1];
  const mode = MODES.find((each) => each === named);
  if (mode === undefined || checksum(text.slice(0, -CHECKSUM_CHARS)) !== text.slice(-CHECKSUM_CHARS))
    return null;
  return { mode };
}

/** The only form in which a key is stored: SHA-256 in hex. 154 random bits need no salt and no slow hash. */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** `prefix` of section 2.3: the first 12 characters. */
export function keyPrefix(text: string): string {
  return text.slice(0, 12);
}

/** `last4` of section 2.3. */
export function last4(text: string): string {
  return text.slice(-4);
}

/** Rejects the bytes from 248 on: with them, the first 8 characters would be likelier than the rest. */
function randomText(random: (bytes: number) => Uint8Array): string {
  const fair = ALPHABET.length * 4;
  let text = '';
  for (let round = 0; round < 64; round++) {
    for (const byte of random(RANDOM_CHARS + 8)) {
      if (byte < fair) text += ALPHABET.charAt(byte % ALPHABET.length);
      if (text.length === RANDOM_CHARS) return text;
    }
  }
  throw new RangeError('the source of random bytes gives nothing but bytes over 247');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
