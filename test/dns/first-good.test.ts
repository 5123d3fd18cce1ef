import { expect, test, vi } from 'vitest';
import { firstGood } from '../../shared/dns/first-good.ts';

const isGood = (result: string) => result.startsWith('good');

test('firstGood returns the first good result, and asks no other candidate', async () => {
  const ask = vi.fn(async (name: string) => name);
  expect(await firstGood(['bad 1', 'good 2', 'good 3'], ask, isGood)).toBe('good 2');
  expect(ask).toHaveBeenCalledTimes(2);
});

test('firstGood returns the last result if none is good', async () => {
  expect(await firstGood(['bad 1', 'bad 2'], async (name) => name, isGood)).toBe('bad 2');
});

test('firstGood returns null without candidates', async () => {
  expect(await firstGood([], async (name: string) => name, isGood)).toBeNull();
});

test('firstGood asks the next candidate if one is slow, and ignores the late result', async () => {
  vi.useFakeTimers();
  try {
    const slow = Promise.withResolvers<string>();
    const ask = vi.fn((name: string) => (name === 'slow' ? slow.promise : Promise.resolve(name)));
    const found = firstGood(['slow', 'good 2', 'good 3'], ask, isGood);
    await vi.advanceTimersByTimeAsync(500);
    expect(await found).toBe('good 2');
    slow.resolve('bad after all');
    await vi.advanceTimersByTimeAsync(5000);
    expect(ask).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('firstGood throws the exception of a candidate', async () => {
  const ask = async (): Promise<string> => {
    throw new RangeError('no');
  };
  await expect(firstGood(['a', 'b'], ask, isGood)).rejects.toThrow('no');
});
