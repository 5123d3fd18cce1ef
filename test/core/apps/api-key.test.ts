import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashApiKey, keyPrefix, last4, makeApiKey, parseApiKey } from '../../../shared/core/apps/api-key.ts';
import { MODES } from '../../../shared/core/domains/status.ts';

const zeros = (bytes: number) => new Uint8Array(bytes);

test('a key is its mode, 26 random characters and 6 of checksum', () => {
  expect(makeApiKey('live', randomBytes)).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
  expect(makeApiKey('test', randomBytes)).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
  expect(makeApiKey('test', randomBytes)).not.toBe(makeApiKey('test', randomBytes));
});

test('the checksum is the CRC32 of what precedes it in base 62, six digits', () => {
  // CRC32 of "sk_test_" and 26 zeros is 3502625449.
  expect(makeApiKey('test', zeros)).toBe(`sk_test_${'0'.repeat(26)}3p2esr`);
});

test('any source of random bytes gives a key that is read back with its mode', () => {
  fc.assert(
    fc.property(fc.constantFrom(...MODES), fc.infiniteStream(fc.nat(247)), (mode, numbers) => {
      const random = (bytes: number) =>
        Uint8Array.from({ length: bytes }, () => Number(numbers.next().value));
      expect(parseApiKey(makeApiKey(mode, random))).toEqual({ mode });
    }),
  );
});

test('one wrong character is always noticed', () => {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const key = makeApiKey('live', randomBytes);
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 39 }), fc.constantFrom(...alphabet), (at, character) => {
      const mistyped = key.slice(0, at) + character + key.slice(at + 1);
      expect(parseApiKey(mistyped)).toEqual(mistyped === key ? { mode: 'live' } : null);
    }),
    { numRuns: 1000 },
  );
});

test('a key of one mode is none of the other', () => {
  expect(parseApiKey(makeApiKey('test', randomBytes).replace('sk_test_', 'sk_live_'))).toBeNull();
});

test.each(['', 'sk_live_', 'sk_test_x', `sk_prod_${'0'.repeat(32)}`, `Bearer sk_live_${'0'.repeat(32)}`])(
  '%j is no key',
  (text) => {
    expect(parseApiKey(text)).toBeNull();
  },
);

test('neither white space around a key nor a line end after it is overlooked', () => {
  const key = makeApiKey('test', randomBytes);
  for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`]) expect(parseApiKey(text)).toBeNull();
});

test('bytes that would favour some characters are thrown away', () => {
  let next = 0;
  const counting = (bytes: number) => Uint8Array.from({ length: bytes }, () => 255 - (next++ % 9));
  // Of 255 down to 247 only 247 is fair, and stands for the last character.
  expect(makeApiKey('test', counting)).toMatch(/^sk_test_z{26}/);
});

test('a source that never gives a fair byte ends in an error, not in a loop', () => {
  expect(() => makeApiKey('test', (bytes) => new Uint8Array(bytes).fill(255))).toThrow(RangeError);
});

test('only the hash is stored, and the prefix and the last four are shown', () => {
  const key = makeApiKey('live', zeros);
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  expect(keyPrefix(key)).toBe('sk_live_0000');
  expect(last4(key)).toBe(key.slice(36));
});
