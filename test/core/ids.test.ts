import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../shared/core/ids.ts';
import { T0 } from './domains/sample-domain.ts';

const PREFIXES = [
  'acc',
  'app',
  'key',
  'dom',
  'evt',
  'dlv',
  'lea',
  'req',
  'aud',
  'sub',
  'crt',
] as const satisfies IdPrefix[];
const bytes = fc.uint8Array({ minLength: ID_RANDOM_BYTES, maxLength: ID_RANDOM_BYTES });

test.each(PREFIXES)(
  'an id that begins with %s_ continues with 26 characters of lowercase base 32',
  (prefix) => {
    fc.assert(
      fc.property(fc.nat(2 ** 48 - 1), bytes, (now, random) => {
        const [start, rest = ''] = makeId(prefix, now, random).split('_');
        expect(start).toBe(prefix);
        expect(rest).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
      }),
    );
  },
);

test('an id encodes its time like a ULID', () => {
  // The time of the example in the ULID specification.
  expect(makeId('dom', 1_469_918_176_385, new Uint8Array(10))).toBe('dom_01aryz6s410000000000000000');
  expect(makeId('dom', 2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe('dom_7zzzzzzzzzzzzzzzzzzzzzzzzz');
});

test('ids sort by time, whatever their random part', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 47), fc.integer({ min: 1, max: 1e12 }), bytes, bytes, (now, later, a, b) => {
      expect(makeId('evt', now, a) < makeId('evt', now + later, b)).toBe(true);
    }),
  );
});

test('every random bit changes the id', () => {
  const made = new Set<string>();
  for (let bit = 0; bit < ID_RANDOM_BYTES * 8; bit++) {
    const random = new Uint8Array(ID_RANDOM_BYTES);
    random[bit >> 3] = 1 << (bit & 7);
    made.add(makeId('dom', T0, random));
  }
  expect(made.size).toBe(80);
});

test.each([0, 9, 11, 16])('the generator of ids refuses %i random bytes', (length) => {
  expect(() => makeId('dom', T0, new Uint8Array(length))).toThrow(RangeError);
});
