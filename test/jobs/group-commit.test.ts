import { expect, test } from 'vitest';
import { createGroupCommit } from '../../shared/jobs/deliverer.ts';

/** Creates a flush function for a group commit. The test ends each flush, and reads its items. */
function manualFlush() {
  const flushes: { items: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const flush = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      flushes.push({ items, end: () => resolve(items.map((item) => `done ${item}`)), fail: reject });
    });
  return { flush, flushes };
}

/** Waits long enough for the next flush to begin after the previous flush has ended. */
async function turn(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

test('a group commit flushes the items of one turn together, and items that arrive during the flush afterwards', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush);
  const outs = [add(1), add(2)];
  await turn();
  outs.push(add(3), add(4));
  await turn();
  expect(flushes.map(({ items }) => items)).toEqual([[1, 2]]);
  flushes[0]?.end();
  await turn();
  expect(flushes.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  flushes[1]?.end();
  expect(await Promise.all(outs)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
});

test('a group commit flushes at most its maximum of items at once', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush, { max: 2 });
  const outs = [1, 2, 3, 4, 5].map((item) => add(item));
  for (let i = 0; i < 3; i++) {
    await turn();
    flushes[i]?.end();
  }
  expect(flushes.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]]);
  expect(await Promise.all(outs)).toEqual(['done 1', 'done 2', 'done 3', 'done 4', 'done 5']);
});

test('a failed flush of a group commit fails only its own items', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush);
  const first = Promise.allSettled([add(1), add(2)]);
  await turn();
  const late = add(3);
  flushes[0]?.fail(new Error('disk full'));
  await turn();
  flushes[1]?.end();
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await late).toBe('done 3');
});

test.each([[[]], [[3]], [[1, 6]], [[1, 2, 3, 4, 5, 6]]])(
  'when the flush of a group commit splits, the items %j fail alone and the others succeed',
  async (bad) => {
    const flushed: number[] = [];
    const add = createGroupCommit<number, string>(
      async (items) => {
        if (items.some((item) => bad.includes(item))) throw new Error(`refused ${items}`);
        flushed.push(...items);
        return items.map((item) => `done ${item}`);
      },
      { splits: () => true },
    );
    const outs = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => add(item)));
    const told = outs.map((out) => (out.status === 'fulfilled' ? out.value : String(out.reason)));
    expect(told).toEqual(
      [1, 2, 3, 4, 5, 6].map((item) => (bad.includes(item) ? `Error: refused ${item}` : `done ${item}`)),
    );
    expect(flushed).toEqual([1, 2, 3, 4, 5, 6].filter((item) => !bad.includes(item)));
  },
);

test('a group commit does not repeat a flush item by item if the database is unavailable', async () => {
  const away = new Error('away');
  let flushes = 0;
  const add = createGroupCommit<number, string>(
    async () => {
      flushes += 1;
      throw away;
    },
    { splits: (error) => error !== away },
  );
  const outs = await Promise.allSettled([1, 2, 3].map((item) => add(item)));
  expect(outs.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(flushes).toBe(1);
});

test('a group commit still works after it had nothing to flush', async () => {
  const { flush, flushes } = manualFlush();
  const add = createGroupCommit(flush);
  for (const item of [1, 2]) {
    const out = add(item);
    await turn();
    flushes.at(-1)?.end();
    expect(await out).toBe(`done ${item}`);
  }
});
