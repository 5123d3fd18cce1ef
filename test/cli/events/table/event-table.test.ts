import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TableRow } from '../../../../cli/events/table/cells.ts';
import {
  EMPTY_TABLE,
  type EventTable,
  findEventRow,
  tableRow,
  withChangedEvents,
  withoutOldest,
  withRows,
} from '../../../../cli/events/table/event-table.ts';
import type { EventResource } from '../../../../shared/schema/event.ts';
import { eventAt } from '../event-list.ts';

function rowsOf(table: EventTable): TableRow[] {
  return Array.from({ length: table.end - table.first }, (_, index) => tableRow(table, table.first + index));
}

function idsOf(table: EventTable): string[] {
  return rowsOf(table).map((row) => (row.kind === 'event' ? row.event.id : 'gap'));
}

function rows(...numbers: number[]): TableRow[] {
  return numbers.map((n) => ({ kind: 'event', event: eventAt(n) }));
}

test('returns each event as it was stored, with times and values that the view does not know', () => {
  const events: EventResource[] = [
    eventAt(0),
    eventAt(1, { previous_status: null, status: null }),
    eventAt(2, { created_at: '2026-11-20T12:00:02+00:00' }),
    eventAt(3, {
      delivery: {
        status: 'pending',
        attempts: 3,
        last_status_code: null,
        last_error: 'timeout',
        last_attempt_at: '2026-11-20T12:00:09.123Z',
        next_attempt_at: '2026-11-20T12:05:09Z',
      },
    }),
  ];
  const table = withRows(
    EMPTY_TABLE,
    events.map((event) => ({ kind: 'event', event })),
  );
  expect(rowsOf(table)).toEqual(events.map((event) => ({ kind: 'event', event })));
});

test('a gap comes before the event after it, and keeps the times at which it starts and ends', () => {
  const gap = { after: eventAt(1), before: eventAt(9) };
  const table = withRows(EMPTY_TABLE, [...rows(9), { kind: 'gap', gap }, ...rows(0, 1)]);
  expect(idsOf(table)).toEqual([eventAt(0).id, eventAt(1).id, 'gap', eventAt(9).id]);
  expect(tableRow(table, 2)).toEqual({
    kind: 'gap',
    gap: {
      after: { created_at: eventAt(1).created_at },
      before: { id: eventAt(9).id, created_at: eventAt(9).created_at },
    },
  });
});

test('keeps the same rows as a sorted array, whatever is added, changed and dropped', () => {
  const numbers = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 900 });
  fc.assert(
    fc.property(fc.array(fc.tuple(numbers, numbers, fc.integer({ min: 1, max: 2_000 }))), (steps) => {
      let table = EMPTY_TABLE;
      let model: EventResource[] = [];
      for (const [added, changed, rowsMax] of steps) {
        const fresh = [...new Set(added)]
          .map((n) => eventAt(n))
          .filter(({ id }) => !model.some((event) => event.id === id));
        const delivery = { ...eventAt(0).delivery, attempts: rowsMax };
        const changes = changed.map((n) => eventAt(n, { delivery }));
        const earlier = table;
        const before = idsOf(earlier);
        table = withRows(
          table,
          fresh.map((event) => ({ kind: 'event', event })),
        );
        table = withoutOldest(withChangedEvents(table, changes), rowsMax);
        const ids = new Set(changes.map(({ id }) => id));
        model = [...model, ...fresh]
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map((event) => (ids.has(event.id) ? { ...event, delivery } : event))
          .slice(-rowsMax);
        expect(rowsOf(table)).toEqual(model.map((event) => ({ kind: 'event', event })));
        expect(idsOf(earlier)).toEqual(before);
      }
    }),
    { numRuns: 15 },
  );
});

test('finds the row of an event, and none for an event that was dropped or never added', () => {
  const table = withoutOldest(withRows(EMPTY_TABLE, rows(0, 1, 2, 4)), 3);
  expect([0, 1, 3, 4, 5].map((n) => findEventRow(table, eventAt(n)))).toEqual([null, 1, null, 3, null]);
});
