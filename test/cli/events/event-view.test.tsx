import { afterEach, expect, test } from 'vitest';
import { EventView } from '../../../cli/events/screen/event-view.tsx';
import type { ViewCommand } from '../../../cli/events/view/keys/key-steps.ts';
import { initialView, reduceView } from '../../../cli/events/view/view-state.ts';
import { createScreenStore } from '../../../cli/screen/screen.tsx';
import { type Drawn, draw } from '../screen/drawn.ts';
import { eventAt } from './event-list.ts';
import { answer, NOW } from './view.tsx';

const opened: Drawn[] = [];
afterEach(() => {
  for (const drawn of opened.splice(0)) drawn[Symbol.dispose]();
});

async function viewIn(columns = 80) {
  const store = createScreenStore(
    reduceView,
    initialView({ source: '127.0.0.1:4400', time: { nowMs: 0, now: NOW } }),
  );
  const deeds: ViewCommand[] = [];
  let stops = 0;
  const view = <EventView store={store} act={(deed) => void deeds.push(deed)} stopJob={() => stops++} />;
  const drawn = await draw(view, { columns });
  opened.push(drawn);
  return { ...drawn, store, deeds, stops: () => stops, frame: () => drawn.lines().join('\n') };
}

test('the event view draws a whole frame before the first event arrives', async () => {
  const { lines, frame } = await viewIn();
  expect(lines()).toHaveLength(24);
  expect(lines()[0]).toMatch(
    /^ • nameplate • {3}Events {2}Domains {2}test · 127\.0\.0\.1:4400 +◌ connecting$/,
  );
  expect(frame()).toContain('Connecting to 127.0.0.1:4400 …');
});

test('the event view draws the events, and reacts to keys', async () => {
  const { store, type, frame } = await viewIn();
  store.dispatch(answer([eventAt(0), eventAt(1, { hostname: 'jobs.acme.com' })]));
  await expect.poll(frame).toMatch(/▌ ✓ 59 min jobs\.acme\.com/);
  type('k');
  await expect.poll(frame).toMatch(/▌ ✓ +1 h careers\.acme\.com/);
  type('\u001b[B');
  await expect.poll(frame).toMatch(/▌ ✓ 59 min/);
});

test('the event view handles keys that arrive together as single keys', async () => {
  const { store, type, deeds } = await viewIn();
  store.dispatch(answer([eventAt(0), eventAt(1), eventAt(2)]));
  type('kkr');
  await expect.poll(() => deeds.at(-1)).toEqual({ do: 'redeliver', event: eventAt(0) });
});

test('the event view handles a filter whose characters arrive together', async () => {
  const { store, type, frame } = await viewIn();
  store.dispatch(answer([eventAt(0), eventAt(1, { hostname: 'jobs.acme.com' })]));
  type('k/host:jobs code<300\r');
  await expect.poll(() => store.get().rows.filter.text).toBe('host:jobs code<300');
  await expect.poll(frame).toContain('1 of 2 loaded events');
  expect(store.get().panel.open).toBe('list');
});

test('the event view uses pasted text only in the filter', async () => {
  const { store, type, deeds } = await viewIn();
  store.dispatch(answer([eventAt(0)]));
  type('\u001b[200~rRq/\r\u001b[201~');
  type('rrrrrrrrrrrrrr');
  await expect.poll(() => store.get().rows.shown.length).toBe(1);
  type('/');
  await expect.poll(() => store.get().panel.open).toBe('filter');
  type('\u001b[200~host:acme\u001b[201~');
  await expect.poll(() => store.get().panel).toMatchObject({ input: { before: 'host:acme' } });
  expect(deeds).toEqual([]);
});

test('the event view moves by one row for each of the arrow keys that a terminal sends for its mouse wheel', async () => {
  const { store, type } = await viewIn();
  store.dispatch(answer(Array.from({ length: 99 }, (_, n) => eventAt(n))));
  type('g');
  await expect.poll(() => store.get().rows.selected).toBe(0);
  type('\u001bOB'.repeat(60));
  await expect.poll(() => store.get().rows.selected).toBe(60);
});

test('Ctrl-C and q end the event view', async () => {
  const { type, deeds } = await viewIn();
  type('\u0003');
  type('q');
  await expect
    .poll(() => deeds)
    .toEqual([
      { do: 'leave', interrupted: true },
      { do: 'leave', interrupted: false },
    ]);
});

test('after a suspension with Ctrl-Z, the event view draws the whole screen again', async () => {
  const { type, stops, frame } = await viewIn();
  type('\u001a');
  await expect.poll(stops).toBe(1);
  await expect.poll(frame).toContain('◌ connecting');
});

test('the event view draws only the rows on the screen, however many there are', async () => {
  const { store, lines, frame } = await viewIn();
  store.dispatch(answer(Array.from({ length: 5_000 }, (_, n) => eventAt(n))));
  await expect.poll(frame).toContain('5 000 events');
  expect(lines()).toHaveLength(24);
});

test('on a wide screen, the event view reads the selected event once the selection has stopped moving', async () => {
  const { store, type, deeds } = await viewIn(120);
  store.dispatch(answer([eventAt(0), eventAt(1), eventAt(2)]));
  type('kk');
  await expect
    .poll(() => deeds.filter((deed) => deed.do === 'load'))
    .toEqual([{ do: 'load', event: eventAt(0) }]);
});
