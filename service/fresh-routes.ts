import type { FoundRoute } from '../shared/core/edge-route.ts';
import type { RouteSource } from '../shared/edge/route.ts';
import { type Clock, monotonicClock, systemClock } from '../shared/ports/clock.ts';

/** Routes of a process that may stand still: a stopped process or a paused machine knows nothing of what was deleted meanwhile. */
export interface FreshRoutes {
  /** Finds a route; after a gap, once the edge has caught up with what changed. */
  find: RouteSource;
  close(): void;
}

export interface FreshRoutesOptions {
  find: (hostname: string) => FoundRoute;
  /** Resolves once what changed is known. */
  catchUp: () => Promise<void>;
  clocks?: readonly Clock[];
}

const TICK_MS = 500;
/** A process that did not run for so long has missed what it would have heard. */
const GAP_MS = 2000;
/** After this a visitor is served by what is known: the database is away. */
const WAIT_MS_MAX = 2000;

/**
 * Notices when this process stood still for more than 2 s, and lets requests wait for at most 2 s until the edge has read what changed.
 * @param options.clocks one that stands still with the machine is no help alone, so the time of day is looked at too.
 */
export function createFreshRoutes(options: FreshRoutesOptions): FreshRoutes {
  const { find, catchUp, clocks = [monotonicClock, systemClock] } = options;
  const read = () => clocks.map((clock) => clock.now());
  let ticked = read();
  let catchingUp: Promise<void> | null = null;

  function look(): void {
    const now = read();
    // The first work of a process that runs again may be a request, before any timer.
    const hasGap = now.some((at, index) => at - (ticked[index] ?? at) > GAP_MS);
    ticked = now;
    if (!hasGap) return;
    const started = within(WAIT_MS_MAX, catchUpOrRetry()).finally(() => {
      if (catchingUp === started) catchingUp = null;
    });
    catchingUp = started;
  }

  /** A connection that broke while the process stood still fails once. */
  async function catchUpOrRetry(): Promise<void> {
    await catchUp().catch(catchUp);
  }

  const timer = setInterval(look, TICK_MS).unref();
  return {
    find(hostname) {
      look();
      return catchingUp === null ? find(hostname) : catchingUp.then(() => find(hostname));
    },
    close: () => clearInterval(timer),
  };
}

/** Resolves when the work has ended, however it ended, and after this time in any case. */
async function within(duration_ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, duration_ms);
  // What went wrong is logged by the feed, and the edge serves what it knows.
  await Promise.race([work.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
