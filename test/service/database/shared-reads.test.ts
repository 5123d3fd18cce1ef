import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSharedReads } from '../../../service/database/shared-reads.ts';

const EVERY_MS = 250;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Creates shared reads. `read` gets the number of the read, starting at 1. `begun` returns the number of reads so far. */
function readsUnderTest(read: (n: number) => Promise<number> = async (n) => n) {
  let begun = 0;
  const reads = createSharedReads({
    read: () => read(++begun),
    everyMs: EVERY_MS,
    machine: { now: () => performance.now() },
  });
  return { reads, begun: () => begun };
}

const pass = (durationMs: number) => vi.advanceTimersByTimeAsync(durationMs);

test('the first shared read begins at once, and any number of callers after it cause only one read per interval', async () => {
  const { reads, begun } = readsUnderTest();
  expect(await reads.next()).toBe(1);
  const waiting = Array.from({ length: 1_000 }, () => reads.next());
  await pass(EVERY_MS - 1);
  expect(begun()).toBe(1);
  await pass(1);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([2]));
});

test('a caller who arrives during a shared read gets the result of the next read', async () => {
  const first = Promise.withResolvers<number>();
  const { reads, begun } = readsUnderTest((n) => (n === 1 ? first.promise : Promise.resolve(n)));
  const before = reads.next();
  await pass(0);
  const after = reads.next();
  await pass(10 * EVERY_MS);
  expect(begun()).toBe(1);
  first.resolve(1);
  expect([await before, await after]).toEqual([1, 2]);
});

test('the result of a shared read is returned again until the interval has passed', async () => {
  const { reads, begun } = readsUnderTest();
  expect([await reads.recent(), await reads.recent()]).toEqual([1, 1]);
  await pass(EVERY_MS);
  expect(await reads.recent()).toBe(2);
  expect(begun()).toBe(2);
});

test('a shared read that fails rejects all of its callers, and does not prevent the next read', async () => {
  const { reads } = readsUnderTest(async (n) => {
    if (n === 1) throw new Error('away');
    return n;
  });
  const failed = Promise.all([
    expect(reads.next()).rejects.toThrow('away'),
    expect(reads.next()).rejects.toThrow('away'),
  ]);
  await failed;
  const next = reads.next();
  await pass(EVERY_MS);
  expect(await next).toBe(2);
});
