import { announce } from './announce.ts';
import { createPoller, type Look } from './poller.ts';
import { pulse } from './pulse.ts';
import { rememberParts, replaceParts } from './replace.ts';

/** The number of failed refreshes after which the page says that it is offline. One may fail while a server is replaced. */
const FAILURES_SHOWN = 2;

/** Refreshes the page repeatedly, and shows when the server does not respond. Never does so if nothing will change. */
export function keepFresh(): void {
  let failures = 0;
  // The poller slows down without changes. This page never slows down, because the customer may be editing records.
  const look = (failed: boolean): Look => ({
    refreshMs: pulse().refresh_ms,
    hasChanged: true,
    failed,
    waitMs: 0,
  });
  const poller = createPoller(async () => {
    failures = (await refresh()) ? 0 : failures + 1;
    showOffline(failures >= FAILURES_SHOWN);
    return look(failures > 0);
  });
  rememberParts();
  poller.start(look(false));
}

/** @returns false if the server did not respond with a page. */
async function refresh(): Promise<boolean> {
  try {
    const response = await fetch(pulse().path);
    // The page no longer exists. Reloads it to show the reason.
    if (response.status === 404) location.reload();
    if (response.status === 200) replaceParts(await response.text());
    return response.ok;
  } catch {
    return false;
  }
}

function showOffline(offline: boolean): void {
  const notice = document.getElementById('offline');
  if (notice === null || notice.hidden === !offline) return;
  notice.hidden = !offline;
  if (offline) announce(notice.textContent ?? '');
}
