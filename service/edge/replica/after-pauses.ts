import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '../../../shared/adapters/system.ts';
import type { FoundRoute, RouteSource } from '../../../shared/core/edge/edge-route.ts';
import type { Clock } from '../../../shared/ports/system.ts';
import { stopwatch } from '../../health/pause-watch.ts';
import type { EdgeReplica } from './edge-replica.ts';

const TICK_MS = 500;
/** If this process was paused for longer than this, it may have missed a deletion or a hold. */
const GAP_MS = 2_000;
/** The maximum time that a visitor's request waits. After this time, the source is probably away. */
const WAIT_MS_MAX = 2_000;
const STEP_MS = 20;

/**
 * Returns a source of routes that, after a pause of this process, first waits until the replica is up to date again. A stopped process or a
 * suspended machine misses changes, and must not serve a domain that was deleted meanwhile.
 * @param clocks clocks to compare. By default, the clocks of `stopwatch`.
 */
export function afterPauses(
  find: (hostname: string) => FoundRoute,
  replica: Pick<EdgeReplica, 'beats' | 'refresh'>,
  clocks?: readonly Clock[],
): RouteSource & { close(): void } {
  const elapsedMs = stopwatch(clocks);
  let catchingUp: Promise<void> | null = null;

  function look(): void {
    // Each request calls this function too, because after a pause a request may be handled before the timer runs.
    if (elapsedMs() <= GAP_MS) return;
    // If the replica cannot be read, the requests themselves fail.
    const started = catchUp()
      .catch(() => undefined)
      .finally(() => {
        if (catchingUp === started) catchingUp = null;
      });
    catchingUp = started;
  }

  /** Waits for two beats: the first one may belong to a read that began before the pause. */
  async function catchUp(): Promise<void> {
    const from = replica.beats();
    const until = monotonicClock.now() + WAIT_MS_MAX;
    while (replica.beats() < from + 2 && monotonicClock.now() < until) await delay(STEP_MS);
    replica.refresh();
  }

  function findRoute(hostname: string): FoundRoute | Promise<FoundRoute> {
    look();
    return catchingUp === null ? find(hostname) : catchingUp.then(() => find(hostname));
  }

  const timer = setInterval(look, TICK_MS).unref();
  return Object.assign(findRoute, { close: () => clearInterval(timer) });
}
