import { askNginx } from './ask-nginx.ts';

export type NginxChanges = ReturnType<typeof createNginxChanges>;

/** Sends changes of routes and certificates to nginx. @param folderOf returns the folder of the running nginx. */
export function createNginxChanges(folderOf: () => string) {
  const pending = new Set<string>();
  // A later control half of the same nginx begins with a higher number.
  let generation = Math.floor(Date.now() / 1000);
  let sending: Promise<void> | null = null;
  let isStopped = false;

  /** Sends the changes. While nginx does not respond, they are kept, and it is told to read everything again. */
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

  /** Sends the changes that nginx did not get. */
  function retry(): void {
    if (pending.size === 0) return;
    sending ??= send().finally(() => {
      sending = null;
    });
  }

  /** Sends a line: a hostname, with `-` before it if it is gone, or `~` if only its route changed. */
  function tell(line: string): void {
    pending.add(line);
    retry();
  }

  return {
    tell,
    /** Tells nginx to read everything again. */
    tellAll: () => tell(nextGeneration()),
    retry,
    /** Resolves when nginx has been told of all changes so far. */
    async settled(): Promise<void> {
      while (sending !== null) await sending;
    },
    /** Sends no more changes. */
    stop(): void {
      isStopped = true;
    },
  };
}
