import type { WebhookApp } from '../../core/apps/app.ts';
import { leaseEnd } from '../../core/domains/job.ts';
import type { AccountId, AppId, DomainId } from '../../core/ids.ts';
import { type Instant, SECOND_MS } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { type AttemptOutcome, isCancelled, type StoredEvent } from '../../core/webhooks/delivery.ts';
import { getWebhookApps } from '../../store/accounts/apps.ts';
import { claimInTurn, type DueApp } from '../../store/due-apps.ts';
import { endCancelledEvents, firstPendingEvents, lockEventsUnderLease } from '../../store/events/events.ts';
import {
  claimLanes,
  LANES,
  type LeasedLane,
  lanesRelease,
  lockScheduledLanes,
  type ScheduledLane,
  type ScheduledLease,
  scheduleFreeLanes,
} from '../../store/events/lanes.ts';
import { runTogether } from '../../store/run-together.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { type Attempt, attemptsWrite, beginAttempts, endAttempt } from './attempt.ts';

/** How long a worker leases a lane, a domain's event queue. An attempt takes less time, so the lease expires only after a crash. */
export const LANE_LEASE_MS = LIMITS.webhook_timeout_ms + 20 * SECOND_MS;
/** The maximum duration of an attempt, including the time to record its outcome. */
const ATTEMPT_MS_MAX = LIMITS.webhook_timeout_ms + 2 * SECOND_MS;

/** A leased lane (a domain's event queue), with the attempt to make. */
export interface ClaimedLane {
  lane: ScheduledLease;
  leaseUntil: Instant;
  attempt: Attempt;
}

export interface LaneRoom {
  appsMax: number;
  lanesMax: number;
  afterAppId: string;
  fullAccounts: readonly AccountId[];
  /** Starts a new distribution of the free slots among apps. The returned function says how many lanes of an app may be claimed. */
  shareOut: () => (app: DueApp) => number;
}

/** Claims due lanes and writes the delivery rows of their next attempts, in one short transaction. */
export async function claimDueLanes(
  context: Context,
  { shareOut, ...room }: LaneRoom,
): Promise<ClaimedLane[]> {
  return claimInTurn(context.store, LANES, () =>
    transact(context, async (tx) => {
      const now = tx.clock.now();
      const leaseUntil = leaseEnd(tx.settings, now, LANE_LEASE_MS);
      const { rows: leased, behind } = await claimLanes(tx.store, {
        ...room,
        roomOf: shareOut(), // Recomputed if the transaction is retried.
        now,
        lease_until: leaseUntil,
        makeLeaseId: () => tx.ids('lea'),
      });
      if (leased.length === 0) return { rows: [], behind };
      const apps = await getWebhookApps(
        tx.store,
        leased.map(({ app_id }) => app_id),
      );
      const next = await nextAttempts(
        tx,
        apps,
        leased.map((lane) => ({ lane, goOn: true })),
      );
      const rows = leased.flatMap((lane) => {
        const attempt = next.get(lane.domain_id);
        return attempt === undefined ? [] : [{ lane, leaseUntil, attempt }];
      });
      return { rows, behind };
    }),
  );
}

export interface FinishedAttempt extends ClaimedLane {
  outcome: AttemptOutcome;
  /** Whether to begin the next attempt if it is due. False during shutdown, when the lane is released instead. */
  goOn: boolean;
}

/**
 * Records the outcomes of attempts in one transaction. Drops an outcome if the worker has lost the lease of its lane.
 * @returns for each lane, the next attempt if it is already due, under the same lease. Null for other lanes.
 */
export async function recordFinished(
  context: Context,
  finished: readonly FinishedAttempt[],
): Promise<(ClaimedLane | null)[]> {
  return transact(context, async (tx) => {
    const held = await lockEventsUnderLease(
      tx.store,
      finished.map(({ lane, attempt }) => ({ ...lane, event: attempt.event })),
    );
    const apps = await getWebhookApps(
      tx.store,
      finished.map(({ lane }) => lane.app_id),
    );
    const now = tx.clock.now();
    const lanes: OpenLane[] = [];
    for (const { lane, leaseUntil, attempt, outcome, goOn } of finished) {
      const event = held.get(lane.lease_id);
      if (event === undefined) {
        const { id } = attempt.delivery;
        tx.log.warn({ delivery_id: id }, 'a delivery outlived its lease; its outcome is not recorded');
        continue;
      }
      const ended = endAttempt({ ...attempt, app: appOf(apps, lane), event }, outcome, now);
      // If the next attempt could outlast the lease, releases the lane, which a worker then claims again.
      lanes.push({ lane, ended, goOn: goOn && now + ATTEMPT_MS_MAX <= leaseUntil });
    }
    const next = await nextAttempts(tx, apps, lanes);
    return finished.map(({ lane, leaseUntil }) => {
      const attempt = held.has(lane.lease_id) ? next.get(lane.domain_id) : undefined;
      return attempt === undefined ? null : { lane, leaseUntil, attempt };
    });
  });
}

interface OpenLane {
  lane: LeasedLane;
  /** The attempt that just ended, if any. One statement writes it together with the attempts that begin. */
  ended?: Attempt;
  goOn: boolean;
}

/** Begins the next attempts that are due and returns them by domain. Releases every other lane until its next event is due. */
async function nextAttempts(
  tx: TxContext,
  apps: ReadonlyMap<AppId, WebhookApp>,
  lanes: readonly OpenLane[],
): Promise<Map<DomainId, Attempt>> {
  const ended = lanes.flatMap((open) => open.ended ?? []);
  const heads = await headsOf(tx, apps, lanes);
  const now = tx.clock.now();
  const due: Pick<Attempt, 'app' | 'event'>[] = [];
  const rest: (LeasedLane & { due_at: Instant | null })[] = [];
  for (const { lane, goOn } of lanes) {
    const event = heads.get(lane.domain_id);
    const dueAt = event?.next_attempt_at ?? null;
    if (event === undefined || dueAt === null || dueAt > now || !goOn) rest.push({ ...lane, due_at: dueAt });
    else due.push({ app: appOf(apps, lane), event });
  }
  const begun = await beginAttempts(tx, due, ended);
  await runTogether(
    tx.store,
    ...attemptsWrite(tx.store, [...ended, ...begun]),
    ...lanesRelease(tx.store, rest),
  );
  return new Map(begun.map((attempt) => [attempt.event.domain_id, attempt]));
}

/** Returns the event that each lane delivers next: the event of the last attempt if it will be retried, else the first pending event. */
async function headsOf(
  tx: TxContext,
  apps: ReadonlyMap<AppId, WebhookApp>,
  lanes: readonly OpenLane[],
): Promise<Map<DomainId, StoredEvent>> {
  const again = lanes.flatMap(({ ended }) => (ended?.event.delivery_status === 'pending' ? ended.event : []));
  const others = lanes.filter(({ ended }) => ended?.event.delivery_status !== 'pending');
  const readFirst = () =>
    firstPendingEvents(
      tx.store,
      others.map(({ lane: { domain_id }, ended }) => ({
        domain_id,
        after_seq: ended?.event.seq ?? 0,
        from_epoch: 0,
      })),
    );
  let first = await readFirst();
  const isStale = ({ lane }: OpenLane) => {
    const event = first.get(lane.domain_id);
    return event !== undefined && isCancelled(event, appOf(apps, lane));
  };
  const stale = others.filter(isStale);
  if (stale.length > 0) {
    await endCancelledEvents(
      tx.store,
      stale.map(({ lane }) => lane.domain_id),
    );
    first = await readFirst();
  }
  return new Map([...first, ...again.map((event) => [event.domain_id, event] as const)]);
}

function appOf(apps: ReadonlyMap<AppId, WebhookApp>, { app_id }: LeasedLane): WebhookApp {
  const app = apps.get(app_id);
  if (app === undefined) throw new TypeError(`A lane belongs to ${app_id}, which does not exist`);
  return app;
}

/** The number of lanes in one transaction. It is small, so that deliveries do not wait long for locked rows. */
const BATCH = 100;

/**
 * Runs the job `end_deliveries`: marks the deliveries that `webhook_url: null` cancelled as ended, in short transactions. The API and the
 * workers treat these deliveries as ended since the request, so this job may run late (`decisions/0091`). It clears the due time of each
 * finished lane, so a second run continues where the first stopped.
 * @returns null, because the job is done after one run.
 */
export async function endDeliveries(
  context: Context,
  { subject_id: appId }: { subject_id: AppId },
): Promise<null> {
  let last: ScheduledLane | null = null;
  do {
    last = await transact(context, async (tx) => {
      const lanes = await lockScheduledLanes(tx.store, appId, BATCH, last);
      const domainIds = lanes.map(({ domain_id }) => domain_id);
      await endCancelledEvents(tx.store, domainIds);
      await scheduleFreeLanes(tx.store, domainIds);
      return lanes.at(-1) ?? null;
    });
  } while (last !== null);
  return null;
}
