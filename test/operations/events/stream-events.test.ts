import { expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/core/instant.ts';
import type { StoredEvent } from '../../../shared/core/webhooks/delivery.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import {
  type EventFeed,
  encodePlace,
  type FeedEvent,
  LOOK_BACK_MS,
  openEventFeed,
} from '../../../shared/operations/events/stream-events.ts';
import { SNAPSHOTS } from '../../../shared/store/commit-order.ts';
import { migrateSchema } from '../../../shared/store/migrations/migrate.ts';
import type { Store } from '../../../shared/store/store.ts';
import { openMemory } from '../../store/open-sqlite.ts';
import { anEvent, NOW, newId } from '../../store/rows.ts';
import { insertEvent } from '../../store/writes.ts';

const caller: Caller = {
  app_id: newId('app'),
  account_id: newId('acc'),
  key_id: newId('key'),
  mode: 'test',
  idempotency: null,
};

async function openFeed(
  store: Store,
  lastEventId: string | null = null,
  now = NOW + DAY_MS,
): Promise<EventFeed> {
  const clock = { now: () => now };
  const settings = { retentionMs: 30 * DAY_MS };
  return openEventFeed({ store, clock, settings } as Context, caller, {}, lastEventId);
}

/** Writes an event with a time this many milliseconds from now. */
async function write(store: Store, offsetMs: number, change: Partial<StoredEvent> = {}): Promise<string> {
  const { app_id, mode } = caller;
  const event = anEvent({ app_id, mode, created_at: NOW + offsetMs, ...change });
  await insertEvent(store, event);
  return event.id;
}

async function framesOf(feed: EventFeed): Promise<FeedEvent[]> {
  const frames: FeedEvent[] = [];
  for await (const page of feed.look()) frames.push(...page);
  return frames;
}

async function look(feed: EventFeed): Promise<string[]> {
  return (await framesOf(feed)).map(({ event }) => event.id);
}

test('the event stream sends every event once, whatever its date and its id', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const [first, second, third] = [newId('evt'), newId('evt'), newId('evt')];
  await write(store, 0, { id: second });
  const feed = await openFeed(store);
  expect(await look(feed)).toEqual([]);
  await write(store, 0, { id: third });
  await write(store, 0, { id: first });
  expect(await look(feed)).toEqual([first, third]);
  const late = await write(store, -10 * DAY_MS);
  expect(await look(feed)).toEqual([late]);
  expect(await look(feed)).toEqual([]);
});

test('the event stream continues after the position of any event without repeating or losing an event', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const feed = await openFeed(store);
  const written: string[] = [];
  for (let count = 0; count < 10_203; count++) written.push(await write(store, count));
  const frames = await framesOf(feed);
  expect(frames.map(({ event }) => event.id)).toEqual(written);
  const late = await write(store, -DAY_MS);
  for (const index of [0, 49, 50, 9_999, 10_000, 10_202]) {
    const resumed = await openFeed(store, frames[index]?.position);
    expect(await look(resumed)).toEqual([...written.slice(index + 1), late]);
  }
  expect(await look(await openFeed(store, feed.position()))).toEqual([late]);
});

test('after the id of an event, the event stream repeats older events that could have been committed later', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const written: string[] = [];
  for (let count = 0; count < 1_203; count++) written.push(await write(store, count * 100));
  const all = await openFeed(store, 'evt_00000000000000000000000000');
  const frames = await framesOf(all);
  expect(frames.map(({ event }) => event.id)).toEqual(written);
  expect(await look(await openFeed(store, frames[500]?.position))).toEqual(written.slice(501));
  const again = await look(await openFeed(store, written[1_000]));
  expect(again).toEqual(written.slice(1_000 - LOOK_BACK_MS / 100));
});

test('the event stream ignores events of another app or mode, and refuses their ids as a position', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const others = [await write(store, 0, { app_id: newId('app') }), await write(store, 0, { mode: 'live' })];
  const feed = await openFeed(store, 'evt_00000000000000000000000000');
  expect(await look(feed)).toEqual([]);
  for (const id of others)
    await expect(openFeed(store, id)).rejects.toMatchObject({ code: 'validation_failed' });
});

test.each([
  ['has fewer events than the old one had', 1, NOW],
  ['has more events than the old one had', 7, NOW],
  ['has a clock that is behind the old one', 1, NOW - 400 * DAY_MS],
])(
  'after a position of an old database, the event stream sends all events of a new database that %s',
  async (_, count, now) => {
    await using old = await openMemory();
    await migrateSchema(old.store);
    for (let each = 0; each < 3; each++) await write(old.store, each);
    const behind = await openFeed(old.store, 'evt_00000000000000000000000000');
    const [first] = await framesOf(behind);
    await using opened = await openMemory();
    await migrateSchema(opened.store);
    const written: string[] = [];
    for (let each = 0; each < count; each++)
      written.push(await write(opened.store, now - NOW + 1_000 + each));
    for (const position of [first?.position, behind.position()])
      expect(await look(await openFeed(opened.store, position, now))).toEqual(written);
  },
);

test('isSnapshot refuses Postgres snapshots whose ids Postgres would read as octal', () => {
  for (const snapshot of ['1:09:', '01:9:', '1:9:08']) expect(SNAPSHOTS.isSnapshot(snapshot)).toBe(false);
  for (const snapshot of ['1:9:', '10:90:10,80']) expect(SNAPSHOTS.isSnapshot(snapshot)).toBe(true);
});

const MARK = { source: 'sqlite', snapshot: '1' };

test.each([
  [
    'is past the retention of events',
    encodePlace({ at: NOW - 30 * DAY_MS, since: MARK, until: null, after: null }),
  ],
  [
    'has a malformed snapshot',
    encodePlace({ at: NOW, since: { ...MARK, snapshot: '1;' }, until: null, after: null }),
  ],
  ['has no mark', encodePlace({ at: NOW, since: null, until: null, after: null })],
  ['was cut', encodePlace({ at: NOW, since: MARK, until: null, after: null }).slice(0, -5)],
  ['is no position', 'cur_00'],
])('the event stream refuses a position that %s', async (_, position) => {
  await using opened = await openMemory();
  await migrateSchema(opened.store);
  await expect(openFeed(opened.store, position)).rejects.toMatchObject({ code: 'validation_failed' });
});
