import { refresh } from './revision.ts';
import { loadSession } from './session.ts';

const EVERY_MS = 10_000;

/** Reads the page's data again every 10 seconds while it is visible, and at once when it becomes visible. */
export function pollWhileVisible(): void {
  const read = () => {
    if (document.hidden) return;
    void loadSession();
    refresh();
  };
  setInterval(read, EVERY_MS);
  document.addEventListener('visibilitychange', read);
}
