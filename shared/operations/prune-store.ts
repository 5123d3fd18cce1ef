import { DAY_MS, type Instant } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import { prune } from '../store/prune.ts';
import type { Context } from './context.ts';

const EVERY_MS = DAY_MS;

/** Deletes what was kept long enough, a batch at a time. @returns when to look again: at once while there is more. */
export async function pruneStore(context: Context): Promise<Instant> {
  const now = context.clock.now();
  const more = await prune(context.store, {
    idempotency: now - LIMITS.idempotency_kept_ms,
    events: now - context.settings.retention_ms,
    rate_windows: now - LIMITS.redeliver_window_ms,
  });
  return more ? now : now + EVERY_MS;
}
