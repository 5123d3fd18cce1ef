import type { App } from '../core/app.ts';
import type { AttemptOutcome } from '../core/delivery.ts';
import type { AppId, DomainId } from '../core/ids.ts';
import { type Instant, SECOND_MS } from '../core/instant.ts';
import { leaseEnd } from '../core/lease.ts';
import { LIMITS } from '../core/limits.ts';
import { getApps } from '../store/apps.ts';
import { endPendingEvents, firstPendingEvents } from '../store/events.ts';
import { claimLanes, heldLeases, type LeasedLane, releaseLanes } from '../store/lanes.ts';
import { type Attempt, beginAttempts, recordAttempts } from './attempt.ts';
import { type Context, transact } from './context.ts';

/** Longer than an attempt can take, so that a lease runs out only when its worker is gone. */
export const LANE_LEASE_MS = LIMITS.webhook_timeout_ms + 20 * SECOND_MS;
/** What an attempt takes at the most, recording it included. */
const ATTEMPT_MS_MAX = LIMITS.webhook_timeout_ms + 2 * SECOND_MS;

/** A lane under lease with the attempt to make. */
export interface ClaimedLane {
  lane: LeasedLane;
  lease_until: Instant;
  attempt: Attempt;
}

export interface LaneRoom {
  apps_max: number;
  lanes_max: number;
  after_app_id: string;
  room_of: (app_id: AppId) => number;
}

/** Claims due lanes and writes the attempts' delivery rows, in one short transaction. */
export async function claimDueLanes(context: Context, room: LaneRoom): Promise<ClaimedLane[]> {
  return transact(context, async (tx) => {
    const now = tx.clock.now();
    const lease_until = leaseEnd(tx.settings, now, LANE_LEASE_MS);
    const leased = await claimLanes(tx.store, {
      ...room,
      now,
      lease_until,
      make_lease_id: () => tx.ids('lea'),
    });
    if (leased.length === 0) return [];
    const apps = await getApps(
      tx.store,
      leased.map(({ app_id }) => app_id),
    );
    const next = await nextAttempts(tx, apps, leased);
    return leased.flatMap((lane) => {
      const attempt = next.get(lane.domain_id);
      return attempt === undefined ? [] : [{ lane, lease_until, attempt }];
    });
  });
}

export interface FinishedAttempt extends ClaimedLane {
  outcome: AttemptOutcome;
  /** False while shutting down: the lane is given back even where more is due. */
  go_on: boolean;
}

/**
 * Records outcomes in one transaction, each guarded by its lane's lease: a worker that lost it changes nothing.
 * @returns the lanes' next attempts, where the next event is due already: the lease goes on.
 */
export async function recordFinished(
  context: Context,
  finished: readonly FinishedAttempt[],
): Promise<(ClaimedLane | null)[]> {
  return transact(context, async (tx) => {
    const held = await heldLeases(
      tx.store,
      finished.map(({ lane }) => lane),
    );
    const mine = finished.filter(({ lane, attempt }) => {
      if (held.has(lane.lease_id)) return true;
      const { id } = attempt.delivery;
      tx.log.warn({ delivery_id: id }, 'the lease of a lane was lost; its outcome is not recorded');
      return false;
    });
    const apps = await getApps(
      tx.store,
      mine.map(({ lane }) => lane.app_id),
    );
    await recordAttempts(
      tx,
      mine.map(({ lane, attempt, outcome }) => ({ app: appOf(apps, lane), attempt, outcome })),
    );
    // A lease that another attempt could outlast is not used for it: the lane is given back and claimed anew.
    const lasts_until = tx.clock.now() + ATTEMPT_MS_MAX;
    const next = await nextAttempts(
      tx,
      apps,
      mine.map(({ lane, lease_until, go_on }) => ({ ...lane, go_on: go_on && lasts_until <= lease_until })),
    );
    return finished.map(({ lane, lease_until }) => {
      const attempt = next.get(lane.domain_id);
      return attempt === undefined || !held.has(lane.lease_id) ? null : { lane, lease_until, attempt };
    });
  });
}

/** The lanes' next attempts where they are due, by domain; every other lane is given back until its own is. */
async function nextAttempts(
  tx: Context,
  apps: ReadonlyMap<AppId, App>,
  lanes: readonly (LeasedLane & { go_on?: boolean })[],
): Promise<Map<DomainId, Attempt>> {
  for (const [app_id, app] of apps) {
    const unheard = lanes.filter((lane) => lane.app_id === app_id).map(({ domain_id }) => domain_id);
    if (app.webhook_url === null) await endPendingEvents(tx.store, app_id, unheard);
  }
  const events = await firstPendingEvents(
    tx.store,
    lanes.map(({ domain_id }) => domain_id),
  );
  const now = tx.clock.now();
  const due: Pick<Attempt, 'app' | 'event'>[] = [];
  const rest: (LeasedLane & { due_at: Instant | null })[] = [];
  for (const lane of lanes) {
    const event = events.get(lane.domain_id);
    const due_at = event?.next_attempt_at ?? null;
    if (event === undefined || due_at === null || due_at > now || lane.go_on === false)
      rest.push({ ...lane, due_at });
    else due.push({ app: appOf(apps, lane), event });
  }
  await releaseLanes(tx.store, rest);
  const attempts = await beginAttempts(tx, due, true);
  return new Map(attempts.map((attempt) => [attempt.event.domain_id, attempt]));
}

function appOf(apps: ReadonlyMap<AppId, App>, { app_id }: LeasedLane): App {
  const app = apps.get(app_id);
  if (app === undefined) throw new TypeError(`A lane is of ${app_id}, which is not there`);
  return app;
}
