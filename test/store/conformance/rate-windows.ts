import { expect, test } from 'vitest';
import { countUse } from '../../../shared/store/accounts/rate-windows.ts';
import type { Store } from '../../../shared/store/store.ts';
import { NOW } from '../rows.ts';

export function rateWindowTests(store: () => Store): void {
  const window = { name: 'redeliver:app', limit: 3, window_ms: 60_000 };

  test('allows as many uses as the limit, then returns the wait until the window opens again', async () => {
    for (const i of [0, 1, 2]) expect(await countUse(store(), window, NOW + i)).toBeNull();
    expect(await countUse(store(), window, NOW + 3)).toBe(59_997);
    expect(await countUse(store(), window, NOW + 59_999)).toBe(1);
  });

  test('opens a new window with the full limit after the old one has passed', async () => {
    for (let i = 0; i < 5; i++) await countUse(store(), window, NOW);
    for (const i of [0, 1, 2]) expect(await countUse(store(), window, NOW + 60_000 + i)).toBeNull();
    expect(await countUse(store(), window, NOW + 60_003)).toBe(59_997);
  });

  test('does not count a refused use', async () => {
    const one = { ...window, limit: 1, window_ms: 15_000 };
    expect(await countUse(store(), one, NOW)).toBeNull();
    for (let i = 1; i < 15; i++) expect(await countUse(store(), one, NOW + i * 1000)).toBe(15_000 - i * 1000);
    expect(await countUse(store(), one, NOW + 15_000)).toBeNull();
    expect(await countUse(store(), one, NOW + 15_001)).toBe(14_999);
  });

  test('counts each name separately', async () => {
    const one = { ...window, limit: 1 };
    expect(await countUse(store(), one, NOW)).toBeNull();
    expect(await countUse(store(), { ...one, name: 'redeliver:App' }, NOW)).toBeNull();
    expect(await countUse(store(), one, NOW)).toBe(60_000);
  });

  test('allows exactly 10 of 50 concurrent uses, in a new window and in the next', async () => {
    const ten = { ...window, limit: 10 };
    for (const now of [NOW, NOW + 60_000]) {
      const waits = await Promise.all(Array.from({ length: 50 }, () => countUse(store(), ten, now)));
      expect(waits.filter((wait) => wait === null)).toHaveLength(10);
      expect(waits.filter((wait) => wait === 60_000)).toHaveLength(40);
    }
  });
}
