import type { Notice, Notices } from '../ports/system.ts';

/** Returns notices within one process. */
export function createLocalNotices(): Notices {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    publish(notice) {
      for (const listener of listeners) listener(notice);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
