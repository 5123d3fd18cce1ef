import { ask } from './ask.ts';
import { RequestError } from './send.ts';
import { type CursorPage, listPagePath } from './use-cursor-rows.ts';

const WAIT_MS_DEFAULT = 2000;

/**
 * Reads all pages of a list. If the server limits the rate, waits and continues.
 * @param path the path of the list, with its filter.
 * @param onPage called with each page. Returns false to stop.
 */
export async function readAll<T>(
  path: string,
  signal: AbortSignal,
  onPage: (rows: readonly T[]) => boolean,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const call = `GET ${listPagePath(path, cursor)}`;
    const page: CursorPage<T> = await withinRate(() => ask(call, undefined, signal), signal);
    if (!onPage(page.data)) return;
    cursor = page.next_cursor;
  } while (cursor !== null && !signal.aborted);
}

/** Runs a call. If the server limits the rate, runs it again after the delay that the server states. */
export async function withinRate<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (thrown) {
      if (!(thrown instanceof RequestError) || thrown.code !== 'rate_limited' || signal.aborted) throw thrown;
      const waitMs = thrown.retryAfterS === null ? WAIT_MS_DEFAULT : thrown.retryAfterS * 1000;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
