import { SESSION } from '../core/accounts/session.ts';
import { BUDGETS } from '../core/budgets.ts';
import { DAY_MS, type Instant } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import { oldestTraffic } from '../core/traffic/traffic-range.ts';
import { deletePassedLimits } from '../store/certificates/ca-limits.ts';
import { prune } from '../store/prune.ts';
import { autocommit } from '../store/store.ts';
import type { Context } from './context.ts';
import { EDGE_DELETIONS_KEPT_MS } from './edge/publish-edge-values.ts';

const EVERY_MS = DAY_MS;
const LONGEST_WINDOW_MS = Math.max(
  ...Object.values(BUDGETS).map((each) => ('windowMs' in each ? each.windowMs : 0)),
);

/** Deletes rows that are past their retention, one batch at a time. @returns when to run again: at once if rows remain. */
export async function pruneStore(context: Context): Promise<Instant> {
  const now = context.clock.now();
  await deletePassedLimits(autocommit(context.store), now);
  const more = await prune(autocommit(context.store), {
    idempotency: now - LIMITS.idempotency_kept_ms,
    events: now - context.settings.retentionMs,
    certificates: now - context.settings.retentionMs,
    edgeValues: now - EDGE_DELETIONS_KEPT_MS,
    rate_windows: now - LONGEST_WINDOW_MS,
    unconfirmedMail: now - LIMITS.mail_unconfirmed_kept_ms,
    signInLinks: now,
    signInChallenges: now,
    sessions: now - SESSION.idle_ms,
    trafficHours: oldestTraffic('hour', now, context.settings.trafficRetentionMs),
    trafficDays: oldestTraffic('day', now, context.settings.trafficRetentionMs),
    trafficWriters: now - LIMITS.traffic_writers_kept_ms,
    billing_events: now - LIMITS.billing_events_kept_ms,
  });
  return more ? now : now + EVERY_MS;
}
