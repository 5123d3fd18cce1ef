import { askNginx } from './ask-nginx.ts';

export type NginxChanges = ReturnType<typeof createNginxChanges>;

/** Creates the queue that sends changes of routes and certificates to nginx. @param folderOf returns the folder of the running nginx. */
export function createNginxChanges(folderOf: () => string) {
  const pending = new Set<string>();
  // Begin with the time, so that a later node process with the same nginx begins with a higher number.
  let generation = Math.floor(Date.now() / 1000);
  let sending: Promise<void> | null = null;
  let isStopped = false;

  /** Sends the pending changes. If nginx does not respond, drops them, and makes nginx read everything again later. */
  async function send(): Promise<void> {
    await Promise.resolve();
    while (pending.size > 0 && !isStopped) {
      const lines = [...pending];
      pending.clear();
      try {
        await askNginx(folderOf(), '/changed', lines.join('\n'));
      } catch {
        pending.clear();
        pending.add(nextGeneration());
        return;
      }
    }
  }

  function nextGeneration(): string {
    generation += 1;
    return `generation ${generation}`;
  }

  /** Sends the pending changes, unless a request is under way. */
  function retry(): void {
    if (pending.size === 0) return;
    sending ??= send().finally(() => {
      sending = null;
    });
  }

  /** Queues a line: a hostname, with the prefix `-` if the hostname is gone, or `~` if only its route has changed. */
  function tell(line: string): void {
    pending.add(line);
    retry();
  }

  return {
    tell,
    /** Makes nginx read all routes and certificates again. */
    tellAll: () => tell(nextGeneration()),
    retry,
    /** Resolves when all changes so far were sent to nginx. */
    async settled(): Promise<void> {
      while (sending !== null) await sending;
    },
    /** Sends no more changes. */
    stop(): void {
      isStopped = true;
    },
  };
}
