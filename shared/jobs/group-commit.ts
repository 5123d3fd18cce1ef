import { setImmediate } from 'node:timers/promises';

export interface GroupCommitOptions {
  /** The most items per flush. */
  max?: number;
  /** The most flushes at the same time. */
  parallel?: number;
  /** Whether the error may be due to a single item. The flush is then repeated in halves, until only the items at fault fail. */
  splits?: (error: unknown) => boolean;
}

/**
 * Collects the items that arrive in one turn of the event loop or during a flush, and flushes them together. Many outcomes share one
 * transaction, and no timer delays the first of them.
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
      // SQLite returns without yielding to the event loop. Without this turn, every flush would hold one item.
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
