import { afterEach, expect, test } from 'vitest';
import { openEventScreen } from '../../../cli/events/event-screen.ts';
import type { ViewCommand } from '../../../cli/events/view/keys/key-outcome.ts';
import { initialView } from '../../../cli/events/view/view-state.ts';
import { createViewStore } from '../../../cli/events/view/view-store.ts';
import { fakeTerminal } from '../terminal/fake-terminal.ts';
import { eventAt } from './event-list.ts';
import { answer } from './view.ts';

/** Long enough for a busy machine. */
const SOON = { timeout: 10_000 };

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const screen of opened.splice(0)) screen.close();
});

function screenOf() {
  const store = createViewStore(initialView({ source: '127.0.0.1:4400', size: { columns: 80, rows: 24 } }));
  const terminal = fakeTerminal();
  const deeds: ViewCommand[] = [];
  let stops = 0;
  const screen = openEventScreen({
    store,
    act: (command) => void deeds.push(command),
    time: () => ({ nowMs: 0, now: '2026-11-20T13:00:00.000Z' }),
    paint: (_, text) => text,
    world: { ...terminal, stopJob: () => stops++ },
  });
  opened.push(screen);
  return { ...terminal, store, deeds, screen, stops: () => stops, frame: () => terminal.lines().join('\n') };
}

test('draws a whole frame at once, before anything happens', () => {
  const { lines, isRaw } = screenOf();
  expect(lines()).toHaveLength(24);
  expect(lines()[0]).toMatch(/^nameplate events {2}test · 127\.0\.0\.1:4400 +◌ connecting$/);
  expect(isRaw()).toBe(true);
});

test('draws the events, and reacts to keys', async () => {
  const { store, type, frame } = screenOf();
  store.dispatch(answer([eventAt(0), eventAt(1, { hostname: 'jobs.acme.com' })]));
  await expect.poll(frame, SOON).toMatch(/› ?✓ 12:00:01 +active +jobs\.acme\.com/);
  type('k');
  await expect.poll(frame, SOON).toMatch(/› ?✓ 12:00:00 +active +careers\.acme\.com/);
  type('\u001b[B');
  await expect.poll(frame, SOON).toMatch(/› ?✓ 12:00:01/);
});

test('writes only the lines that changed, in one frame for each key', async () => {
  const { store, type, drawn, frame } = screenOf();
  store.dispatch(answer(Array.from({ length: 9 }, (_, n) => eventAt(n))));
  await expect.poll(frame, SOON).toContain('9 events');
  drawn();
  type('k');
  await expect.poll(frame, SOON).toContain('row 8');
  // The line with the count, the row that was selected and the one that is.
  expect(drawn()).toEqual({ frames: 1, lines: 3 });
});

test('handles keys that arrive together as single keys', async () => {
  const { store, type, deeds } = screenOf();
  store.dispatch(answer([eventAt(0), eventAt(1), eventAt(2)]));
  type('kkr');
  await expect.poll(() => deeds, SOON).toEqual([{ do: 'redeliver', event: eventAt(0) }]);
});

test('handles a filter whose characters arrive at once', async () => {
  const { store, type, frame } = screenOf();
  store.dispatch(answer([eventAt(0), eventAt(1, { hostname: 'jobs.acme.com' })]));
  type('k/host:jobs code<300\r');
  await expect.poll(() => store.get().rows.filter.text, SOON).toBe('host:jobs code<300');
  await expect.poll(frame, SOON).toContain('1 of 2 events');
  expect(store.get().panel.open).toBe('list');
});

test('uses pasted text only in the filter', async () => {
  const { store, type, deeds } = screenOf();
  store.dispatch(answer([eventAt(0)]));
  type('\u001b[200~rRq/\r\u001b[201~');
  type('rrrrrrrrrrrrrr');
  type('/');
  await expect.poll(() => store.get().panel.open, SOON).toBe('filter');
  type('\u001b[200~host:acme\u001b[201~');
  await expect.poll(() => store.get().panel, SOON).toMatchObject({ input: { text: 'host:acme' } });
  expect(deeds).toEqual([]);
});

test('the mouse wheel moves, and a click selects a row', async () => {
  const { store, type } = screenOf();
  store.dispatch(answer(Array.from({ length: 9 }, (_, n) => eventAt(n))));
  type('g');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(0);
  type('\u001b[<65;10;10M');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(3);
  type('\u001b[<0;10;9M\u001b[<0;10;9m');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(5);
});

test('a fast mouse wheel, whose reports arrive together, moves as far as a slow one', async () => {
  const { store, type } = screenOf();
  store.dispatch(answer(Array.from({ length: 99 }, (_, n) => eventAt(n))));
  type('g');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(0);
  type('\u001b[<65;10;10M'.repeat(20));
  await expect.poll(() => store.get().rows.selected, SOON).toBe(60);
});

test('Ctrl-C and q leave the view', async () => {
  const { type, deeds } = screenOf();
  type('\u0003');
  type('q');
  await expect
    .poll(() => deeds, SOON)
    .toEqual([
      { do: 'leave', interrupted: true },
      { do: 'leave', interrupted: false },
    ]);
});

test('Ctrl-Z gives the terminal to the shell, and then draws everything again', async () => {
  const { type, modes, drawn, stops } = screenOf();
  const taken = modes();
  drawn();
  type('\u001a');
  await expect.poll(stops, SOON).toBe(1);
  await expect.poll(() => drawn().lines, SOON).toBeGreaterThan(3);
  expect(modes().slice(-taken.length)).toEqual(taken);
});

test('leaves the terminal as it was', () => {
  const { screen, modes, isRaw } = screenOf();
  const taken = modes();
  screen.close();
  const opposite = (mode: string) => mode.replace(/.$/, (end) => (end === 'h' ? 'l' : 'h'));
  expect(modes().toSorted()).toEqual(taken.map(opposite).toSorted());
  expect(isRaw()).toBe(false);
});

test('draws only the rows on the screen, however many there are', async () => {
  const { store, lines, frame } = screenOf();
  store.dispatch(answer(Array.from({ length: 5_000 }, (_, n) => eventAt(n))));
  await expect.poll(frame, SOON).toContain('5 000 events');
  expect(lines()).toHaveLength(24);
});
