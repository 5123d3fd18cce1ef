import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { MODES, type Mode } from '../domains/status.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 26;
const CHECKSUM_CHARS = 6;
const KEY = new RegExp(`^sk_(${MODES.join('|')})_[0-9A-Za-z]{${RANDOM_CHARS + CHECKSUM_CHARS}}$`);

/**
 * Generates an API key: `sk_live_` or `sk_test_`, 26 random characters (154 bits), and a checksum (`docs/idempotency-and-rates.md`).
 * @param random returns the given number of bytes from a CSPRNG.
 */
export function makeApiKey(mode: Mode, random: (bytes: number) => Uint8Array): string {
  const body = `sk_${mode}_${randomText(random)}`;
  return body + checksum(body);
}

/** Parses a key and verifies its checksum, so that a mistyped key is refused without a database read. Returns null if it is malformed. */
export function parseApiKey(text: string): { mode: Mode } | null {
  const named = KEY.exec(text)?.[1];
  const mode = MODES.find((each) => each === named);
  if (mode === undefined || checksum(text.slice(0, -CHECKSUM_CHARS)) !== text.slice(-CHECKSUM_CHARS))
    return null;
  return { mode };
}

/** Returns the SHA-256 of a key in hex, the only form in which a key is stored. 154 random bits need no salt and no slow hash. */
export function hashApiKey(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Returns the `prefix` of `docs/api.md#api-key`: the first 12 characters. */
export function keyPrefix(text: string): string {
  return text.slice(0, 12);
}

/** Returns the `last4` of `docs/api.md#api-key`: the last 4 characters. */
export function last4(text: string): string {
  return text.slice(-4);
}

/**
 * Generates the random characters. Skips bytes of 248 and above, because they would make the first 8 characters of the alphabet more
 * likely.
 */
function randomText(random: (bytes: number) => Uint8Array): string {
  const fair = ALPHABET.length * 4;
  let text = '';
  for (let round = 0; round < 64; round++) {
    for (const byte of random(RANDOM_CHARS + 8)) {
      if (byte < fair) text += ALPHABET.charAt(byte % ALPHABET.length);
      if (text.length === RANDOM_CHARS) return text;
    }
  }
  throw new RangeError('the source of random bytes returns only bytes above 247');
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
