import type { Instant } from '../../shared/core/instant.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { JobHandlers } from '../../shared/jobs/handlers.ts';
import { probeAppOrigin } from '../../shared/operations/edge/probe-origin.ts';
import { findApp } from '../../shared/store/accounts/apps.ts';

/**
 * Wraps the job handlers so that a long move of the clock makes few probes of an origin. The origin is a real server, so months of probes
 * within one second would all see the same. Once the result is stable, the next probe is due at the end of the move.
 * @param target end of the current move; null if the clock is not being moved.
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
