import {
  ATTEMPT_AHEAD_MS_MAX,
  CLOCK_TOLERANCE_MS,
  JOB_AHEAD_MS_MAX,
  LEASE_MS_MAX,
} from '../../core/domains/cadence.ts';
import type { JobKind } from '../../core/domains/job.ts';
import {
  endClaims,
  endLeases,
  pullBackAttempts,
  pullBackJobs,
  pullBackJobsOfDomains,
} from '../../store/pull-back.ts';
import type { Context } from '../context.ts';

/**
 * Makes work due again that was scheduled while a clock ran ahead: rows that are due later than any schedule of their kind allows
 * (`decisions/0023`). Events keep their `created_at`, because receivers already have it and their order must not change.
 * @returns the number of changed rows.
 */
export async function repairSchedules({
  store,
  clock,
  notices,
  log,
}: Pick<Context, 'store' | 'clock' | 'notices' | 'log'>): Promise<number> {
  const now = clock.now();
  const after = now + CLOCK_TOLERANCE_MS;
  let changed = await endLeases(store, after + LEASE_MS_MAX, now);
  changed += await endClaims(store, after + LEASE_MS_MAX, now);
  changed += await pullBackJobsOfDomains(store, after, now);
  for (const [kind, aheadMs] of Object.entries(JOB_AHEAD_MS_MAX)) {
    changed += await pullBackJobs(store, kind as JobKind, after + aheadMs, now);
  }
  changed += await pullBackAttempts(store, ATTEMPT_AHEAD_MS_MAX, CLOCK_TOLERANCE_MS, now);
  if (changed > 0) {
    log.warn({ changed }, 'work that a wrong clock had postponed is due again');
    notices.publish({ kind: 'work' });
  }
  return changed;
}
