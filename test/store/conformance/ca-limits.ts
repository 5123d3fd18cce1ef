import { expect, test } from 'vitest';
import {
  deletePassedLimits,
  findLimits,
  takeToken,
  tokenAt,
  waitUntil,
} from '../../../shared/store/certificates/ca-limits.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

export function caLimitTests(store: () => Tx): void {
  const bucket = () => ({ name: newId('aud'), limit: 4, window_ms: 4000 });

  test('a bucket holds a number of tokens, and refills them one by one', async () => {
    const mine = bucket();
    for (let taken = 0; taken < 4; taken++) expect(await takeToken(store(), mine, NOW)).toBeNull();
    expect(await takeToken(store(), mine, NOW)).toBe(NOW + 1000);
    expect(await tokenAt(store(), mine, NOW)).toBe(NOW + 1000);
    expect(await takeToken(store(), mine, NOW + 1000)).toBeNull();
    expect(await takeToken(store(), mine, NOW + 1999)).toBe(NOW + 2000);
    expect(await tokenAt(store(), mine, NOW + 60_000)).toBeNull();
  });

  test('leaves the reserved part of a bucket', async () => {
    const mine = bucket();
    expect(await takeToken(store(), mine, NOW, 0.5)).toBeNull();
    expect(await takeToken(store(), mine, NOW, 0.5)).toBeNull();
    expect(await takeToken(store(), mine, NOW, 0.5)).toBe(NOW + 1000);
    expect(await takeToken(store(), mine, NOW)).toBeNull();
  });

  test('concurrent nodes take no more tokens than there are', async () => {
    const mine = bucket();
    const taken = await Promise.all(Array.from({ length: 12 }, () => takeToken(store(), mine, NOW)));
    expect(taken.filter((at) => at === null)).toHaveLength(4);
  });

  test('a wait lasts as long as the longest that was set, and passes', async () => {
    const name = newId('aud');
    await waitUntil(store(), name, NOW + 10);
    await waitUntil(store(), name, NOW + 5);
    expect(await findLimits(store(), [name, 'another'], NOW)).toEqual(new Map([[name, NOW + 10]]));
    expect(await findLimits(store(), [name], NOW + 10)).toEqual(new Map());
    expect(await findLimits(store(), ['another'], NOW)).toEqual(new Map());
  });

  test('deletes only what has passed', async () => {
    const names = [newId('aud'), newId('aud')] as const;
    await waitUntil(store(), names[0], NOW + 1);
    await waitUntil(store(), names[1], NOW + 2);
    await deletePassedLimits(store(), NOW + 1);
    const left = await store().db.selectFrom('ca_limits').select('name').where('name', 'in', names).execute();
    expect(left).toEqual([{ name: names[1] }]);
  });
}
