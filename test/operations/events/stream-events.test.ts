import { expect, test } from 'vitest';
import type { StoredEvent } from '../../../shared/core/webhooks/delivery.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import {
  type EventFeed,
  LOOK_BACK_MS,
  openEventFeed,
} from '../../../shared/operations/events/stream-events.ts';
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

async function openFeed(store: Store, lastEventId: string | null = null): Promise<EventFeed> {
  const clock = { now: () => NOW + 86_400_000 };
  return openEventFeed({ store, clock } as Context, caller, {}, lastEventId);
}

/** Writes an event that is dated this many milliseconds from now. */
async function write(store: Store, offsetMs: number, change: Partial<StoredEvent> = {}): Promise<string> {
  const { app_id, mode } = caller;
  const event = anEvent({ app_id, mode, created_at: NOW + offsetMs, ...change });
  await insertEvent(store, event);
  return event.id;
}

async function look(feed: EventFeed): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of feed.look()) ids.push(...page.map(({ id }) => id));
  return ids;
}

test('sends every event once, even one that appears behind the newest one', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  await write(store, -10);
  const feed = await openFeed(store);
  expect(await look(feed)).toEqual([]);
  const newest = await write(store, 2_000);
  expect(await look(feed)).toEqual([newest]);
  // The transactions of these events began earlier and were committed later.
  const late = [await write(store, 1_000), await write(store, 2_000 - LOOK_BACK_MS + 1)];
  expect(new Set(await look(feed))).toEqual(new Set(late));
  expect(await look(feed)).toEqual([]);
  expect(feed.position()).toBe(newest);
});

test('sends all events of one millisecond, whatever their ids', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const [first, second, third] = [newId('evt'), newId('evt'), newId('evt')];
  await write(store, 0, { id: second });
  const feed = await openFeed(store);
  await write(store, 0, { id: third });
  await write(store, 0, { id: first });
  expect(await look(feed)).toEqual([first, third]);
});

test('sends every event once and in order to a stream that is far behind', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const written: string[] = [];
  for (let count = 0; count < 1_203; count++) written.push(await write(store, count * 100));
  const feed = await openFeed(store, 'evt_00000000000000000000000000');
  expect(await look(feed)).toEqual(written);
  const resumed = await openFeed(store, written[1_000] ?? '');
  const again = await look(resumed);
  expect(again.slice(-202)).toEqual(written.slice(-202));
  // It reads only as much of the past as could have appeared late.
  expect(again.length).toBeLessThanOrEqual(202 + LOOK_BACK_MS / 100 + 1);
});

test('ignores events of another app or mode, and refuses them as a position', async () => {
  await using opened = await openMemory();
  const { store } = opened;
  await migrateSchema(store);
  const others = [await write(store, 0, { app_id: newId('app') }), await write(store, 0, { mode: 'live' })];
  const feed = await openFeed(store, 'evt_00000000000000000000000000');
  expect(await look(feed)).toEqual([]);
  for (const id of others)
    await expect(openFeed(store, id)).rejects.toMatchObject({ code: 'validation_failed' });
});
