import { askNginx } from './ask-nginx.ts';

/** The line that makes nginx read everything again. */
const EVERYTHING = '*';

export type NginxChanges = ReturnType<typeof createNginxChanges>;

/** Creates the queue that sends changes of routes and certificates to nginx. @param folderOf returns the folder of the running nginx. */
export function createNginxChanges(folderOf: () => string) {
  const pending = new Set<string>();
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
        pending.add(EVERYTHING);
        return;
      }
    }
  }

  /** Sends the pending changes, unless a request is under way. */
  function retry(): void {
    if (pending.size === 0) return;
    sending ??= send().finally(() => {
      sending = null;
    });
  }

  /** Queues a line: a hostname, with the prefix `-` if the hostname is gone, or the id of an app with the prefix `@`. */
  function tell(line: string): void {
    pending.add(line);
    retry();
  }

  return {
    tell,
    /** Makes nginx read all routes and certificates again. */
    tellAll: () => tell(EVERYTHING),
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
