import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../shared/core/cursor.ts';
import { ID_RANDOM_BYTES, makeId } from '../../shared/core/ids.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import { T0 } from './domains/sample-domain.ts';

const LIST: ListIdentity = ['domains', 'app_1', 'test'];
const POSITION = { created_at: T0, id: makeId('dom', T0, new Uint8Array(ID_RANDOM_BYTES)) };
const CURSOR = encodeCursor(LIST, POSITION);

/** Creates a cursor with a valid checksum, which anyone who has read the source can compute. */
function forge(createdAt: number | string, id: string): string {
  const position = JSON.stringify([LIST, Number(createdAt), id]);
  const seal = createHash('sha256').update(position).digest('base64url').slice(0, 12);
  return Buffer.from(`${seal}.${createdAt}.${id}`).toString('base64url');
}

const refused = expect.objectContaining({
  code: 'validation_failed',
  status: 422,
  status_detail: { fields: [{ path: 'cursor', message: expect.stringContaining('start again without it') }] },
});

test('a decoded cursor has the position where its page ended', () => {
  expect(decodeCursor(LIST, CURSOR)).toEqual(POSITION);
});

test('a cursor has at most 200 characters, none of which needs escaping in a query', () => {
  const prefix = fc.constantFrom('acc', 'app', 'key', 'dom', 'evt', 'dlv');
  const random = fc.uint8Array({ minLength: ID_RANDOM_BYTES, maxLength: ID_RANDOM_BYTES });
  fc.assert(
    fc.property(prefix, fc.nat(253_402_300_799_999), random, (name, createdAt, bytes) => {
      const position = { created_at: createdAt, id: makeId(name, createdAt, bytes) };
      const cursor = encodeCursor(LIST, position);
      expect(decodeCursor(LIST, cursor)).toEqual(position);
      expect(cursor.length).toBeLessThanOrEqual(LIMITS.cursor_chars_max);
      expect(cursor).toMatch(/^[\w-]+$/);
    }),
  );
});

test.each<ListIdentity>([
  ['events', 'app_1', 'test'],
  ['domains', 'app_2', 'test'],
  ['domains', 'app_1', 'live'],
  ['domains","app_1', '', 'test'],
])('the decoder refuses the cursor of another list: %j', (...other) => {
  expect(() => decodeCursor(other, CURSOR)).toThrow(refused);
});

describe('a cursor that no list issued is refused', () => {
  test.each([
    ['nothing', ''],
    ['an id', POSITION.id],
    ['a number', '1'],
    ['spaces around', ` ${CURSOR} `],
    ['padding', `${CURSOR}=`],
    ['a part', CURSOR.slice(0, -2)],
    ['more', `${CURSOR}AAAA`],
    ['bytes that are not text', Buffer.from([0xff, 0xfe, 0x00]).toString('base64url')],
    ['a long one', 'A'.repeat(100_000)],
    ['SQL', "' OR 1=1 --"],
    ['a path', '../../etc/passwd'],
  ])('the decoder refuses %s', (_, cursor) => {
    expect(() => decodeCursor(LIST, cursor)).toThrow(refused);
  });

  test('the decoder refuses any other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 250, unit: 'binary' }), (cursor) => {
        expect(() => decodeCursor(LIST, cursor)).toThrow(refused);
      }),
    );
  });

  test('the decoder refuses a cursor in which any one character was changed', () => {
    for (let i = 0; i < CURSOR.length; i++) {
      const changed = CURSOR.slice(0, i) + (CURSOR[i] === 'A' ? 'B' : 'A') + CURSOR.slice(i + 1);
      expect(() => decodeCursor(LIST, changed), changed).toThrow(refused);
    }
  });

  test('the decoder refuses a malformed position with a valid checksum', () => {
    expect(decodeCursor(LIST, forge(T0, POSITION.id))).toEqual(POSITION);
    const unlike = [
      forge(T0, 'dom_1'),
      forge(T0, ''),
      forge(T0, `${POSITION.id}\0`),
      forge(T0, `${POSITION.id.slice(0, -1)}\0`),
      forge(T0, `${POSITION.id.slice(0, -1)}é`),
      forge(T0, `${POSITION.id}.x`),
      forge(`0${T0}`, POSITION.id),
      forge(`+${T0}`, POSITION.id),
      forge('1e3', POSITION.id),
      forge(-1, POSITION.id),
      forge(1.5, POSITION.id),
      forge('9'.repeat(16), POSITION.id),
      forge('', POSITION.id),
    ];
    for (const cursor of unlike) expect(() => decodeCursor(LIST, cursor), cursor).toThrow(refused);
  });
});
