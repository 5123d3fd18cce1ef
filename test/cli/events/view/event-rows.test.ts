import { expect, test } from 'vitest';
import { readFilter } from '../../../../cli/events/view/event-filter.ts';
import {
  EVENTS_MAX,
  type EventRows,
  NO_ROWS,
  type RowsAction,
  reduceRows,
  selectedEvent,
  shownEvents,
} from '../../../../cli/events/view/event-rows.ts';
import { summaryLines } from '../../../../cli/events/view/event-summary.ts';
import { isGap } from '../../../../cli/events/view/row-order.ts';
import { NetworkError } from '../../../../shared/client/client-error.ts';
import type { EventResource } from '../../../../shared/schema/event.ts';
import { apiError, eventAt } from '../event-list.ts';

const FAILED = { ...eventAt(0).delivery, status: 'failed' as const, attempts: 8, last_status_code: 500 };

function answer(events: EventResource[], more: Partial<RowsAction & { kind: 'answer' }> = {}): RowsAction {
  return { kind: 'answer', atMs: 0, events, changed: [], gap: null, wasReset: false, ...more };
}

function range(from: number, to: number): EventResource[] {
  return Array.from({ length: to - from }, (_, n) => eventAt(from + n));
}

function after(...actions: RowsAction[]): EventRows {
  return [{ kind: 'resized', height: 5 } as const, ...actions].reduce(reduceRows, NO_ROWS);
}

function filtered(text: string, failedOnly = false): RowsAction {
  const read = readFilter({ text, failedOnly, pattern: null });
  if (!read.ok) throw new Error(read.problem);
  return { kind: 'filtered', filter: read.filter };
}

/** Returns the numbers of the events on the screen, with `gap` for a gap and a star at the selected event. */
function screen(state: EventRows): string {
  return state.shown
    .slice(state.top, state.top + state.height)
    .map((row, index) => {
      const name = isGap(row) ? 'gap' : String(Number(row.id.slice(4)));
      return state.top + index === state.selected ? `*${name}` : name;
    })
    .join(' ');
}

test('the event list follows new events: it selects the newest row, at the bottom', () => {
  expect(screen(after())).toBe('');
  expect(screen(after(answer(range(0, 3))))).toBe('0 1 *2');
  expect(screen(after(answer(range(0, 8)), answer(range(8, 10))))).toBe('5 6 7 8 *9');
});

test('moving up makes the event list stop following, and its rows stay in place while new events arrive', () => {
  const up = after(answer(range(0, 8)), { kind: 'moved', by: -2 });
  expect({ screen: screen(up), following: up.following }).toEqual({ screen: '3 4 *5 6 7', following: false });
  expect(screen(reduceRows(up, answer(range(8, 20))))).toBe('3 4 *5 6 7');
});

test('the event list follows new events again once the selection reaches the last row', () => {
  const up = after(answer(range(0, 8)), { kind: 'moved', by: -1 });
  expect(reduceRows(up, { kind: 'moved', by: 1 }).following).toBe(true);
  expect(screen(reduceRows(up, { kind: 'jumped', to: 'first' }))).toBe('*0 1 2 3 4');
  expect(screen(reduceRows(up, { kind: 'jumped', to: 'last' }))).toBe('3 4 5 6 *7');
});

test('the event list keeps its rows in place while following is off, and shows the newest event when following is on again', () => {
  const stopped = after(answer(range(0, 8)), { kind: 'follow_switched' }, answer(range(8, 12)));
  expect(screen(stopped)).toBe('3 4 5 6 *7');
  expect(screen(reduceRows(stopped, { kind: 'follow_switched' }))).toBe('7 8 9 10 *11');
});

test('the selection in the event list stops at the first and the last row, and an empty list has no selection', () => {
  expect(after({ kind: 'moved', by: 1 }).selected).toBe(-1);
  expect(after({ kind: 'jumped', to: 'first' }).selected).toBe(-1);
  expect(screen(after(answer(range(0, 3)), { kind: 'moved', by: -100 }))).toBe('*0 1 2');
  expect(screen(after(answer(range(0, 3)), { kind: 'moved', by: 100 }))).toBe('0 1 *2');
});

test('the event list keeps the selected row in view when the screen is resized', () => {
  const state = after(answer(range(0, 20)), { kind: 'moved', by: -5 });
  expect(screen(reduceRows(state, { kind: 'resized', height: 2 }))).toContain('*14');
  expect(
    screen(reduceRows(reduceRows(state, { kind: 'resized', height: 1 }), { kind: 'resized', height: 5 })),
  ).toBe('*14 15 16 17 18');
});

test('the event list inserts a late event in order, and keeps the selection', () => {
  const state = after(answer(range(0, 8)), { kind: 'moved', by: -2 });
  const late = eventAt(2, { id: 'evt_00000002b' });
  const next = reduceRows(state, answer([late]));
  expect(
    shownEvents(next)
      .map(({ id }) => id)
      .slice(2, 4),
  ).toEqual([eventAt(2).id, late.id]);
  expect(selectedEvent(next)?.id).toBe(eventAt(5).id);
  expect(screen(next)).toBe('3 4 *5 6 7');
});

test('a filter of the event list shows the matching events, selects an event near the previous selection, and can be cleared', () => {
  const events = range(0, 10).map((event, n) => (n % 3 === 0 ? { ...event, delivery: FAILED } : event));
  const state = after(answer(events), { kind: 'moved', by: -4 });
  const failed = reduceRows(state, filtered('', true));
  expect(screen(failed)).toBe('0 3 *6 9');
  expect(screen(reduceRows(failed, filtered('')))).toContain('*6');
  const none = reduceRows(state, filtered('host:nowhere'));
  expect({ screen: screen(none), selected: none.selected }).toEqual({ screen: '', selected: -1 });
  expect(screen(reduceRows(none, answer([eventAt(10, { hostname: 'nowhere.acme.com' })])))).toBe('*10');
});

test('an event in the list can start or stop matching the filter when its delivery changes', () => {
  const state = after(answer(range(0, 3)), filtered('', true));
  expect(screen(state)).toBe('');
  const failed = reduceRows(state, answer([], { changed: [eventAt(1, { delivery: FAILED })] }));
  expect(screen(failed)).toBe('*1');
  expect(screen(reduceRows(failed, answer([], { changed: [eventAt(1)] })))).toBe('');
});

test('the event list shows a gap in front of the next event, whatever the filter', () => {
  const gap = { after: eventAt(2), before: eventAt(9) };
  const state = after(answer(range(0, 3)), answer(range(9, 11), { gap }));
  expect(screen(state)).toBe('1 2 gap 9 *10');
  expect(screen(reduceRows(state, filtered('host:nowhere')))).toBe('*gap');
  expect(selectedEvent(reduceRows(state, filtered('host:nowhere')))).toBeNull();
  expect(screen(reduceRows(state, { kind: 'moved', by: -2 }))).toBe('1 2 *gap 9 10');
});

test('the event list drops the oldest rows when it has too many', () => {
  const state = after(answer(range(0, EVENTS_MAX)), answer(range(EVENTS_MAX, EVENTS_MAX + 7)));
  expect({ length: state.all.length, dropped: state.dropped, seen: state.seen }).toEqual({
    length: EVENTS_MAX,
    dropped: 7,
    seen: EVENTS_MAX + 7,
  });
  expect(screen(state)).toMatch(/\*20006$/);
});

test('the event list records the state of the connection and the time of the last response', () => {
  const error = new NetworkError('Cannot reach it.');
  const live = after(answer(range(0, 1), { atMs: 1_000 }));
  const lost = reduceRows(live, { kind: 'retrying', error, untilMs: 3_000 });
  expect(after().connection).toEqual({ state: 'connecting' });
  expect(lost).toMatchObject({ connection: { state: 'retrying', untilMs: 3_000 }, answeredAtMs: 1_000 });
  expect(reduceRows(lost, answer([], { atMs: 4_000 }))).toMatchObject({
    connection: { state: 'live' },
    answeredAtMs: 4_000,
  });
  const refused = reduceRows(live, { kind: 'stopped', error: apiError(401, 'unauthorized') });
  expect(refused.connection).toMatchObject({ state: 'stopped', error: { code: 'unauthorized' } });
  expect(refused.all.length).toBe(1);
});

test('the event list stores the result of a redelivery with its event, and ignores a result for an event without a row', () => {
  const state = after(answer(range(0, 3)));
  const asked = reduceRows(state, {
    kind: 'redelivered',
    id: eventAt(1).id,
    redelivery: { state: 'under_way' },
  });
  expect(asked.redeliveries.get(eventAt(1).id)).toEqual({ state: 'under_way' });
  const unknown = reduceRows(state, {
    kind: 'redelivered',
    id: eventAt(7).id,
    redelivery: { state: 'under_way' },
  });
  expect(unknown.shown).toEqual(state.shown);
});

test('the final summary of the event view counts the events, and prints the command that redelivers the failed events', () => {
  const gap = { after: eventAt(2), before: eventAt(9) };
  const state = after(answer([eventAt(0), eventAt(1, { delivery: FAILED })]), answer([eventAt(9)], { gap }));
  expect(summaryLines(state, 65_000)).toEqual([
    'Followed for 1 min 5 s: 3 events, 2 delivered, 1 failed.',
    '1 gap: too many events came at once to read them all.',
    'To redeliver the failed events:',
    `nameplate events redeliver --failed --since ${eventAt(1).created_at}`,
  ]);
});

test('a reset empties the event list, which then follows new events even if their times are earlier', () => {
  const reset = after(answer(range(50, 90)), answer(range(1, 3), { wasReset: true }));
  expect(screen(reset)).toBe('1 *2');
  expect(screen(reduceRows(reset, answer([eventAt(3)])))).toBe('1 2 *3');
});

test('the event list counts the matching events that arrive while it does not follow', () => {
  const stopped = after(answer(range(0, 8)), filtered('host:careers'), { kind: 'moved', by: -1 });
  const later = reduceRows(stopped, answer([...range(8, 11), eventAt(11, { hostname: 'jobs.acme.com' })]));
  expect({ before: stopped.unseen, later: later.unseen }).toEqual({ before: 0, later: 3 });
  expect(reduceRows(later, { kind: 'jumped', to: 'last' }).unseen).toBe(0);
});

test('the event list can be sorted by host and by delivery, with the same event selected and without following', () => {
  const events = ['b', 'a', 'b', 'c'].map((host, n) => eventAt(n, { hostname: `${host}.acme.com` }));
  const byHost = after(answer(events), { kind: 'sorted', sort: 'host' });
  expect(screen(byHost)).toBe('1 0 2 *3');
  expect(byHost.following).toBe(false);
  const more = reduceRows(byHost, answer([eventAt(4, { hostname: 'a.acme.com', delivery: FAILED })]));
  expect(screen(more)).toBe('1 4 0 2 *3');
  expect(screen(reduceRows(more, { kind: 'sorted', sort: 'delivery' }))).toBe('4 0 1 2 *3');
  expect(screen(reduceRows(more, { kind: 'sorted', sort: 'time' }))).toBe('0 1 2 *3 4');
});

test('the event list counts deliveries by status as they change', () => {
  const state = after(answer([eventAt(0), eventAt(1, { delivery: FAILED })]));
  expect(state.counts).toMatchObject({ delivered: 1, failed: 1, retrying: 0, waiting: 0, none: 0 });
  const fixed = reduceRows(state, answer([eventAt(2)], { changed: [eventAt(1)] }));
  expect(fixed.counts).toMatchObject({ delivered: 3, failed: 0 });
});
