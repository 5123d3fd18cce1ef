import {
  ATTEMPT_AHEAD_MS_MAX,
  CLOCK_TOLERANCE_MS,
  JOB_AHEAD_MS_MAX,
  LEASE_MS_MAX,
} from '../core/due-bounds.ts';
import type { JobKind } from '../core/job.ts';
import {
  endClaims,
  endLeases,
  pullBackAttempts,
  pullBackJobs,
  pullBackJobsOfDomains,
} from '../store/pull-back.ts';
import type { Context } from './context.ts';

/**
 * Makes due what a clock that was ahead has put off: rows that lie further ahead than any schedule of their kind can set them
 * (`decisions/0023`). Events keep their `created_at`: it was sent, and those of a domain stay in order.
 * @returns how many rows were changed.
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
  for (const [kind, ahead_ms] of Object.entries(JOB_AHEAD_MS_MAX)) {
    changed += await pullBackJobs(store, kind as JobKind, after + ahead_ms, now);
  }
  changed += await pullBackAttempts(store, ATTEMPT_AHEAD_MS_MAX, CLOCK_TOLERANCE_MS, now);
  if (changed > 0) {
    log.warn({ changed }, 'work that was put off by a clock that was ahead is due now');
    notices.publish({ kind: 'work' });
  }
  return changed;
}
