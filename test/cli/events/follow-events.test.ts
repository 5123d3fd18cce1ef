import { expect, test } from 'vitest';
import { type FeedItem, followEvents } from '../../../cli/events/follow-events.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import { apiError, type EventList, eventList } from './event-list.ts';

/** Follows the events of a source. The clock moves only while the follower pauses. */
function follow(source: EventList, itemsMax: number) {
  const clock = { now_ms: 0 };
  const pausedMs: number[] = [];
  const ended = new AbortController();
  const feed = followEvents({
    source,
    query: {},
    since: null,
    backlog: 10,
    elapsedMs: () => clock.now_ms,
    pause: async (waitMs) => {
      pausedMs.push(waitMs);
      clock.now_ms += waitMs;
    },
    signal: ended.signal,
  });
  const items = async () => {
    const all: FeedItem[] = [];
    for await (const item of feed) {
      all.push(item);
      if (all.length === itemsMax) ended.abort();
    }
    return all;
  };
  return { items, paused_ms: pausedMs };
}

const lost = () => new NetworkError('Cannot reach it.');

test('followEvents polls once a second', async () => {
  const { items, paused_ms } = follow(eventList(3), 4);
  expect((await items()).map((item) => item.kind)).toEqual(['answer', 'answer', 'answer', 'answer']);
  expect(paused_ms).toEqual([1000, 1000, 1000, 1000]);
});

test('followEvents retries a lost connection with growing waits, and reports the next attempt', async () => {
  const list = eventList(1);
  list.failures.push(...Array.from({ length: 7 }, lost));
  const { items, paused_ms } = follow(list, 8);
  const all = await items();
  expect(all.map(({ kind }) => kind)).toEqual([...Array(7).fill('retrying'), 'answer']);
  expect(paused_ms.slice(0, 7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(all[1]).toMatchObject({ kind: 'retrying', untilMs: 3_000 });
});

test('after a response, the next retries of followEvents begin with a short wait again', async () => {
  const list = eventList(1);
  const { items, paused_ms } = follow(list, 4);
  list.failures.push(lost(), lost());
  const works = list.list;
  let calls = 0;
  list.list = async (query) => {
    if (++calls === 4) throw lost();
    return works(query);
  };
  expect((await items()).map(({ kind }) => kind)).toEqual(['retrying', 'retrying', 'answer', 'retrying']);
  expect(paused_ms).toEqual([1000, 2000, 1000, 1000]);
});

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [422, 'validation_failed'],
])('followEvents stops after a refusal (%i)', async (status, code) => {
  const list = eventList(1);
  list.failures.push(apiError(status, code));
  const { items } = follow(list, 9);
  expect(await items()).toMatchObject([{ kind: 'stopped', error: { code } }]);
});

test('followEvents waits after a 429 for as long as the response says', async () => {
  const list = eventList(1);
  list.failures.push(apiError(429, 'rate_limited', 42));
  const { items, paused_ms } = follow(list, 2);
  expect((await items()).map(({ kind }) => kind)).toEqual(['retrying', 'answer']);
  expect(paused_ms[0]).toBe(42_000);
});

test('followEvents shortens its wait on request after a lost connection, but not a wait that the API asked for', async () => {
  const waits = async (failure: Error) => {
    const list = eventList(1);
    list.failures.push(failure);
    const ended = new AbortController();
    let nowMs = 0;
    let pauses = 0;
    const feed = followEvents({
      source: list,
      query: {},
      since: null,
      backlog: 10,
      elapsedMs: () => nowMs,
      pause: async (waitMs) => {
        pauses++;
        nowMs += waitMs / 2 + 1;
      },
      signal: ended.signal,
    });
    for await (const { kind } of feed) if (kind === 'answer') ended.abort();
    return { pauses, now_ms: nowMs };
  };
  expect((await waits(apiError(429, 'rate_limited', 40))).now_ms).toBeGreaterThanOrEqual(40_000);
  // The lost connection causes one pause, and the response another one.
  expect((await waits(lost())).pauses).toBe(2);
});

test('followEvents throws an unexpected error instead of treating it as a lost connection', async () => {
  const list = eventList(1);
  list.failures.push(new TypeError('oops'));
  await expect(follow(list, 1).items()).rejects.toThrow('oops');
});
