/**
 * Collects what arrives while a flush is under way and flushes it together: many outcomes, one transaction, and no wait for the
 * first of them.
 */
export function createGroupCommit<In, Out>(
  flush: (items: readonly In[]) => Promise<readonly Out[]>,
  max = 100,
) {
  let waiting: { item: In; resolve: (out: Out) => void; reject: (error: unknown) => void }[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
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
    running = false;
  }

  return function add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!running) void run();
    });
  };
}
