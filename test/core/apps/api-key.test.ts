import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashApiKey, keyPrefix, last4, makeApiKey, parseApiKey } from '../../../shared/core/apps/api-key.ts';
import { MODES } from '../../../shared/core/domains/status.ts';

const zeros = (bytes: number) => new Uint8Array(bytes);

test('an API key has its mode, 26 random characters and a checksum of 6 characters', () => {
  expect(makeApiKey('live', randomBytes)).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
  expect(makeApiKey('test', randomBytes)).toMatch(/^sk_test_[0-9A-Za-z]{32}$/);
  expect(makeApiKey('test', randomBytes)).not.toBe(makeApiKey('test', randomBytes));
});

test('the checksum of an API key is the CRC32 of the preceding characters, as six digits in base 62', () => {
  // CRC32 of "sk_test_" and 26 zeros is 3502625449.
  expect(makeApiKey('test', zeros)).toBe(`sk_test_${'0'.repeat(26)}3p2esr`);
});

test('the parser of API keys accepts every generated key with its mode, for any random bytes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...MODES), fc.infiniteStream(fc.nat(247)), (mode, numbers) => {
      const random = (bytes: number) =>
        Uint8Array.from({ length: bytes }, () => Number(numbers.next().value));
      expect(parseApiKey(makeApiKey(mode, random))).toEqual({ mode });
    }),
  );
});

test('the parser of API keys detects every single wrong character', () => {
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

test('the parser of API keys rejects a test key whose prefix was changed to live', () => {
  expect(parseApiKey(makeApiKey('test', randomBytes).replace('sk_test_', 'sk_live_'))).toBeNull();
});

test.each(['', 'sk_live_', 'sk_test_x', `sk_prod_${'0'.repeat(32)}`, `Bearer sk_live_${'0'.repeat(32)}`])(
  'the parser of API keys rejects %j',
  (text) => {
    expect(parseApiKey(text)).toBeNull();
  },
);

test('the parser of API keys rejects a key with an added space, line break or other character', () => {
  const key = makeApiKey('test', randomBytes);
  for (const text of [` ${key}`, `${key} `, `${key}\n`, `${key}0`]) expect(parseApiKey(text)).toBeNull();
});

test('the generator of API keys discards bytes that would make some characters more likely', () => {
  let next = 0;
  const counting = (bytes: number) => Uint8Array.from({ length: bytes }, () => 255 - (next++ % 9));
  // The random bytes are 255 down to 247. Only 247 is small enough to be used, and it selects the last character.
  expect(makeApiKey('test', counting)).toMatch(/^sk_test_z{26}/);
});

test('the generator of API keys throws if the random source returns no usable byte, instead of looping forever', () => {
  expect(() => makeApiKey('test', (bytes) => new Uint8Array(bytes).fill(255))).toThrow(RangeError);
});

test('the generator of API keys returns the hash to store, and the prefix and last four characters to display', () => {
  const key = makeApiKey('live', zeros);
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  expect(keyPrefix(key)).toBe('sk_live_0000');
  expect(last4(key)).toBe(key.slice(36));
});
