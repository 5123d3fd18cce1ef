import type { OriginStatusReason } from '../../core/apps/app.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Store, Tx } from '../store.ts';

/** The result of one probe of an app's origin. */
export interface OriginProbe {
  at: Instant;
  /** Null if there was no response. */
  status_code: number | null;
  latency_ms: number | null;
  /** Null if the origin is reachable. */
  reason: OriginStatusReason | null;
}

/**
 * Stores a probe and deletes the oldest one, so that an app never has more than a day of probes. The caller must have locked the app's row.
 */
export async function insertOriginProbe({ db }: Tx, appId: AppId, probe: OriginProbe): Promise<void> {
  const newest = await db
    .selectFrom('origin_probes')
    .select('slot')
    .where('app_id', '=', appId)
    .orderBy('at', 'desc')
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
  const slot = newest === undefined ? 0 : (newest.slot + 1) % LIMITS.origin_probes_per_app;
  await db
    .insertInto('origin_probes')
    .values({ ...probe, app_id: appId, slot })
    .onConflict((conflict) => conflict.columns(['app_id', 'slot']).doUpdateSet({ ...probe }))
    .execute();
}

/** Lists the probes of an app's current origin, newest first. */
export async function listOriginProbes({ db }: Store, appId: AppId): Promise<OriginProbe[]> {
  return db
    .selectFrom('origin_probes')
    .select(['at', 'status_code', 'latency_ms', 'reason'])
    .where('app_id', '=', appId)
    .orderBy('at', 'desc')
    .orderBy('slot', 'desc')
    .execute();
}

/** Deletes the probes of an app, because the app has a new origin. */
export async function deleteOriginProbes({ db }: Tx, appId: AppId): Promise<void> {
  await db.deleteFrom('origin_probes').where('app_id', '=', appId).execute();
}
