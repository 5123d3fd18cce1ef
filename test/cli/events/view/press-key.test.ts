import { expect, test } from 'vitest';
import { selectedEvent } from '../../../../cli/events/view/event-rows.ts';
import { HELP } from '../../../../cli/events/view/keys/panel-keys.ts';
import { eventAt } from '../event-list.ts';
import { answer, type View, viewOf } from '../view.tsx';

const events = Array.from({ length: 40 }, (_, n) => eventAt(n));

function selected({ state }: View): number {
  return Number(selectedEvent(state.rows)?.id.slice(4));
}

test('in the event view, arrows, j, k, page keys, g and G move the selection', () => {
  const view = viewOf(events);
  expect(selected(view.press('up', 'k', 'k'))).toBe(36);
  expect(selected(view.press('down', 'j'))).toBe(38);
  expect(selected(view.press('g'))).toBe(0);
  expect(selected(view.press('pagedown'))).toBe(view.state.rows.height - 1);
  expect(selected(view.press('pageup'))).toBe(0);
  expect(selected(view.press('G'))).toBe(39);
  expect(selected(view.press('home', 'end'))).toBe(39);
});

test('in the event view, space stops following new events, and starts it again', () => {
  const view = viewOf(events)
    .press(' ')
    .do(answer([eventAt(40)]));
  expect(selected(view)).toBe(39);
  expect(selected(view.press(' '))).toBe(40);
});

test('in the event view, f shows only failed deliveries, and then all events again', () => {
  const failed = eventAt(7, { delivery: { ...eventAt(7).delivery, status: 'failed' } });
  const view = viewOf([...events.slice(0, 7), failed]);
  expect(view.press('f').state.rows.shown.length).toBe(1);
  expect(view.deeds).toEqual([{ do: 'load_past' }]);
  expect(view.press('f').state.rows.shown.length).toBe(8);
});

test('in the event view, / filters as you type; Enter keeps the filter, Esc in the list clears it', () => {
  const view = viewOf([...events, eventAt(40, { hostname: 'jobs.acme.com' })]);
  view.press('/', 'host:', 'jo');
  expect(view.state.rows.shown.length).toBe(1);
  view.press('enter');
  expect(view.state).toMatchObject({ panel: { open: 'list' }, rows: { filter: { text: 'host:jo' } } });
  view.press('escape');
  expect(view.state.rows.shown.length).toBe(41);
});

test('in the filter, Esc restores the previous filter, and letters are text instead of commands', () => {
  const view = viewOf(events).press('/', 'type:active', 'enter', '/', ' rqR?', 'escape');
  expect(view.state).toMatchObject({ panel: { open: 'list' }, rows: { filter: { text: 'type:active' } } });
  expect(view.deeds).toEqual([{ do: 'load_past' }]);
});

test('an invalid filter shows its error, changes nothing and cannot be applied', async () => {
  const view = viewOf(events).press('/', 'owner:me');
  expect(view.state.rows.shown.length).toBe(40);
  expect((await view.screen()).join('\n')).toContain('owner:me is not type:');
  expect(view.press('enter').state.panel.open).toBe('filter');
  expect(view.press('ctrl-w', 'host:acme', 'enter').state.rows.filter.text).toBe('host:acme');
});

test('in the filter, Backspace deletes a character, Ctrl-U everything; Backspace in an empty filter closes it', () => {
  const view = viewOf(events).press('/', 'ab', 'backspace');
  expect(view.state.panel).toMatchObject({ input: { before: 'a' } });
  expect(view.press('ctrl-u').state.panel).toMatchObject({ input: { before: '' } });
  expect(view.press('backspace').state.panel.open).toBe('list');
});

test('pasted text becomes one line of plain text in the filter', () => {
  const view = viewOf(events).press('/', 'host:acme\r\n\u001b[31mcode>=4\u202e');
  expect(view.state.panel).toMatchObject({ input: { before: 'host:acme [31mcode>=4 ' } });
});

test('in the event view, Enter opens an event and loads its detail; Esc, q, Enter and Left close the detail', () => {
  const view = viewOf(events);
  for (const key of ['escape', 'q', 'enter', 'left']) {
    view.press('enter');
    expect(view.state.panel).toMatchObject({ open: 'detail' });
    expect(view.press(key).state.panel.open).toBe('list');
  }
  expect(view.deeds).toEqual(Array(4).fill({ do: 'load', event: events[39] }));
});

test('in the event view, r, y and o act on the selected event, or on the event whose detail is open', () => {
  const view = viewOf(events)
    .press('k', 'r', 'y', 'o', 'enter')
    .do(answer([eventAt(40)]))
    .press('r');
  const event = events[38];
  expect(view.deeds).toEqual([
    { do: 'redeliver', event },
    { do: 'copy', texts: [event?.id] },
    { do: 'open', domainId: event?.domain_id },
    { do: 'load', event },
    { do: 'redeliver', event },
  ]);
});

test('in the event view, R asks first, then redelivers the events that were on the screen when R was pressed', async () => {
  const view = viewOf(events).press('/', 'evt_0000003', 'enter', 'R');
  expect((await view.screen()).join('\n')).toContain('Redeliver 10 events, at once?');
  expect(view.press('escape').deeds).toEqual([]);
  view
    .press('R')
    .do(answer([eventAt(40, { id: 'evt_00000039b' })]))
    .press('enter');
  expect(view.deeds).toMatchObject([{ do: 'redeliver_all', events: { length: 10 } }]);
});

test('in the event view, Esc stops the redelivery of all events', () => {
  const bulk = { total: 9, done: 1, accepted: 1, waitingUntilMs: null };
  const view = viewOf(events).do({ kind: 'set', fields: { bulk } }).press('R', 'escape');
  expect(view.deeds).toEqual([{ do: 'stop_bulk' }]);
});

test('in the event view, t and . work only with an emulator', () => {
  const view = viewOf(events).press('t', '.');
  expect(view.deeds).toEqual([]);
  expect(view.state.notice?.text).toContain('emulator');
  view.do({ kind: 'set', fields: { hasEmulator: true } }).press('t', '.');
  expect(view.deeds).toEqual([
    { do: 'list_triggers', domain: { id: 'dom_1', hostname: 'careers.acme.com' } },
    { do: 'next_due' },
  ]);
});

test('in the event view, Left and Right choose among the possible triggers, and Enter applies the chosen trigger', async () => {
  const event = eventAt(39);
  const panel = { open: 'trigger', domain: event, names: ['dns_gone', 'hold', 'delete'], chosen: 0 } as const;
  const view = viewOf(events).do({ kind: 'opened', panel });
  expect((await view.screen()).join('\n')).toContain('Trigger for careers.acme.com: [dns_gone] hold delete');
  view.press('left', 'left');
  expect((await view.screen()).join('\n')).toContain('[hold] delete dns_gone');
  expect(view.press('enter').deeds).toEqual([{ do: 'trigger', domain: event, name: 'hold' }]);
  expect(view.state.panel.open).toBe('list');
});

test('q ends the event view from the list, and Ctrl-C from anywhere', () => {
  expect(viewOf(events).press('q').deeds).toEqual([{ do: 'leave', interrupted: false }]);
  for (const opening of [[], ['/'], ['enter'], ['?'], ['R']]) {
    const { deeds } = viewOf(events).press(...opening, 'ctrl-c');
    expect(deeds.at(-1)).toEqual({ do: 'leave', interrupted: true });
  }
});

test('in an empty event list, keys that need an event do nothing', () => {
  const view = viewOf([])
    .do({ kind: 'set', fields: { hasEmulator: true } })
    .press('enter', 'r', 'R', 'y', 'o', 't', 'up', 'down', 'g', 'G');
  expect({ deeds: view.deeds, panel: view.state.panel.open }).toEqual({ deeds: [], panel: 'list' });
});

test('in the event view, ? lists every key, but the keys for an emulator only if the server is an emulator', async () => {
  const view = viewOf(events, { columns: 110, rows: 45 }).press('?');
  const words = (lines: string[]) => lines.join(' ').replace(/[\s│]+/g, ' ');
  const without = words(await view.screen());
  const withEmulator = words(await view.do({ kind: 'set', fields: { hasEmulator: true } }).screen());
  for (const { shown, does, isEmulators } of HELP.events) {
    if (shown === '') continue;
    expect(withEmulator).toContain(does);
    expect(without.includes(does)).toBe(!isEmulators);
  }
});

test('in the event view, x selects events, and r, y and Esc act on the selected events', async () => {
  const view = viewOf(events).press('g', 'x', 'x', 'j', 'x');
  expect((await view.screen())[1]).toContain('3 selected');
  expect(view.press('y').deeds.at(-1)).toEqual({ do: 'copy', texts: [0, 1, 3].map((n) => events[n]?.id) });
  view.press('r');
  expect((await view.screen()).join('\n')).toContain('Redeliver 3 events, at once?');
  view.press('enter');
  expect(view.deeds.at(-1)).toMatchObject({ do: 'redeliver_all', events: [0, 1, 3].map((n) => events[n]) });
  expect(view.press('escape').state.marked.size).toBe(0);
});

test('in live mode, the event view asks before r redelivers even one event', async () => {
  const view = viewOf(events, undefined, 'live').press('r');
  expect(view.deeds).toEqual([]);
  expect((await view.screen()).join(' ')).toMatch(/ LIVE .*LIVE MODE: .*Redeliver 1 event/s);
  expect(view.press('escape').deeds).toEqual([]);
  expect(view.press('enter', 'r').state.panel.open).toBe('confirm');
  view.press('enter');
  expect(view.deeds.at(-1)).toEqual({ do: 'redeliver', event: events[39] });
  expect(view.state.panel.open).toBe('detail');
});

test('the filter of the event view has a cursor, and recalls earlier filters', async () => {
  const view = viewOf(events).press('/', 'type:active', 'enter', '/', 'ctrl-u', 'host:acme', 'enter');
  view.press('/', 'ctrl-a', '-');
  expect(view.state.panel).toMatchObject({ input: { before: '-', after: 'host:acme' } });
  expect((await view.screen()).join('\n')).toContain('/-▏host:acme');
  view.press('up', 'up', 'up');
  expect(view.state.panel).toMatchObject({ input: { before: 'type:active' } });
  view.press('down');
  expect(view.state.panel).toMatchObject({ input: { before: 'host:acme' } });
  view.press('down', 'down');
  expect(view.state.panel).toMatchObject({ input: { before: '' } });
});

test('in the event view, s sorts by host, by type and by delivery, and then by time again', () => {
  const view = viewOf(events);
  const shown = ['host', 'type', 'delivery', 'time'].map(() => view.press('s').state.rows.sort);
  expect(shown).toEqual(['host', 'type', 'delivery', 'time']);
});

test('after a question, the event view returns to the page on which it asked', () => {
  const view = viewOf(events).press('enter', '?', 'escape');
  expect(view.state.panel.open).toBe('detail');
  expect(view.press('escape').state.panel.open).toBe('list');
});

test('in the event view, n and p show the next and the previous event, skip gaps, and stop at the ends', () => {
  const view = viewOf([eventAt(0), eventAt(1)]);
  view.do({
    kind: 'answer',
    atMs: 0,
    events: [eventAt(90)],
    changed: [],
    gap: { after: eventAt(1), before: eventAt(90) },
    wasReset: false,
  });
  const openId = () => (view.state.panel.open === 'detail' ? view.state.panel.event.id : null);
  view.press('g', 'enter', 'p');
  expect(openId()).toBe(eventAt(0).id);
  view.press('n', 'n');
  expect(openId()).toBe(eventAt(90).id);
  view.press('n', 'p');
  expect(openId()).toBe(eventAt(1).id);
  expect(view.deeds.at(-1)).toMatchObject({ do: 'load', event: { id: eventAt(1).id } });
  view.press('escape');
  expect(view.state.rows.selected).toBe(1);
});

test('the event view requests older events near the start of its list, and for a filter that the API supports', () => {
  const asks = (...keys: string[]) =>
    viewOf(events)
      .press(...keys)
      .deeds.filter((deed) => deed.do === 'load_past').length;
  expect(asks('k')).toBe(0);
  expect(asks('g')).toBe(1);
  expect(asks('pageup', 'pageup')).toBe(1);
  expect(asks('/', 'type:active', 'enter')).toBe(1);
  // The API has no filter by hostname, so the view requests nothing for `host:`.
  expect(asks('/', 'host:acme', 'enter', 'g')).toBe(0);
});

test('in the detail of an event, b folds the body and unfolds it', () => {
  const view = viewOf(events).press('enter', 'b');
  expect(view.state.isBodyFolded).toBe(true);
  expect(view.press('b').state.isBodyFolded).toBe(false);
});
