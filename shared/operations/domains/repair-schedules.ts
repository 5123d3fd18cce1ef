import {
  ATTEMPT_AHEAD_MS_MAX,
  CLOCK_TOLERANCE_MS,
  JOB_AHEAD_MS_MAX,
  LEASE_MS_MAX,
} from '../../core/domains/cadence.ts';
import type { JobKind } from '../../core/domains/job.ts';
import type { AppId } from '../../core/ids.ts';
import type { ReasonCode } from '../../core/reasons.ts';
import { lockApp } from '../../store/accounts/apps.ts';
import { lockDomainById } from '../../store/domains/domains.ts';
import { findDomainsBrokenBy } from '../../store/domains/feature-use.ts';
import {
  endClaims,
  endLeases,
  pullBackAttempts,
  pullBackJobs,
  pullBackJobsOfDomains,
} from '../../store/pull-back.ts';
import { type Context, transact } from '../context.ts';
import { hasWhitelabel } from './customer-target.ts';
import { recordTransition } from './record-transition.ts';

/**
 * Makes work due that was scheduled while a clock ran ahead: rows whose due time is later than any schedule of their kind allows
 * (`decisions/0023`). Events keep their `created_at`, because receivers already have it and the order of events must not change.
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

const REASONS = ['whitelabel_unverified', 'whitelabel_ended'] as const satisfies ReasonCode[];
/** Number of domains that one transaction changes. It is small, so that other transactions do not wait long for locked rows. */
const BATCH = 100;

/**
 * Takes domains on the test timer out of `dns_broken` if their white-label host works again, or if the app no longer has the host
 * (`docs/test-mode.md`). Without DNS checks, nothing else would end this status.
 */
export async function recoverTimerDomains(context: Context, appId: AppId): Promise<void> {
  const modes = context.settings.timerForLive ? (['test', 'live'] as const) : (['test'] as const);
  let found: number;
  do {
    found = await transact(context, async (tx) => {
      const app = await lockApp(tx.store, appId);
      const serves = app.whitelabel_verified && (await hasWhitelabel(tx, app));
      const brokenHost = serves ? null : app.whitelabel_host;
      const ids = await findDomainsBrokenBy(tx.store, { appId, modes, reasons: REASONS, brokenHost }, BATCH);
      for (const id of ids) {
        const domain = await lockDomainById(tx.store, id);
        if (domain?.status === 'dns_broken') await recordTransition(tx, domain, { name: 'dns_confirmed' });
      }
      return ids.length;
    });
  } while (found === BATCH);
}
