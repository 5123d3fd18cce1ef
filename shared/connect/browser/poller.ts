const HIDDEN_MS = 60_000;
const WAIT_MS_MAX = 5 * 60_000;
/** The maximum wait, in milliseconds, while polls find nothing new. */
const UNCHANGED_MS_MAX = 30_000;
const UNCHANGED_FACTOR = 1.15;

/** The result of a poll, which determines the wait until the next poll. */
export interface Look {
  /** The wait until the next poll, in milliseconds. Null if nothing will change by itself. */
  refreshMs: number | null;
  hasChanged: boolean;
  failed: boolean;
  /** The minimum wait in milliseconds that the server has requested. */
  waitMs: number;
}

export interface Poller {
  /** Polls now, and then repeatedly. @param seen the result of a poll that takes the place of the first one. */
  start(seen?: Look): void;
  stop(): void;
}

/** Creates a poller. It polls less often while the tab is hidden, while nothing changes, and while requests fail. */
export function createPoller(look: () => Promise<Look | null>): Poller {
  let failures = 0;
  let unchanged = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Incremented with every start and stop, so that a poll which is still running does not schedule another. */
  let run = 0;

  async function lookNow(): Promise<void> {
    clearTimeout(timer);
    run += 1;
    const own = run;
    const seen = await look();
    if (own === run && seen !== null) plan(seen);
  }

  function plan({ refreshMs, hasChanged, failed, waitMs: askedMs }: Look): void {
    failures = failed ? failures + 1 : 0;
    unchanged = hasChanged ? 0 : unchanged + 1;
    if (refreshMs === null) return;
    const calmMs = Math.max(refreshMs, Math.min(UNCHANGED_MS_MAX, refreshMs * UNCHANGED_FACTOR ** unchanged));
    const baseMs = document.hidden ? Math.max(HIDDEN_MS, calmMs) : calmMs;
    const waitMs = Math.max(askedMs, Math.min(WAIT_MS_MAX, baseMs * 2 ** failures));
    // Adds jitter, so that pages which were opened at the same time do not all poll at the same time.
    timer = setTimeout(lookNow, waitMs * (0.9 + Math.random() / 5));
  }

  function onVisible(): void {
    unchanged = 0;
    if (!document.hidden) void lookNow();
  }

  return {
    start(seen) {
      unchanged = 0;
      failures = 0;
      document.addEventListener('visibilitychange', onVisible);
      if (seen === undefined) void lookNow();
      else plan(seen);
    },
    stop() {
      run += 1;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}
