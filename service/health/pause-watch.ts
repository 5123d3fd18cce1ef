import type { Server } from 'node:http';
import { monotonicClock, systemClock } from '../../shared/adapters/system.ts';
import { SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';

/**
 * Creates a function that returns the milliseconds since its previous call, as measured by the clock that shows the longest time. One clock
 * is not enough, because a monotonic clock may stop while the machine sleeps.
 */
export function stopwatch(clocks: readonly Clock[] = [monotonicClock, systemClock]): () => number {
  const read = () => clocks.map((clock) => clock.now());
  let last = read();
  return () => {
    const now = read();
    const longest = Math.max(...now.map((at, index) => at - (last[index] ?? at)));
    last = now;
    return longest;
  };
}

/** Logs each pause of this process of at least 5 s, once the process runs again. @param server when this server closes, the watch ends. */
export function watchPauses(log: Log, server: Server, elapsedMs = stopwatch(), everyMs = SECOND_MS): void {
  const timer = setInterval(() => {
    const pausedMs = elapsedMs() - everyMs;
    if (pausedMs < 5 * SECOND_MS) return;
    const seconds = Math.round(pausedMs / SECOND_MS);
    log.warn(
      { paused_ms: pausedMs },
      `for ${seconds} s, this process was stopped, its machine slept or was too busy, or the clock jumped`,
    );
  }, everyMs).unref();
  server.once('close', () => clearInterval(timer));
}
