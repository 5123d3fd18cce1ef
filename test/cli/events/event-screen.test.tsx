import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { EventScreen } from '../../../cli/events/event-screen.tsx';
import type { ViewCommand } from '../../../cli/events/view/keys/key-outcome.ts';
import { initialView } from '../../../cli/events/view/view-state.ts';
import { createViewStore } from '../../../cli/events/view/view-store.ts';
import { eventAt } from './event-list.ts';
import { answer } from './view.ts';

/** Long enough for a busy machine. */
const SOON = { timeout: 10_000 };

function screenOf(paint: (style: string, text: string) => string = (_, text) => text) {
  const store = createViewStore(initialView({ source: '127.0.0.1:4400', size: { columns: 80, rows: 24 } }));
  const deeds: ViewCommand[] = [];
  const time = () => ({ nowMs: 0, now: '2026-11-20T13:00:00.000Z' });
  const app = render(
    <EventScreen
      store={store}
      act={(command) => void deeds.push(command)}
      stopJob={() => undefined}
      time={time}
      paint={paint}
    />,
  );
  return { ...app, store, deeds, frame: () => app.lastFrame() ?? '' };
}

test('draws the events, and reacts to keys', async () => {
  const { store, stdin, frame } = screenOf();
  store.dispatch(answer([eventAt(0), eventAt(1, { hostname: 'jobs.acme.com' })]));
  await expect.poll(frame, SOON).toMatch(/› ?✓ 12:00:01 +active +jobs\.acme\.com/);
  stdin.write('k');
  await expect.poll(frame, SOON).toMatch(/› ?✓ 12:00:00 +active +careers\.acme\.com/);
  stdin.write('\u001b[B');
  await expect.poll(frame, SOON).toMatch(/› ?✓ 12:00:01/);
});

test('handles keys that arrive together as single keys', async () => {
  const { store, stdin, deeds } = screenOf();
  store.dispatch(answer([eventAt(0), eventAt(1), eventAt(2)]));
  stdin.write('kkr');
  await expect.poll(() => deeds, SOON).toEqual([{ do: 'redeliver', event: eventAt(0) }]);
});

test('handles a filter whose characters arrive at once', async () => {
  const { store, stdin, frame } = screenOf();
  store.dispatch(answer([eventAt(0), eventAt(1, { hostname: 'jobs.acme.com' })]));
  stdin.write('k/host:jobs code<300\r');
  await expect.poll(() => store.get().rows.filter.text, SOON).toBe('host:jobs code<300');
  await expect.poll(frame, SOON).toContain('1 of 2 events');
  expect(store.get().panel.open).toBe('list');
});

test('uses pasted text only in the filter', async () => {
  const { store, stdin, deeds } = screenOf();
  store.dispatch(answer([eventAt(0)]));
  stdin.write('\u001b[200~rRq\r\u001b[201~');
  stdin.write('rrrrrrrrrrrrrr');
  stdin.write('/');
  await expect.poll(() => store.get().panel.open, SOON).toBe('filter');
  stdin.write('\u001b[200~host:acme\u001b[201~');
  await expect.poll(() => store.get().panel, SOON).toMatchObject({ input: { text: 'host:acme' } });
  expect(deeds).toEqual([]);
});

test('the mouse wheel moves, and a click selects a row', async () => {
  const { store, stdin } = screenOf();
  store.dispatch(answer(Array.from({ length: 9 }, (_, n) => eventAt(n))));
  // The screen must listen before the terminal reports.
  stdin.write('g');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(0);
  stdin.write('\u001b[<65;10;10M');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(3);
  stdin.write('\u001b[<0;10;9M\u001b[<0;10;9m');
  await expect.poll(() => store.get().rows.selected, SOON).toBe(5);
});

test('Ctrl-C and q leave the view', async () => {
  const { stdin, deeds } = screenOf();
  stdin.write('\u0003');
  stdin.write('q');
  await expect
    .poll(() => deeds)
    .toEqual([
      { do: 'leave', interrupted: true },
      { do: 'leave', interrupted: false },
    ]);
});

test('draws only the rows on the screen, however many there are', async () => {
  const { store, frame } = screenOf();
  store.dispatch(answer(Array.from({ length: 5_000 }, (_, n) => eventAt(n))));
  await expect.poll(() => frame().split('\n').length, SOON).toBe(23);
  await expect.poll(frame, SOON).toContain('5 000 events');
});
