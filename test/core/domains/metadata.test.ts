import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMetadata } from '../../../shared/core/domains/metadata.ts';

const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

test('the metadata check accepts objects unchanged, including null and the empty object', () => {
  const value = { customer: '42', tags: ['a', null, true, 1.5], deep: { x: {} } };
  expect(parseMetadata(value)).toEqual({ ok: true, value });
  expect(parseMetadata({})).toEqual({ ok: true, value: {} });
  expect(parseMetadata(null)).toEqual({ ok: true, value: null });
});

test.each([[[]], ['text'], [1], [true], [undefined], [new Date(0)], [new Map()]])(
  'the metadata check rejects %j, which is not a JSON object',
  (value) => {
    expect(parseMetadata(value)).toEqual({
      ok: false,
      problem: { path: 'metadata', message: 'must be a JSON object or null' },
    });
  },
);

test('the metadata check accepts at most 4096 bytes of compact JSON in UTF-8', () => {
  const of = (bytes: number) => ({ a: 'é'.repeat((bytes - 8) / 2) });
  expect(new TextEncoder().encode(JSON.stringify(of(4096)))).toHaveLength(4096);
  expect(parseMetadata(of(4096))).toHaveProperty('value');
  expect(parseMetadata(of(4098))).toEqual({
    ok: false,
    problem: { path: 'metadata', message: expect.stringContaining('has 4098') },
  });
});

test('the metadata check counts an escaped character with all bytes of its escape', () => {
  expect(parseMetadata({ a: '\u0001'.repeat(1000) })).toHaveProperty('problem');
});

test('the metadata check accepts up to 60 levels, and refuses deeper input without recursing into it', () => {
  expect(parseMetadata(nested(60))).toHaveProperty('value');
  expect(parseMetadata(nested(61))).toEqual({
    ok: false,
    problem: { path: 'metadata', message: expect.stringContaining('60 levels') },
  });
  expect(parseMetadata({ a: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) })).toHaveProperty('problem');
});

test.each([
  [{ a: 'x\0y' }],
  [{ 'x\0y': 1 }],
  [{ a: ['\ud800'] }],
  [{ '\udc00': 1 }],
  [{ a: Number.POSITIVE_INFINITY }],
  [{ a: 1n }],
  [{ a: undefined }],
  [{ a: new Date(0) }],
])('the metadata check refuses text that the database cannot store', (value) => {
  expect(parseMetadata(value)).toHaveProperty('problem');
});

test('the metadata check accepts __proto__ as an ordinary key', () => {
  const value: unknown = JSON.parse('{"__proto__": {"polluted": true}}');
  expect(parseMetadata(value)).toEqual({ ok: true, value });
  expect(Object.hasOwn({}, 'polluted')).toBe(false);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

test('the metadata check accepts any JSON object within the limits, unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const text = JSON.stringify(value);
      const storable =
        !text.includes('\\u0000') && !text.includes('\\ud') && new TextEncoder().encode(text).length <= 4096;
      const result = parseMetadata(value);
      if (storable) expect(result).toEqual({ ok: true, value });
      expect(JSON.stringify(value)).toBe(text);
    }),
  );
});
