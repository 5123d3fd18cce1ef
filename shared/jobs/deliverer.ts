import { setImmediate } from 'node:timers/promises';
import type { AttemptOutcome } from '../core/webhooks/delivery.ts';
import type { Context } from '../operations/context.ts';
import { sendAttempt } from '../operations/events/attempt.ts';
import {
  type ClaimedLane,
  claimDueLanes,
  type FinishedAttempt,
  recordFinished,
} from '../operations/events/deliver-events.ts';
import type { DueApp } from '../store/due-apps.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { createInFlight, type InFlightLimits } from './in-flight.ts';

export interface DelivererEvents {
  /** Called when an attempt has ended, so that another can start. */
  onRoom: () => void;
  onAttempt?: (outcome: AttemptOutcome) => void;
}

export interface Deliverer {
  /** Claims due lanes (event queues of domains) up to the limits, and starts their deliveries. @returns the number of claimed lanes. */
  claim(): Promise<number>;
  /** Resolves when no attempt is running. */
  idle(): Promise<void>;
  /** Claims no more lanes, and releases each lane after its current attempt. Resolves when no attempt is running. */
  drain(): Promise<void>;
}

/** Delivers the events of due lanes (event queues of domains) in parallel, one attempt at a time in each lane (`docs/webhooks.md`). */
export function createDeliverer(
  context: Context,
  limits: InFlightLimits,
  { onRoom, onAttempt }: DelivererEvents,
): Deliverer {
  const inFlight = createInFlight(limits);
  const running = new Set<Promise<void>>();
  const record = createGroupCommit<FinishedAttempt, ClaimedLane | null>(
    (items) => recordFinished(context, items),
    {
      // While the database writes one batch, the next batch can be sent. SQLite has a single writer, so a second flush would only wait.
      parallel: context.store.flags.rowLocks ? 2 : 1,
      // If the database refuses a row, only the outcome with that row fails, and the other outcomes are recorded.
      splits: (error) => !isStoreUnavailable(error),
    },
  );
  let draining = false;
  let lastAppId = '';

  /**
   * Returns a function that returns how many lanes of an app may be claimed. Each call reduces the remaining capacity by the lanes that it
   * has allowed.
   */
  function shareOut(): (app: DueApp) => number {
    const shares = inFlight.copy();
    return ({ account_id }) => {
      const room = shares.room(account_id);
      shares.add(account_id, room);
      return room;
    };
  }

  async function work(first: ClaimedLane): Promise<void> {
    const { account_id, domain_id } = first.lane;
    let claimed = first;
    inFlight.add(account_id, 1);
    try {
      for (;;) {
        const outcome = await sendAttempt(context, claimed.attempt);
        onAttempt?.(outcome);
        const next = await record({ ...claimed, outcome, goOn: !draining });
        if (next === null) return;
        claimed = next;
      }
    } catch (error) {
      // Once the lease has expired, a worker claims the lane and repeats the attempt with the same delivery id.
      const { event_id, id: deliveryId } = claimed.attempt.delivery;
      context.log.error(
        { error, domain_id, event_id, delivery_id: deliveryId },
        'a delivery could not be recorded',
      );
    } finally {
      inFlight.add(account_id, -1);
    }
  }

  return {
    async claim() {
      const lanesMax = inFlight.room(null);
      if (draining || lanesMax === 0) return 0;
      const claimed = await claimDueLanes(context, {
        appsMax: lanesMax,
        fullAccounts: inFlight.full,
        lanesMax,
        afterAppId: lastAppId,
        shareOut,
      });
      for (const lane of claimed) {
        lastAppId = lane.lane.app_id;
        const done = work(lane).finally(() => {
          running.delete(done);
          onRoom();
        });
        running.add(done);
      }
      return claimed.length;
    },
    async idle() {
      while (running.size > 0) await Promise.race(running);
    },
    async drain() {
      draining = true;
      await this.idle();
    },
  };
}

export interface GroupCommitOptions {
  /** Maximum number of items per flush. */
  max?: number;
  /** Maximum number of simultaneous flushes. */
  parallel?: number;
  /**
   * Returns whether a single item may have caused the error. If so, the flush is repeated in halves, until only the items that cause errors
   * fail.
   */
  splits?: (error: unknown) => boolean;
}

/**
 * Returns a function that collects the items which arrive in one turn of the event loop or during a flush, and flushes them together. Many
 * outcomes thus share one transaction, and no timer delays the first outcome.
 */
export function createGroupCommit<In, Out>(
  flush: (items: readonly In[]) => Promise<readonly Out[]>,
  { max = 100, parallel = 1, splits = () => false }: GroupCommitOptions = {},
) {
  let waiting: Waiting<In, Out>[] = [];
  let running = 0;

  async function end(batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(outs[index] as Out);
      });
    } catch (error) {
      if (batch.length > 1 && splits(error)) {
        const half = Math.ceil(batch.length / 2);
        await end(batch.slice(0, half));
        await end(batch.slice(half));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  async function run(): Promise<void> {
    running += 1;
    while (waiting.length > 0) {
      // Lets more items arrive before the flush. SQLite runs synchronously, so every flush would otherwise have a single item.
      await setImmediate();
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      await end(batch);
    }
    running -= 1;
  }

  return function add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < parallel) void run();
    });
  };
}

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}
