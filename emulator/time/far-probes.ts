import type { AppId } from '../../shared/core/ids.ts';
import type { Instant } from '../../shared/core/instant.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { JobHandlers } from '../../shared/jobs/handlers.ts';
import { probeAppOrigin } from '../../shared/operations/edge/probe-origin.ts';
import { findApp } from '../../shared/store/accounts/apps.ts';

/**
 * The probes of origins, thinned where the clock is moved far: an origin is a real server, and months of probes that are made within the
 * same second all see the same. Once it is settled what it does, the next one is at the end of the move.
 * @param target where the move under way ends; null without one.
 */
export function withFarProbes(handlers: JobHandlers, target: () => Instant | null): JobHandlers {
  return {
    ...handlers,
    async probe_origin(context, job) {
      const app_id = job.subject_id as AppId;
      const next = await probeAppOrigin(context, app_id);
      const end = target();
      if (next === null || end === null || end <= next) return next;
      const failures = (await findApp(context.store, app_id))?.origin_failures ?? 0;
      const settled = failures === 0 || failures >= LIMITS.probe_failures_unreachable;
      return settled ? end : next;
    },
  };
}
