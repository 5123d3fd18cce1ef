import { expect, test } from 'vitest';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import {
  type Counted,
  countInWindow,
  countSharedUse,
  countUse,
} from '../../../shared/store/accounts/rate-windows.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { NOW } from '../rows.ts';

export function rateWindowTests(store: () => Tx): void {
  const three = { name: 'three', limit: 3, windowMs: 60_000 };
  const allowed = expect.objectContaining({ ok: true });
  const waits = (waitMs: number): Counted => ({ ok: false, waitMs });

  test('allows as many uses as the limit, then returns the wait until the oldest use leaves the window', async () => {
    for (const i of [0, 1, 2]) expect(await countInWindow(store(), three, NOW + i)).toEqual(allowed);
    expect(await countInWindow(store(), three, NOW + 3)).toEqual(waits(59_997));
    expect(await countInWindow(store(), three, NOW + 59_999)).toEqual(waits(1));
  });

  test('no minute has more than 10 uses, not even across the end of the first one', async () => {
    const taken: number[] = [];
    // Tries one use at the start, then many in the last second of the first minute and the first second of the next minute.
    for (const at of [0, ...steps(59_000, 61_000, 25)]) {
      if ((await countUse(store(), 'redeliver', 'app', NOW + at)) === null) taken.push(at);
    }
    const most = Math.max(
      ...taken.map((from) => taken.filter((at) => at >= from && at < from + 60_000).length),
    );
    expect({ most, all: taken.length }).toEqual({ most: 10, all: 11 });
  });

  test('each use frees its own place a minute later', async () => {
    for (const at of [0, 20_000, 40_000])
      expect(await countInWindow(store(), three, NOW + at)).toEqual(allowed);
    expect(await countInWindow(store(), three, NOW + 50_000)).toEqual(waits(10_000));
    expect(await countInWindow(store(), three, NOW + 60_000)).toEqual(allowed);
    expect(await countInWindow(store(), three, NOW + 60_001)).toEqual(waits(19_999));
  });

  test('does not count a refused use', async () => {
    expect(await countUse(store(), 'verify', 'a', NOW)).toBeNull();
    for (let i = 1; i < 15; i++)
      expect(await countUse(store(), 'verify', 'a', NOW + i * 1000)).toBe(15_000 - i * 1000);
    expect(await countUse(store(), 'verify', 'a', NOW + 15_000)).toBeNull();
    expect(await countUse(store(), 'verify', 'a', NOW + 15_001)).toBe(14_999);
  });

  test('counts each budget and each party separately', async () => {
    expect(await countUse(store(), 'verify', 'a', NOW)).toBeNull();
    expect(await countUse(store(), 'verify', 'A', NOW)).toBeNull();
    expect(await countUse(store(), 'diagnosis', 'a', NOW)).toBeNull();
    expect(await countUse(store(), 'verify', 'a', NOW)).toBe(15_000);
  });

  test('allows exactly 10 of 50 concurrent uses, in a new window and in the next', async () => {
    for (const now of [NOW, NOW + 60_000]) {
      const counted = await Promise.all(
        Array.from({ length: 50 }, () => countUse(store(), 'redeliver', 'app', now)),
      );
      expect(counted.filter((wait) => wait === null)).toHaveLength(10);
      expect(counted.filter((wait) => wait === 60_000)).toHaveLength(40);
    }
  });

  test('a high limit is never exceeded, and its row stays small', async () => {
    const many = { name: 'many', limit: 1_000, windowMs: 60_000 };
    let taken = 0;
    for (const at of steps(0, 59_999, 50)) {
      if ((await countInWindow(store(), many, NOW + at)).ok) taken++;
    }
    expect(taken).toBe(1_000);
    const { uses } = await store()
      .db.selectFrom('rate_windows')
      .select('uses')
      .where('name', '=', 'many')
      .executeTakeFirstOrThrow();
    expect(uses?.length).toBeLessThan(2_500);
    // The uses in the first part of the window expire all at once.
    expect(await countInWindow(store(), many, NOW + 59_999)).toEqual({
      ok: false,
      waitMs: expect.any(Number),
    });
    expect(await countInWindow(store(), many, NOW + 61_000)).toEqual(allowed);
  });

  test('parties that use up a mailbox leave one use to each party that has had none', async () => {
    const { each, limit, firsts } = BUDGETS.sign_in_links;
    const use = (party: string) => countSharedUse(store(), 'sign_in_links', { subject: 'ada', party }, NOW);
    for (let i = 0; i < limit; i++) {
      expect(await use(`attacker ${i % (limit / each)}`)).toEqual({ waitMs: null, isOpen: true });
    }
    expect(await use('attacker 0')).toEqual({ waitMs: BUDGETS.sign_in_links.windowMs, isOpen: false });
    expect(await use('home')).toEqual({ waitMs: null, isOpen: true });
    expect(await use('home')).toEqual({ waitMs: null, isOpen: false });
    for (let i = 1; i < firsts; i++) expect((await use(`network ${i}`)).isOpen).toBe(true);
    expect(await use('one network too many')).toEqual({ waitMs: null, isOpen: false });
    expect(await countSharedUse(store(), 'sign_in_links', { subject: 'bob', party: 'home' }, NOW)).toEqual({
      waitMs: null,
      isOpen: true,
    });
  });
}

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, i) => from + i * by);
}
