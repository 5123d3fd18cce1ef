import { announce } from './announce.ts';
import { pulse } from './pulse.ts';
import { rememberParts, replaceParts } from './replace.ts';

const HIDDEN_MS = 60_000;
const WAIT_MS_MAX = 5 * 60_000;
/** The number of failed refreshes after which the page says that it is offline. One may fail while a server is replaced. */
const FAILURES_SHOWN = 2;

/** Refreshes the page repeatedly: less often while the tab is hidden or the server does not respond, and never if nothing will change. */
export function keepFresh(): void {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(): void {
    clearTimeout(timer);
    const { refresh_ms } = pulse();
    if (refresh_ms === null) return;
    const baseMs = document.hidden ? Math.max(HIDDEN_MS, refresh_ms) : refresh_ms;
    const waitMs = Math.min(WAIT_MS_MAX, baseMs * 2 ** failures);
    // Adds jitter, so that pages which were opened at the same time do not all refresh at the same time.
    timer = setTimeout(refresh, waitMs * (0.9 + Math.random() / 5));
  }

  async function refresh(): Promise<void> {
    try {
      const response = await fetch(pulse().path);
      // The page no longer exists. Reloads it to show the reason.
      if (response.status === 404) return location.reload();
      if (!response.ok) throw new Error(`${response.status}`);
      if (response.status === 200) replaceParts(await response.text());
      failures = 0;
    } catch {
      failures += 1;
    }
    showOffline(failures >= FAILURES_SHOWN);
    plan();
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden || pulse().refresh_ms === null) plan();
    else void refresh();
  });
  rememberParts();
  plan();
}

function showOffline(offline: boolean): void {
  const notice = document.getElementById('offline');
  if (notice === null || notice.hidden === !offline) return;
  notice.hidden = !offline;
  if (offline) announce(notice.textContent ?? '');
}
