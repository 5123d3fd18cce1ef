import type { Instant } from '../../shared/core/instant.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { JobHandlers } from '../../shared/jobs/handlers.ts';
import type { Context } from '../../shared/operations/context.ts';
import { probeAppOrigin } from '../../shared/operations/edge/probe-origin.ts';
import type { Stay } from '../../shared/operations/under-lease.ts';
import type { Outbound } from '../../shared/ports/outbound.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { findApp } from '../../shared/store/accounts/apps.ts';

/** Wraps job handlers so that `note` is called with the kind of each finished job. */
export function countedHandlers(handlers: JobHandlers, note: (kind: string) => void): JobHandlers {
  const counted = Object.entries(handlers).map(([kind, handle]) => [
    kind,
    async (context: Context, job: never, stay: Stay) => {
      const dueAgain = await handle(context, job, stay);
      note(kind);
      return dueAgain;
    },
  ]);
  return Object.fromEntries(counted);
}

/**
 * Wraps the job handlers so that a long move of the clock makes few probes of an origin. The origin is a real server, so months of probes
 * within one second would all get the same result. If the result is stable, the next probe is due at the end of the move.
 * @param target returns the end of the current move; null if the clock is not being moved.
 */
export function withSparseProbes(handlers: JobHandlers, target: () => Instant | null): JobHandlers {
  return {
    ...handlers,
    async probe_origin(context, job) {
      const appId = job.subject_id;
      const next = await probeAppOrigin(context, appId);
      const end = target();
      if (next === null || end === null || end <= next) return next;
      const failures = (await findApp(context.store, appId))?.origin_failures ?? 0;
      const isStable = failures === 0 || failures >= LIMITS.probe_failures_unreachable;
      return isStable ? end : next;
    },
  };
}

/**
 * Wraps an outbound client so that response times are measured by the emulator's clock. With a frozen clock they are 0, so that two runs
 * give equal results.
 */
export function timedByClock(outbound: Outbound, clock: Clock): Outbound {
  return {
    ...outbound,
    async send(request) {
      const sentAt = clock.now();
      const result = await outbound.send(request);
      return { ...result, response_ms: clock.now() - sentAt };
    },
  };
}
