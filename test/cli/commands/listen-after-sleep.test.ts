import { expect, test } from 'vitest';
import type { FeedItem } from '../../../cli/events/follow-events.ts';
import { relayEvents } from '../../../cli/listen/relay-events.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import type { EventResource } from '../../../shared/schema/event.ts';

const MINUTE_MS = 60_000;

function answer(...ids: string[]): FeedItem {
  return {
    kind: 'answer',
    atMs: 0,
    events: ids.map((id) => ({ id }) as EventResource),
    changed: [],
    gap: null,
    wasReset: false,
  };
}

const LOST: FeedItem = { kind: 'retrying', error: new NetworkError('Cannot reach it.'), untilMs: 0 };

/** Passes items on as the command `listen` does. Before each item, the wall clock advances by the item's `afterMs`. */
async function handedOn(items: [afterMs: number, item: FeedItem][]) {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const [notes, ids]: [string[], string[]] = [[], []];
  async function* feed() {
    for (const [afterMs, item] of items) {
      now += afterMs;
      yield item;
    }
  }
  await relayEvents(feed(), {
    onBegun: () => notes.push('begun'),
    add: ({ id }) => ids.push(id),
    note: (text) => notes.push(text),
    wallMs: () => now,
  });
  return { notes, ids };
}

test('listen reports once that the machine slept, and then forwards the missed events', async () => {
  const { notes, ids } = await handedOn([
    [0, answer('evt_1')],
    [1_000, answer('evt_2')],
    [8 * 60 * MINUTE_MS + 5 * MINUTE_MS, answer('evt_3', 'evt_4')],
    [1_000, answer('evt_5')],
  ]);
  expect(notes).toEqual(['begun', 'This machine slept for 8 h 5 min. Forwarding the events since then.']);
  expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']);
});

test('listen does not mistake a minute between two responses for a sleep of the machine', async () => {
  const { notes } = await handedOn([
    [0, answer()],
    [MINUTE_MS, answer()],
  ]);
  expect(notes).toEqual(['begun']);
});

test('listen reports nothing if the clock was set back', async () => {
  const { notes } = await handedOn([
    [0, answer()],
    [-60 * MINUTE_MS, answer()],
    [1_000, answer()],
  ]);
  expect(notes).toEqual(['begun']);
});

test('listen reports once that the connection was lost during a sleep, and once that the connection is back', async () => {
  const { notes, ids } = await handedOn([
    [0, answer('evt_1')],
    [2 * MINUTE_MS, LOST],
    [1_000, LOST],
    [1_000, answer('evt_2')],
  ]);
  expect(notes).toEqual([
    'begun',
    'Cannot reach it. Retrying until it responds.',
    'Reconnected after 2 min 2 s. Forwarding the events since then.',
  ]);
  expect(ids).toEqual(['evt_1', 'evt_2']);
});
