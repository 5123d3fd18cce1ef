import { expect, test } from 'vitest';
import { createGroupCommit } from '../../shared/jobs/group-commit.ts';

/** A flush that a test ends by hand, and what each was given. */
function manualFlush() {
  const flushes: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const flush = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      flushes.push({ items, end: () => resolve(items.map((item) => `done ${item}`)), fail: reject });
    });
  return { flush, flushes };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first is flushed at once, and what comes meanwhile together after it', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush);
  const outs = [1, 2, 3].map((item) => add(item));
  expect(flushes.map(({ items }) => items)).toEqual([[1]]);
  flushes[0]?.end();
  await turn();
  expect(flushes.map(({ items }) => items)).toEqual([[1], [2, 3]]);
  flushes[1]?.end();
  expect(await Promise.all(outs)).toEqual(['done 1', 'done 2', 'done 3']);
});

test('a flush takes so many at the most', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush, 2);
  const outs = [1, 2, 3, 4].map((item) => add(item));
  for (let i = 0; i < 3; i++) {
    flushes[i]?.end();
    await turn();
  }
  expect(flushes.map(({ items }) => items)).toEqual([[1], [2, 3], [4]]);
  expect(await Promise.all(outs)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
});

test('a flush that fails fails its own items and no other', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush);
  const outs = Promise.allSettled([1, 2, 3].map((item) => add(item)));
  flushes[0]?.end();
  await turn();
  const late = add(4);
  flushes[1]?.fail(new Error('disk full'));
  await turn();
  flushes[2]?.end();
  expect((await outs).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await late).toBe('done 4');
});

test('it goes on after it has been empty', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush);
  for (const item of [1, 2]) {
    const out = add(item);
    flushes.at(-1)?.end();
    expect(await out).toBe(`done ${item}`);
  }
});
