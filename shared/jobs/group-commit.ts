import { setImmediate } from 'node:timers/promises';

/**
 * Collects what arrives in one turn of the event loop, or while a flush is under way, and flushes it together: many
 * outcomes, one transaction, and no timer that the first of them waits for.
 * @param parallel flushes under way at a time.
 */
export function createGroupCommit<In, Out>(
  flush: (items: readonly In[]) => Promise<readonly Out[]>,
  { max = 100, parallel = 1 } = {},
) {
  let waiting: { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }[] = [];
  let running = 0;

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      // SQLite answers without a turn of the loop: without this one every flush would hold one item.
      await setImmediate();
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      try {
        const outs = await flush(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(outs[index] as Out);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running -= 1;
  }

  return function add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < parallel) void run();
    });
  };
}
