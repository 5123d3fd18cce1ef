import { NoTurnError } from '../../shared/adapters/turns.ts';
import type { FoundRoute } from '../../shared/core/edge/edge-route.ts';
import { createLookups } from '../../shared/edge/routing/lookups.ts';
import type { RouteSource } from '../../shared/edge/routing/route.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { stopwatch } from '../health/pause-watch.ts';

/** Finds routes that may have changed before the edge has read the change. */
export interface FreshRoutes {
  /**
   * Finds a route. If the process was paused, or if a domain has the hostname but no route, it waits at most 2 s until the edge has read the
   * changes. Another node may just have reported the domain as active.
   */
  find: RouteSource;
  close(): void;
}

export interface FreshRoutesOptions {
  find: (hostname: string) => FoundRoute;
  /** Returns whether a domain has the hostname. */
  isOwned: (hostname: string) => boolean;
  /** Resolves once the edge has read the changes. */
  catchUp: () => Promise<void>;
  clocks?: readonly Clock[];
}

const TICK_MS = 500;
/** After a pause this long, the process may have missed changes. */
const GAP_MS = 2000;
/** Longest time that a visitor request waits. After it the database is probably away, and the edge serves the routes that it has. */
const WAIT_MS_MAX = 2000;

/** Time between two reads for the same hostname. */
const NOWHERE_MS = 250;
/** Maximum number of hostnames that wait for a read. The others lead nowhere. */
const WAITING_MAX = 256;

/**
 * Creates fresh routes. They detect that this process was paused for more than 2 s: a stopped process or a suspended machine misses
 * deletions.
 * @param options.clocks clocks to compare. By default, the clocks of `stopwatch`.
 */
export function createFreshRoutes(options: FreshRoutesOptions): FreshRoutes {
  const { find, isOwned, catchUp } = options;
  const elapsedMs = stopwatch(options.clocks);
  let catchingUp: Promise<void> | null = null;

  function look(): void {
    // After a pause, a request may be handled before any timer.
    if (elapsedMs() <= GAP_MS) return;
    const started = catchUpInTime().finally(() => {
      if (catchingUp === started) catchingUp = null;
    });
    catchingUp = started;
  }

  /** Retries once, because a connection that broke during a pause fails on its first use. */
  async function catchUpInTime(): Promise<void> {
    await within(WAIT_MS_MAX, catchUp().catch(catchUp));
  }

  const awaited = createLookups({
    async find(hostname) {
      await catchUpInTime();
      return find(hostname);
    },
    absentMs: NOWHERE_MS,
    runningMax: WAITING_MAX,
  });

  async function findOnceRead(hostname: string): Promise<FoundRoute> {
    try {
      return await awaited.find(hostname);
    } catch (error) {
      if (error instanceof NoTurnError) return null;
      throw error;
    }
  }

  const timer = setInterval(look, TICK_MS).unref();
  return {
    find(hostname) {
      look();
      if (catchingUp !== null) return catchingUp.then(() => find(hostname));
      const found = find(hostname);
      return found === null && isOwned(hostname) ? findOnceRead(hostname) : found;
    },
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
