import { expect, test } from 'vitest';
import {
  exhausted,
  FULL_BUDGET,
  type RedeliveryStep,
  redeliverPaced,
  remainingOf,
  withUse,
} from '../../../cli/events/redeliver-paced.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource } from '../../../shared/schema/event.ts';
import { apiError, eventAt } from './event-list.ts';

const DELIVERY = { id: 'dlv_1', attempt: 2, status_code: 200 } as DeliveryResource;
const EVENTS = [eventAt(0), eventAt(1), eventAt(2)];

/** @param outcomes the outcome of each call, in order: an error, or null for a response. */
async function redeliver(outcomes: (Error | null)[], stopAfter = Number.POSITIVE_INFINITY) {
  const ended = new AbortController();
  const sleptMs: number[] = [];
  const steps: RedeliveryStep[] = [];
  const options = {
    redeliver: async () => {
      const outcome = outcomes.shift();
      if (outcome) throw outcome;
      return DELIVERY;
    },
    pause: async (waitMs: number) => void sleptMs.push(waitMs),
    signal: ended.signal,
  };
  for await (const step of redeliverPaced(EVENTS, options)) {
    steps.push(step);
    if (steps.length === stopAfter) ended.abort();
  }
  return { told: steps.map(({ kind, event }) => `${kind} ${Number(event.id.slice(4))}`), sleptMs };
}

test('the redelivery of several events sends each event after the response to the previous one', async () => {
  const { told } = await redeliver([]);
  expect(told).toEqual(['sending 0', 'answered 0', 'sending 1', 'answered 1', 'sending 2', 'answered 2']);
});

test('the redelivery of several events waits as long as a 429 says, then sends the same event again', async () => {
  const { told, sleptMs } = await redeliver([null, apiError(429, 'rate_limited', 42)]);
  expect(told.slice(2, 6)).toEqual(['sending 1', 'waiting 1', 'sending 1', 'answered 1']);
  expect(sleptMs).toEqual([42_000]);
});

test('the redelivery of several events gives up if the rate limit does not end', async () => {
  const { told, sleptMs } = await redeliver(
    Array.from({ length: 9 }, () => apiError(429, 'rate_limited', 60)),
  );
  expect(told.at(-1)).toBe('refused 0');
  expect(sleptMs).toHaveLength(4);
});

test('the redelivery of several events skips a missing event, and stops at an error that every event would get', async () => {
  const gone = await redeliver([apiError(404, 'not_found')]);
  expect(gone.told).toEqual(['sending 0', 'refused 0', 'sending 1', 'answered 1', 'sending 2', 'answered 2']);
  for (const error of [apiError(422, 'validation_failed'), new NetworkError('lost')]) {
    expect((await redeliver([null, error])).told.at(-1)).toBe('refused 1');
  }
});

test('the redelivery of several events can be stopped between two events', async () => {
  expect((await redeliver([], 2)).told).toEqual(['sending 0', 'answered 0']);
  const waiting = await redeliver([apiError(429, 'rate_limited', 42)], 2);
  expect(waiting.told).toEqual(['sending 0', 'waiting 0']);
});

test('the number of redeliveries still allowed is the limit minus the redeliveries of the last minute', () => {
  expect(remainingOf(FULL_BUDGET, 0)).toBe(10);
  const used = withUse(withUse(FULL_BUDGET, 1_000), 30_000);
  expect([remainingOf(used, 30_000), remainingOf(used, 60_999), remainingOf(used, 61_000)]).toEqual([
    8, 8, 10,
  ]);
  expect(remainingOf(withUse(used, 61_000), 61_000)).toBe(9);
  const refused = exhausted(42, 10_000);
  expect([remainingOf(refused, 51_999), remainingOf(refused, 52_000)]).toEqual([0, 10]);
});
