import { expect, test } from 'vitest';
import { createEventReader, type EventsRead, type ReaderOptions } from '../../../cli/events/event-reader.ts';
import { type EventList, eventAt, eventList, PENDING } from './event-list.ts';

function readerOf(source: EventList, options: Partial<ReaderOptions> = {}) {
  const clock = { now_ms: 0 };
  const reader = createEventReader({
    source,
    query: {},
    since: null,
    backlog: 100,
    elapsedMs: () => clock.now_ms,
    ...options,
  });
  return { read: reader.read, clock };
}

function ids({ events }: EventsRead): string[] {
  return events.map(({ id }) => id);
}

test('the event reader starts with the newest events, oldest first, then returns each new event once', async () => {
  const list = eventList(3);
  const { read } = readerOf(list, { backlog: 2 });
  expect(ids(await read())).toEqual([eventAt(1).id, eventAt(2).id]);
  expect(ids(await read())).toEqual([]);
  const added = [list.add(), list.add()];
  expect(ids(await read())).toEqual(added.map(({ id }) => id));
  expect(ids(await read())).toEqual([]);
});

test('without a backlog, the event reader returns only new events', async () => {
  const list = eventList(500);
  const { read } = readerOf(list, { backlog: 0 });
  expect(ids(await read())).toEqual([]);
  const added = list.add();
  expect(ids(await read())).toEqual([added.id]);
});

test.each([0, 100])(
  'with a frozen clock and unordered ids, the event reader returns each new event once and no old event (backlog %i)',
  async (backlog) => {
    const { created_at } = eventAt(0);
    const list = eventList();
    const add = (id: string) => list.add({ id, created_at }).id;
    for (let n = 0; n < 330; n++) add(`evt_b${String(n).padStart(3, '0')}`);
    const { read } = readerOf(list, { backlog });
    expect(ids(await read())).toHaveLength(backlog);
    const added = [add('evt_a'), add('evt_b100x'), add('evt_c')];
    expect(ids(await read())).toEqual(added);
    expect(ids(await read())).toEqual([]);
  },
);

test('the event reader works with an empty list at first', async () => {
  const list = eventList();
  const { read } = readerOf(list, { backlog: 0 });
  expect(ids(await read())).toEqual([]);
  const added = list.add();
  expect(ids(await read())).toEqual([added.id]);
});

test('the event reader starts at the time of its option since, even several pages back', async () => {
  const list = eventList(450);
  const { read } = readerOf(list, { since: Date.parse(eventAt(150).created_at) });
  const found = ids(await read());
  expect(found).toHaveLength(300);
  expect([found[0], found.at(-1)]).toEqual([eventAt(150).id, eventAt(449).id]);
});

test('the event reader returns the events since an outage over several pages, in order, without a gap', async () => {
  const list = eventList(10);
  const { read } = readerOf(list);
  await read();
  const added = Array.from({ length: 333 }, () => list.add());
  const found = await read();
  expect(ids(found)).toEqual(added.map(({ id }) => id));
  expect(found.gap).toBeNull();
});

test('the event reader reports a gap if more events are new than it can read', async () => {
  const list = eventList(10);
  const { read } = readerOf(list);
  await read();
  for (let n = 0; n < 10_200; n++) list.add();
  const { events, gap } = await read();
  expect(gap?.after?.id).toBe(eventAt(9).id);
  expect(gap?.before.id).toBe(events[0]?.id);
  expect(events.at(-1)?.id).toBe(eventAt(10_209).id);
  expect(events.length).toBeLessThan(10_200);
  expect((await read()).gap).toBeNull();
});

test('the event reader returns an event once if it appears late, behind newer events', async () => {
  const list = eventList(50);
  const { read } = readerOf(list);
  await read();
  const late = list.add({ id: 'evt_00000040b', created_at: eventAt(40).created_at });
  expect(ids(await read())).toEqual([late.id]);
  expect(ids(await read())).toEqual([]);
});

test('the event reader never returns events from before its start', async () => {
  const list = eventList(300);
  const { read } = readerOf(list, { backlog: 10 });
  await read();
  list.add();
  expect(ids(await read())).toHaveLength(1);
});

test('the event reader returns an event once more when its delivery changes', async () => {
  const list = eventList(3);
  const { id } = list.add(PENDING);
  const { read } = readerOf(list);
  await read();
  list.deliver(id, { status: 'failed', attempts: 8, last_status_code: 500 });
  expect((await read()).changed).toMatchObject([{ id, delivery: { status: 'failed', attempts: 8 } }]);
  expect((await read()).changed).toEqual([]);
});

test('the event reader polls a pending delivery that is no longer on the newest page until the delivery ends', async () => {
  const list = eventList();
  const { id } = list.add(PENDING);
  const { read, clock } = readerOf(list);
  await read();
  for (let n = 0; n < 300; n++) list.add();
  await read();
  await read();
  expect(list.asked).not.toContain(`get ${id}`);
  clock.now_ms = 6_000;
  list.deliver(id, { status: 'delivered', attempts: 1, last_status_code: 200 });
  const { changed } = await read();
  expect(changed).toMatchObject([{ id, delivery: { status: 'delivered' } }]);
  expect(changed[0]).not.toHaveProperty('body');
  clock.now_ms = 60_000;
  await read();
  expect(list.asked.filter((call) => call === `get ${id}`)).toHaveLength(1);
});

test('the event reader polls many pending deliveries in turn, a few at a time', async () => {
  const list = eventList();
  const pending = Array.from({ length: 12 }, () => list.add(PENDING).id);
  const { read, clock } = readerOf(list);
  await read();
  for (let n = 0; n < 300; n++) list.add();
  await read();
  for (let n = 1; n <= 3; n++) {
    clock.now_ms = n * 6_000;
    await read();
  }
  const gets = list.asked.filter((call) => call.startsWith('get'));
  expect(gets).toHaveLength(15);
  expect(new Set(gets)).toEqual(new Set(pending.map((id) => `get ${id}`)));
});

test('the event reader survives the loss of events in an emulator reset, and reports the reset once', async () => {
  const list = eventList();
  list.add(PENDING);
  const { read, clock } = readerOf(list);
  await read();
  list.clear();
  clock.now_ms = 10_000;
  const nothing = { events: [], changed: [], gap: null };
  expect(await read()).toEqual({ ...nothing, wasReset: true });
  expect(await read()).toEqual({ ...nothing, wasReset: false });
});

test.each([0, 100])(
  'after a reset to an earlier time, the event reader returns each new event once (backlog %i)',
  async (backlog) => {
    const list = eventList(50);
    const { read } = readerOf(list, { backlog });
    await read();
    list.clear();
    const createdAt = '2026-01-01T00:00:00.000Z';
    const first = list.add({ id: 'evt_x1', created_at: createdAt });
    const found = await read();
    expect([found.wasReset, ids(found)]).toEqual([true, [first.id]]);
    const second = list.add({ id: 'evt_x2', created_at: createdAt });
    const next = await read();
    expect([next.wasReset, ids(next)]).toEqual([false, [second.id]]);
  },
);

test('the event reader returns only the new events of an imported state', async () => {
  const list = eventList(3);
  const { read } = readerOf(list);
  await read();
  list.clear();
  for (let n = 0; n < 60; n++) list.add({ id: `evt_x${String(n).padStart(3, '0')}` });
  const found = await read();
  expect([found.wasReset, ids(found)]).toEqual([true, []]);
  const added = list.add({ id: 'evt_y' });
  expect(ids(await read())).toEqual([added.id]);
});

test('the event reader requests only the list of events, and no single event, while the newest event still exists', async () => {
  const list = eventList(3);
  const { read } = readerOf(list, { query: { type: 'domain.active' } });
  for (let n = 0; n < 3; n++) {
    await read();
    list.add();
  }
  expect(list.asked.filter((call) => call.startsWith('get'))).toEqual([]);
});

test('the event reader loses no event if a read fails in the middle', async () => {
  const list = eventList(5);
  const { read } = readerOf(list);
  await read();
  const added = Array.from({ length: 60 }, () => list.add());
  const works = list.list;
  let calls = 0;
  list.list = async (query) => {
    if (++calls === 2) throw new Error('lost');
    return works(query);
  };
  await expect(read()).rejects.toThrow('lost');
  expect(ids(await read())).toEqual(added.map(({ id }) => id));
});
