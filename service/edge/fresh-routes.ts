import { monotonicClock, systemClock } from '../../shared/adapters/system-clock.ts';
import type { FoundRoute } from '../../shared/core/edge/edge-route.ts';
import type { RouteSource } from '../../shared/edge/routing/route.ts';
import type { Clock } from '../../shared/ports/clock.ts';

/** Keeps routes fresh in a process that may pause. A stopped process or a suspended machine misses deletions. */
export interface FreshRoutes {
  /** Finds a route. After a pause, waits until the edge has read the changes. */
  find: RouteSource;
  /** Resolves once the edge has read the changes made before this call, or after 2 s. Never rejects. */
  catchUp(): Promise<void>;
  close(): void;
}

export interface FreshRoutesOptions {
  find: (hostname: string) => FoundRoute;
  /** Resolves once the edge has read the changes. */
  catchUp: () => Promise<void>;
  clocks?: readonly Clock[];
}

const TICK_MS = 500;
/** After a pause this long, the process may have missed changes. */
const GAP_MS = 2000;
/** Longest time that a visitor request waits. After it the database is probably away, and the edge serves the routes that it has. */
const WAIT_MS_MAX = 2000;

/**
 * Detects that this process was paused for more than 2 s. Requests then wait for at most 2 s until the edge has read the changes.
 * @param options.clocks clocks to compare. A monotonic clock may pause with the machine, so the time of day is checked too.
 */
export function createFreshRoutes(options: FreshRoutesOptions): FreshRoutes {
  const { find, catchUp, clocks = [monotonicClock, systemClock] } = options;
  const read = () => clocks.map((clock) => clock.now());
  let ticked = read();
  let catchingUp: Promise<void> | null = null;

  function look(): void {
    const now = read();
    // After a pause, a request may be handled before any timer.
    const hasGap = now.some((at, index) => at - (ticked[index] ?? at) > GAP_MS);
    ticked = now;
    if (!hasGap) return;
    const started = catchUpInTime().finally(() => {
      if (catchingUp === started) catchingUp = null;
    });
    catchingUp = started;
  }

  /** Retries once, because a connection that broke during a pause fails on its first use. */
  async function catchUpInTime(): Promise<void> {
    await within(WAIT_MS_MAX, catchUp().catch(catchUp));
  }

  const timer = setInterval(look, TICK_MS).unref();
  return {
    find(hostname) {
      look();
      return catchingUp === null ? find(hostname) : catchingUp.then(() => find(hostname));
    },
    catchUp: catchUpInTime,
    close: () => clearInterval(timer),
  };
}

/** Resolves when the work has ended, whether it succeeded or not, and at the latest after `duration_ms`. */
async function within(durationMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, durationMs);
  // The feed logs the error, and the edge serves the routes that it has.
  await Promise.race([work.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
