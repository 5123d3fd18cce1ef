import { NoTurnError } from '../../shared/adapters/turns.ts';
import type { FoundRoute } from '../../shared/core/edge/edge-route.ts';
import { createLookups } from '../../shared/edge/routing/lookups.ts';
import type { RouteSource } from '../../shared/edge/routing/route.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { stopwatch } from '../health/pause-watch.ts';

/** A source of routes that waits for recent changes which the edge has not read yet. */
export interface FreshRoutes {
  /**
   * Finds a route. After a pause of this process, first waits until the edge has read the changes, for at most 2 s. Also waits if a domain
   * has the hostname but no route, because another node may just have activated the domain.
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
/** If this process was paused for longer than this, it may have missed changes. */
const GAP_MS = 2000;
/**
 * The maximum time that a visitor's request waits. After this time, the database is probably unavailable, and the edge serves the routes
 * that it has.
 */
const WAIT_MS_MAX = 2000;

/** The minimum time between two reads for the same hostname. */
const NOWHERE_MS = 250;
/** The maximum number of hostnames that wait for a read. Further hostnames are treated as hostnames without a route. */
const WAITING_MAX = 256;

/**
 * Creates the source of routes. Detects that this process was paused for more than 2 s, because a stopped process or a suspended machine
 * misses deletions.
 * @param options.clocks clocks to compare. By default, the clocks of `stopwatch`.
 */
export function createFreshRoutes(options: FreshRoutesOptions): FreshRoutes {
  const { find, isOwned, catchUp } = options;
  const elapsedMs = stopwatch(options.clocks);
  let catchingUp: Promise<void> | null = null;

  function look(): void {
    // Each request calls this function too, because after a pause a request may be handled before the timer runs.
    if (elapsedMs() <= GAP_MS) return;
    const started = catchUpInTime().finally(() => {
      if (catchingUp === started) catchingUp = null;
    });
    catchingUp = started;
  }

  /** Waits for the changes with a time limit. Retries once, because a connection that broke during a pause fails when it is next used. */
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

/** Resolves when the work has succeeded or failed, and at the latest after `durationMs`. */
async function within(durationMs: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, durationMs);
  // Ignore an error here: the feed logs it, and the edge serves the routes that it has.
  await Promise.race([work.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
