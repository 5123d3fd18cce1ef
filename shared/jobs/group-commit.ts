import { setImmediate } from 'node:timers/promises';

export interface GroupCommitOptions {
  /** Items in a flush. */
  max?: number;
  /** Flushes under way at a time. */
  parallel?: number;
  /** Whether a flush may have failed for one of its items: it is flushed in halves then, down to those that fail alone. */
  splits?: (error: unknown) => boolean;
}

/**
 * Collects what arrives in one turn of the event loop, or while a flush is under way, and flushes it together: many
 * outcomes, one transaction, and no timer that the first of them waits for.
 */
export function createGroupCommit<In, Out>(
  flush: (items: readonly In[]) => Promise<readonly Out[]>,
  { max = 100, parallel = 1, splits = () => false }: GroupCommitOptions = {},
) {
  let waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function end(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(outs[index] as Out);
      });
    } catch (error) {
      if (batch.length > 1 && splits(error)) {
        const half = Math.ceil(batch.length / 2);
        await end(batch.slice(0, half));
        await end(batch.slice(half));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      // SQLite answers without a turn of the loop: without this one every flush would hold one item.
      await setImmediate();
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      await end(batch);
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

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}
