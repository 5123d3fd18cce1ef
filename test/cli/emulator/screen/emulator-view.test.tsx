import { expect, test } from 'vitest';
import { rowOf } from '../../../../cli/emulator/screen/activity-row.ts';
import { EmulatorView, type ScreenFacts } from '../../../../cli/emulator/screen/emulator-view.tsx';
import { pressScreenKey } from '../../../../cli/emulator/screen/screen-keys.ts';
import {
  initialScreen,
  reduceScreen,
  type ScreenAction,
  type ScreenState,
} from '../../../../cli/emulator/screen/screen-state.ts';
import { textWidth } from '../../../../cli/output/table.ts';
import { textInput } from '../../../../cli/screen/text-input.ts';
import type { ActivityItem } from '../../../../emulator/state/activity.ts';
import type { EventDetail } from '../../../../shared/schema/event.ts';
import { eventAt } from '../../events/event-list.ts';
import { draw } from '../../screen/drawn.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const FACTS: ScreenFacts = {
  url: 'http://127.0.0.1:4400',
  edgeUrl: 'http://127.0.0.1:4401',
  addresses: [['API', 'http://127.0.0.1:4400/v1']],
  next: ['nameplate domains add careers.acme.com --wait', `curl ${'x'.repeat(100)}`],
};

const api = (path: string, at = NOW): ActivityItem => ({ kind: 'api', at, method: 'GET', path, status: 200 });
const happened = (...items: ActivityItem[]): ScreenAction => ({ kind: 'happened', rows: items.map(rowOf) });
const SMALL = { columns: 80, rows: 24 };

function screen(...actions: ScreenAction[]): ScreenState {
  const clock = { mode: 'real', now: '2026-11-20T12:00:03.000Z', aheadMs: 0 };
  const start: ScreenAction = { kind: 'resized', height: 19 };
  return [start, ...actions].reduce(reduceScreen, initialScreen(clock, 0));
}

async function textOf(state: ScreenState, size = SMALL, isScreenReaderEnabled = false): Promise<string[]> {
  let current = state;
  const listeners = new Set<() => void>();
  const store = {
    get: () => current,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispatch(action: ScreenAction) {
      current = reduceScreen(current, action);
      for (const listener of listeners) listener();
    },
  };
  const ignore = () => undefined;
  const view = <EmulatorView store={store} facts={FACTS} act={ignore} stopJob={ignore} />;
  using drawn = await draw(view, { ...size, isScreenReaderEnabled });
  return drawn.lines();
}

function press(state: ScreenState, ...names: string[]): ScreenState {
  return names.reduce((before, name) => {
    const key = name.length > 1 ? { name, text: '' } : { name: '', text: name };
    const steps = pressScreenKey(before, { ...key, isPasted: false });
    return steps.filter((step) => 'kind' in step).reduce(reduceScreen, before);
  }, state);
}

function commandOf(state: ScreenState, name: string) {
  const key = name.length > 1 ? { name, text: '' } : { name: '', text: name };
  return pressScreenKey(state, { ...key, isPasted: false }).find((step) => 'do' in step);
}

test('the emulator screen shows the addresses and commands to try until the first request or event', async () => {
  const text = (await textOf(screen())).join('\n');
  expect(text).toContain('API  http://127.0.0.1:4400/v1');
  expect(text).toContain('nameplate domains add careers.acme.com --wait');
  expect(text).not.toContain('curl');
});

test('the emulator screen shows one line for each request, event, webhook and mail', async () => {
  const domain = { event_id: 'evt_1', type: 'domain.active', hostname: 'careers.acme.com' };
  const state = screen(
    happened(
      { kind: 'api', at: NOW, method: 'POST', path: '/v1/domains', status: 201 },
      { kind: 'event', at: NOW, ...domain, previous_status: 'issuing', status: 'active' },
      { kind: 'webhook', at: NOW, ...domain, attempt: 2, status: null, error: 'timeout', response_ms: null },
      { kind: 'edge', at: NOW, method: 'GET', host: 'careers.acme.com', path: '/jobs', status: 502 },
      { kind: 'mail', at: NOW, to: 'ops@acme.com', subject: 'careers.acme.com is connected', text: 'It is.' },
    ),
  );
  expect((await textOf(state)).slice(1, 7)).toEqual([
    '╭ 0 domains   0 events ────────────────────────────────────────────────────────╮',
    '│┆ ✓ 12:00:00 api     201 POST /v1/domains                                     │',
    '│┆ ● 12:00:00 event       active      careers.acme.com  issuing → active       │',
    '│┆ ✗ 12:00:00 webhook     active      careers.acme.com  attempt 2  timeout     │',
    '│┆ ✗ 12:00:00 edge    502 GET careers.acme.com/jobs                            │',
    '│▌ · 12:00:00 mail        careers.acme.com is connected  to ops@acme.com       │',
  ]);
});

test.each([
  [80, 24],
  [200, 60],
  [40, 10],
  [10, 3],
  [2, 1],
])('the emulator screen fits a terminal of %i × %i, whatever it shows', async (columns, rows) => {
  const size = { columns, rows };
  const long = api(`/v1/${'\u6f22'.repeat(300)}`);
  const panels: ScreenAction[] = [
    { kind: 'opened', panel: { open: 'activity' } },
    { kind: 'opened', panel: { open: 'addresses' } },
    { kind: 'opened', panel: { open: 'keys' } },
    { kind: 'opened', panel: { open: 'advance', input: textInput('72h') } },
    { kind: 'opened', panel: { open: 'item', row: rowOf(long), event: null } },
    { kind: 'opened', panel: { open: 'reset' } },
    { kind: 'noticed', notice: { text: 'x'.repeat(300), tone: 'bad' } },
  ];
  for (const panel of panels) {
    const lines = await textOf(screen(happened(...Array.from({ length: 100 }, () => long)), panel), size);
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  }
});

test('text from requests cannot control the terminal of the emulator screen', async () => {
  const evil = 'a\u001b[2J\u0007\u009b31m\u202e\r\nb';
  const state = screen(
    happened(
      api(`/v1/${evil}`),
      { kind: 'edge', at: NOW, method: evil, host: evil, path: evil, status: 200 },
      {
        kind: 'event',
        at: NOW,
        event_id: evil,
        type: evil,
        hostname: evil,
        previous_status: evil,
        status: evil,
      },
      {
        kind: 'webhook',
        at: NOW,
        event_id: evil,
        type: evil,
        hostname: evil,
        attempt: 1,
        status: null,
        error: evil,
        response_ms: 1,
      },
      { kind: 'mail', at: NOW, to: evil, subject: evil, text: evil },
    ),
    { kind: 'noticed', notice: { text: evil, tone: 'bad' } },
  );
  const pages = state.rows.map((row) =>
    reduceScreen(state, { kind: 'opened', panel: { open: 'item', row, event: null } }),
  );
  const texts = await Promise.all([state, ...pages].map((each) => textOf(each)));
  for (const line of texts.flat()) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('the emulator screen shows the new day at the right edge when the day changes', async () => {
  const text = await textOf(screen(happened(api('/v1/a'), api('/v1/b', NOW + 86_400_000))));
  expect(text.slice(2, 4)).toEqual([
    '│┆ ✓ 12:00:00 api     200 GET /v1/a                                            │',
    '│▌ ✓ 12:00:00 api     200 GET /v1/b                                  2026-11-21│',
  ]);
});

test('the emulator screen keeps the rows in place while a row other than the newest is selected', async () => {
  const many = Array.from({ length: 40 }, (_, n) => api(`/v1/${n}`));
  const up = press(screen(happened(...many)), 'k', 'k');
  const later = reduceScreen(up, happened(api('/v1/new')));
  expect((await textOf(later)).slice(2, 22)).toEqual((await textOf(up)).slice(2, 22));
  expect((await textOf(later))[1]).toContain('row 38, G follows');
  expect((await textOf(press(later, 'G'))).join('\n')).toContain('/v1/new');
});

test('on the emulator screen, Enter shows a line in full, and Enter or Esc closes it', async () => {
  const path = `/v1/domains?${'x'.repeat(200)}END`;
  const opened = press(screen(happened(api(path))), 'enter');
  expect((await textOf(opened)).join('\n')).toMatch(/response {2}200[\s\S]*at {8}2026-11-20 12:00:00Z/);
  expect((await textOf(opened)).join('\n')).toContain('END');
  for (const key of ['enter', 'escape', 'left']) expect(press(opened, key).panel.open).toBe('activity');
  const mail = screen(
    happened({ kind: 'mail', at: NOW, to: 'a@b.c', subject: 'Hi', text: 'Line 1\nLine 2' }),
  );
  expect((await textOf(press(mail, 'enter'))).join('\n')).toMatch(/to +a@b\.c[\s\S]*│Line 1 +│\n│Line 2/);
});

test('on the emulator screen, Enter on a webhook reads its event, and shows the attempts and the body', async () => {
  const webhook: ActivityItem = {
    kind: 'webhook',
    at: NOW,
    event_id: 'evt_1',
    type: 'domain.active',
    hostname: 'careers.acme.com',
    attempt: 1,
    status: 200,
    error: null,
    response_ms: 3,
  };
  const state = screen(happened(webhook));
  const [row] = state.rows;
  if (row === undefined) throw new Error('no row');
  expect(commandOf(state, 'enter')).toEqual({ do: 'load', row });
  const opened = press(state, 'enter');
  expect((await textOf(opened)).join('\n')).toContain('Loading the event');
  const event: EventDetail = { ...eventAt(1), deliveries: [], body: '{"id":"evt_1"}' };
  const text = (await textOf(reduceScreen(opened, { kind: 'loaded', row, event }))).join('\n');
  expect(text).toMatch(/Attempts[\s\S]*"id": "evt_1"/);
});

test('on the emulator screen, each press of f shows only the next kind of line, and finally all lines again', async () => {
  const mail: ActivityItem = { kind: 'mail', at: NOW, to: 'a@b.c', subject: 'Hello', text: '' };
  let state = screen(happened(api('/v1/a'), mail));
  const seen: string[] = [];
  for (let presses = 0; presses < 7; presses++) {
    state = press(state, 'f');
    const text = (await textOf(state)).join('\n');
    seen.push(`${state.only}: ${text.includes('/v1/a')} ${text.includes('Hello')}`);
  }
  expect(seen).toEqual([
    'api: true false',
    'edge: false false',
    'event: false false',
    'webhook: false false',
    'mail: false true',
    'log: false false',
    'null: true true',
  ]);
});

test('on the emulator screen, c clears the list, and q, Ctrl-C and Ctrl-D stop the emulator', () => {
  const state = screen(happened(api('/v1/a')));
  expect(state.shown.length).toBe(1);
  expect(press(state, 'c').shown.length).toBe(0);
  for (const key of ['q', 'ctrl-c', 'ctrl-d']) expect(commandOf(state, key)).toEqual({ do: 'quit' });
});

test('on the emulator screen, a reset needs Enter, and any other key cancels it', async () => {
  const asked = press(screen(), 'r');
  expect((await textOf(asked)).join('\n')).toContain('Delete all domains, events and mails?');
  expect(commandOf(asked, 'enter')).toEqual({ do: 'reset' });
  for (const key of ['escape', 'r', 'y', 'q']) {
    expect(commandOf(asked, key)).toBeUndefined();
    expect(press(asked, key).panel.open).toBe('activity');
  }
});

test('the clock prompt of the emulator screen accepts only characters of a duration or a time', async () => {
  const state = press(screen(), 'a', '7', '3', 'backspace', '2', ' ', 'h');
  expect((await textOf(state)).join('\n')).toContain('Advance by or to: 72h▏');
  expect(commandOf(state, 'enter')).toEqual({ do: 'advance', text: '72h' });
});

test('the emulator screen shows how far the clock was moved, and a message for some seconds', async () => {
  const clock = { mode: 'real', now: '2027-02-18T12:00:03.000Z', aheadMs: 90 * 86_400_000 };
  const facts = (nowMs: number): ScreenAction => ({
    kind: 'facts',
    counts: { domains: 1, events: 2 },
    clock,
    nowMs,
  });
  const state = screen({ kind: 'noticed', notice: { text: 'Emulator reset.', tone: 'good' } }, facts(5_000));
  const lines = await textOf(state, { columns: 120, rows: 24 });
  expect(lines[0]).toContain('clock real +90 d · 2027-02-18 12:00:03Z');
  expect(lines.join('\n')).toContain('Emulator reset.');
  expect((await textOf(reduceScreen(state, facts(7_000)))).join('\n')).not.toContain('Emulator reset.');
  const [narrow] = await textOf(state, { columns: 80, rows: 24 });
  expect(narrow).toMatch(
    /^ {2}emulator {2}http:\/\/127\.0\.0\.1:\d+ +clock real \+90 d · 2027-02-18 12:00:03Z$/,
  );
});

test('the emulator screen describes a line in words for a screen reader', async () => {
  const lines = await textOf(screen(happened(api('/v1/a'))), SMALL, true);
  expect(lines).toContain('(selected) 12:00:00, api, 200, GET /v1/a');
});
