import { expect, test } from 'vitest';
import {
  deleteHold,
  findHold,
  type Hold,
  insertHold,
  selectHolds,
} from '../../../shared/store/domains/holds.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { NOW } from '../rows.ts';

function aHold(hostname: string, change: Partial<Hold> = {}): Hold {
  return { hostname, reason: null, created_at: NOW, ...change };
}

export function holdTests(store: () => Tx): void {
  test.each([
    ['acme.com', 'acme.com', true],
    ['acme.com', 'www.acme.com', false],
    ['acme.com', 'notacme.com', false],
    ['www.acme.com', 'acme.com', false],
    ['*.acme.com', 'www.acme.com', true],
    ['*.acme.com', 'a.b.acme.com', true],
    ['*.acme.com', 'acme.com', false],
    ['*.acme.com', 'notacme.com', false],
    ['*.acme.com', 'acme.com.br', false],
    ['*.b.acme.com', 'a.acme.com', false],
    ['*.b.acme.com', 'a.b.acme.com', true],
    ['*.com', 'acme.com', true],
  ])('a hold of %s for %s: %s', async (held, hostname, covers) => {
    const hold = aHold(held, { reason: 'phishing' });
    await insertHold(store(), hold);
    expect(await findHold(store(), hostname)).toEqual(covers ? hold : null);
  });

  test('prefers an exact hold to one of all names', async () => {
    await insertHold(store(), aHold('*.acme.com'));
    await insertHold(store(), aHold('www.acme.com', { reason: 'exact' }));
    expect((await findHold(store(), 'www.acme.com'))?.reason).toBe('exact');
    expect((await findHold(store(), 'ftp.acme.com'))?.hostname).toBe('*.acme.com');
  });

  test('placing a hold twice keeps the first reason', async () => {
    const hold = aHold('acme.com', { reason: 'first' });
    expect(await insertHold(store(), hold)).toBe(true);
    expect(await insertHold(store(), aHold('acme.com', { reason: 'second' }))).toBe(false);
    expect(await selectHolds(store())).toEqual([hold]);
  });

  test('deletes a hold by its own name only', async () => {
    await insertHold(store(), aHold('*.acme.com'));
    for (const other of ['acme.com', 'www.acme.com', '%'])
      expect(await deleteHold(store(), other)).toBe(false);
    expect(await deleteHold(store(), '*.acme.com')).toBe(true);
    expect(await deleteHold(store(), '*.acme.com')).toBe(false);
    expect(await findHold(store(), 'www.acme.com')).toBeNull();
  });

  test('lists holds in byte order', async () => {
    const sorted = ['*.a.com', '*.b.com', 'a-b.com', 'a.com', 'a0.com', 'ab.com', 'xn--a.com'];
    for (const name of sorted.toReversed()) await insertHold(store(), aHold(name));
    expect((await selectHolds(store())).map(({ hostname }) => hostname)).toEqual(sorted);
  });
}
