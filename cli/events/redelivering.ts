import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../shared/schema/event.ts';
import { problemOf } from '../runtime/error-presenter.ts';
import { counted, isAccepted, redeliveryWords } from './event-words.ts';
import type { Pacer } from './pacer.ts';
import { exhausted, type PaceBudget, redeliverPaced, withUse } from './redeliver-paced.ts';
import type { Redelivery } from './view/event-rows.ts';
import type { ViewStore } from './view/view-state.ts';

interface RedeliveringOptions {
  store: ViewStore;
  client: Client;
  pacer: Pacer;
  elapsedMs(): number;
}

/**
 * Creates the functions that redeliver events from the event view. They update the rows, the estimate of the rate limit, and the notice.
 */
export function createRedelivering({ store, client, pacer, elapsedMs }: RedeliveringOptions) {
  const underWay = new Set<string>();
  let bulk: AbortController | null = null;

  return {
    /** Redelivers one event. @throws ApiError, NetworkError. The event's row shows the error too. */
    async one(event: EventResource): Promise<void> {
      // Ignore a second key press while this event is being redelivered.
      if (underWay.has(event.id)) return;
      underWay.add(event.id);
      mark(event, { state: 'under_way' });
      try {
        const delivery = await client.events.redeliver(event.id);
        answered(event, delivery);
        const text = `Redelivered ${event.id}: ${redeliveryWords(delivery)}.`;
        showNotice(text, isAccepted(delivery) ? 'good' : 'bad');
      } catch (error) {
        refused(event, error);
        throw error;
      } finally {
        underWay.delete(event.id);
        pacer.hurry();
      }
    },
    /** Redelivers events one by one, as fast as the API's rate limit allows. */
    async all(events: readonly EventResource[]): Promise<void> {
      const stop = new AbortController();
      bulk = stop;
      try {
        await sendAll(events, AbortSignal.any([stop.signal, pacer.signal]));
      } finally {
        bulk = null;
        store.dispatch({ kind: 'set', fields: { bulk: null } });
      }
    },
    /** Stops the redelivery that `all` has started. */
    stop(): void {
      bulk?.abort();
      pacer.hurry();
    },
  };

  async function sendAll(events: readonly EventResource[], signal: AbortSignal): Promise<void> {
    const count = { total: events.length, done: 0, accepted: 0 };
    const show = (waitingUntilMs: number | null) =>
      store.dispatch({ kind: 'set', fields: { bulk: { ...count, waitingUntilMs } } });
    let refusal = '';
    let waiting: EventResource | null = null;
    const pause = (waitMs: number) => waitOut(waitMs, signal);
    for await (const step of redeliverPaced(events, { redeliver: client.events.redeliver, pause, signal })) {
      const { event } = step;
      waiting = step.kind === 'waiting' ? event : null;
      switch (step.kind) {
        case 'sending':
          mark(event, { state: 'under_way' });
          show(null);
          break;
        case 'answered':
          count.done++;
          if (isAccepted(step.delivery)) count.accepted++;
          answered(event, step.delivery);
          pacer.hurry();
          break;
        case 'waiting':
          spend(exhausted(step.waitS, elapsedMs()));
          mark(event, { state: 'waiting' });
          show(elapsedMs() + step.waitS * 1000);
          break;
        case 'refused':
          refused(event, step.error);
          refusal = ` ${problemOf(step.error)}`;
      }
    }
    if (waiting) mark(waiting, { state: 'refused', problem: 'Stopped.' });
    const rest = count.total - count.done;
    const left = rest === 0 ? '' : ` ${rest} not sent.${refusal}`;
    const text = `Redelivered ${counted(count.done, 'event')}, ${count.accepted} got a 2xx.${left}`;
    showNotice(text, count.accepted === count.total ? 'good' : 'bad');
  }

  /** Waits for the full time or until the signal is aborted. A new event ends the pacer's pause early, so this repeats the pause. */
  async function waitOut(waitMs: number, signal: AbortSignal): Promise<void> {
    const untilMs = elapsedMs() + waitMs;
    while (!signal.aborted && elapsedMs() < untilMs) await pacer.pause(untilMs - elapsedMs());
  }

  function answered(event: EventResource, delivery: DeliveryResource): void {
    spend(withUse(store.get().budget, elapsedMs()));
    mark(event, { state: 'answered', delivery });
  }

  function refused(event: EventResource, error: unknown): void {
    if (error instanceof ApiError && error.status === 429) {
      spend(exhausted(error.retry_after_s ?? 1, elapsedMs()));
    }
    mark(event, { state: 'refused', problem: problemOf(error) });
  }

  function spend(budget: PaceBudget): void {
    store.dispatch({ kind: 'set', fields: { budget } });
  }

  function mark(event: EventResource, redelivery: Redelivery): void {
    store.dispatch({ kind: 'redelivered', id: event.id, redelivery });
  }

  function showNotice(text: string, tone: 'good' | 'bad'): void {
    store.dispatch({ kind: 'noticed', notice: { text, tone } });
  }
}
