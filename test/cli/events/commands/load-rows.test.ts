import { expect, test } from 'vitest';
import { createPastLoader } from '../../../../cli/events/commands/load-rows.ts';
import type { ReaderOptions } from '../../../../cli/events/event-reader.ts';
import { readFilter } from '../../../../cli/events/view/event-filter.ts';
import { isGap } from '../../../../cli/events/view/row-order.ts';
import { initialView, reduceView, type ViewAction } from '../../../../cli/events/view/view-state.ts';
import { createScreenStore } from '../../../../cli/screen/screen.tsx';
import type { EventResource } from '../../../../shared/schema/event.ts';
import { apiError, eventAt, eventList } from '../event-list.ts';
import { answer, NOW } from '../view.tsx';

const events = Array.from({ length: 350 }, (_, n) => eventAt(n));

function loaderOf(loaded: EventResource[], followed: ReaderOptions['query'] = {}) {
  const store = createScreenStore(reduceView, initialView({ source: 'test', time: { nowMs: 0, now: NOW } }));
  store.dispatch(answer(loaded));
  const list = eventList(350);
  const load = createPastLoader(store, list.list, () => followed);
  const shown = () => store.get().rows.shown.map((row) => (isGap(row) ? -1 : Number(row.id.slice(4))));
  return { store, list, load, shown };
}

function filtered(text: string, failedOnly = false): ViewAction {
  const read = readFilter({ text, failedOnly, pattern: null });
  if (!read.ok) throw new Error(read.problem);
  return { kind: 'filtered', filter: read.filter };
}

test('the loader of past events reads page after page back to the first event', async () => {
  const { load, shown, store, list } = loaderOf(events.slice(250));
  store.dispatch({ kind: 'jumped', to: 'first' });
  await load();
  expect(shown()).toEqual(Array.from({ length: 200 }, (_, n) => n + 150));
  // The same event is still selected after the new rows.
  expect(shown()[store.get().rows.selected]).toBe(250);
  await load();
  await load();
  expect(shown()).toHaveLength(350);
  expect(store.get().rows.past.state).toBe('begun');
  const asked = list.asked.length;
  await load();
  expect(list.asked).toHaveLength(asked);
});

test("the loader of past events requests events of the filter's type, and drops them when the filter changes", async () => {
  const { store, load, shown } = loaderOf(events.slice(300));
  const asked: unknown[] = [];
  const typed = createPastLoader(
    store,
    async (query) => {
      asked.push(query);
      return { data: [eventAt(1)], next_cursor: null };
    },
    () => ({}),
  );
  store.dispatch(filtered('type:active'));
  await typed();
  expect(asked).toEqual([{ type: 'domain.active', limit: 100 }]);
  expect(shown()[0]).toBe(1);
  store.dispatch(filtered(''));
  expect(shown()[0]).toBe(300);
  await load();
  expect(shown()[0]).toBe(250);
});

test('the loader of past events requests failed deliveries if the view shows only failed deliveries', async () => {
  const { store, list } = loaderOf(events.slice(300));
  const asked: unknown[] = [];
  const load = createPastLoader(
    store,
    async (query) => {
      asked.push(query);
      return list.list({ limit: 1 });
    },
    () => ({ domain_id: 'dom_01' }),
  );
  store.dispatch(filtered('', true));
  await load();
  expect(asked[0]).toEqual({ delivery: 'failed', domain_id: 'dom_01', limit: 100 });
});

test('the loader of past events sends no request for a filter that the API does not support', async () => {
  const { store, load, list } = loaderOf(events.slice(300));
  for (const text of ['host:acme', '-type:active', 'type:c', 'active', 'code>=400']) {
    store.dispatch(filtered(text));
    await load();
  }
  expect(list.asked).toEqual([]);
});

test("the loader of past events sends no request if the filter contradicts the command's own flags", async () => {
  const { store, load, list } = loaderOf(events.slice(300), { type: 'domain.created' });
  store.dispatch(filtered('type:active'));
  await load();
  expect(list.asked).toEqual([]);
  expect(store.get().rows.past.state).toBe('begun');
});

test('the loader of past events can try again after an error', async () => {
  const { store, load, list, shown } = loaderOf(events.slice(300));
  list.failures.push(apiError(503, 'unavailable'));
  await expect(load()).rejects.toThrow('Message of unavailable.');
  expect(store.get().rows.past.state).toBe('more');
  await load();
  expect(shown()[0]).toBe(250);
});
