import { expect, test } from 'vitest';
import { rowOf } from '../../../../cli/emulator/screen/activity-row.ts';
import { drawScreen, type ScreenFacts } from '../../../../cli/emulator/screen/draw-screen.ts';
import { pressScreenKey } from '../../../../cli/emulator/screen/screen-keys.ts';
import {
  initialScreen,
  reduceScreen,
  type ScreenAction,
  type ScreenState,
} from '../../../../cli/emulator/screen/screen-state.ts';
import { textWidth } from '../../../../cli/output/table.ts';
import type { ActivityItem } from '../../../../emulator/state/activity.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const FACTS: ScreenFacts = {
  url: 'http://127.0.0.1:4400',
  edgeUrl: 'http://127.0.0.1:4401',
  addresses: [['API', 'http://127.0.0.1:4400/v1']],
  next: ['nameplate domains add careers.acme.com --wait', `curl ${'x'.repeat(100)}`],
};

const api = (path: string, at = NOW): ActivityItem => ({ kind: 'api', at, method: 'GET', path, status: 200 });
const happened = (...items: ActivityItem[]): ScreenAction => ({ kind: 'happened', rows: items.map(rowOf) });

function screen(size: ScreenState['size'], ...actions: ScreenAction[]): ScreenState {
  const clock = { mode: 'real', now: '2026-11-20T12:00:03.000Z' };
  return actions.reduce(reduceScreen, initialScreen(size, clock));
}

function textOf(state: ScreenState): string[] {
  return drawScreen(state, FACTS).map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
}

const SMALL = { columns: 80, rows: 24 };

test('shows the addresses and what to try until something happens', () => {
  const text = textOf(screen(SMALL)).join('\n');
  expect(text).toContain('API  http://127.0.0.1:4400/v1');
  expect(text).toContain('nameplate domains add careers.acme.com --wait');
  expect(text).not.toContain('curl');
});

test('shows one line for each request, event, webhook and mail', () => {
  const domain = { type: 'domain.active', hostname: 'careers.acme.com' };
  const state = screen(
    SMALL,
    happened(
      { kind: 'api', at: NOW, method: 'POST', path: '/v1/domains', status: 201 },
      { kind: 'event', at: NOW, ...domain, previous_status: 'issuing', status: 'active' },
      { kind: 'webhook', at: NOW, ...domain, attempt: 2, status: null, error: 'timeout', response_ms: null },
      { kind: 'edge', at: NOW, method: 'GET', host: 'careers.acme.com', path: '/jobs', status: 502 },
      { kind: 'mail', at: NOW, to: 'ops@acme.com', subject: 'careers.acme.com is connected' },
    ),
  );
  expect(textOf(state).slice(3, 8)).toEqual([
    ' 12:00:00  api      201   POST /v1/domains',
    ' 12:00:00  event          active       careers.acme.com  issuing → active',
    ' 12:00:00  webhook  fail  active       careers.acme.com  attempt 2  timeout',
    ' 12:00:00  edge     502   GET careers.acme.com/jobs',
    ' 12:00:00  mail           careers.acme.com is connected  to ops@acme.com',
  ]);
});

test.each([
  [80, 24],
  [200, 60],
  [40, 10],
  [10, 3],
  [1, 1],
])('fits a terminal of %i × %i, whatever it shows', (columns, rows) => {
  const size = { columns, rows };
  const long = api(`/v1/${'\u6f22'.repeat(300)}`);
  const panels: ScreenAction[] = [
    { kind: 'opened', panel: { open: 'activity' } },
    { kind: 'opened', panel: { open: 'addresses' } },
    { kind: 'opened', panel: { open: 'keys' } },
    { kind: 'opened', panel: { open: 'advance', text: '72h' } },
    { kind: 'opened', panel: { open: 'reset' } },
    { kind: 'noticed', notice: { text: 'x'.repeat(300), tone: 'bad' } },
  ];
  for (const panel of panels) {
    const lines = textOf(screen(size, happened(...Array.from({ length: 100 }, () => long)), panel));
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  }
});

test('text from outside cannot control the terminal', () => {
  const evil = 'a\u001b[2J\u0007\u009b31m\u202e\r\nb';
  const state = screen(
    SMALL,
    happened(
      api(`/v1/${evil}`),
      { kind: 'edge', at: NOW, method: evil, host: evil, path: evil, status: 200 },
      { kind: 'event', at: NOW, type: evil, hostname: evil, previous_status: evil, status: evil },
      {
        kind: 'webhook',
        at: NOW,
        type: evil,
        hostname: evil,
        attempt: 1,
        status: null,
        error: evil,
        response_ms: 1,
      },
      { kind: 'mail', at: NOW, to: evil, subject: evil },
    ),
    { kind: 'noticed', notice: { text: evil, tone: 'bad' } },
  );
  for (const line of textOf(state)) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('names the day where it changes', () => {
  const text = textOf(screen(SMALL, happened(api('/v1/a'), api('/v1/b', NOW + 86_400_000))));
  expect(text.slice(3, 6)).toEqual([
    ' 12:00:00  api      200   GET /v1/a',
    ' ── 2026-11-21 ──',
    ' 12:00:00  api      200   GET /v1/b',
  ]);
});

test('keeps the rows in place while the reader has scrolled up, and counts the new ones', () => {
  const many = Array.from({ length: 40 }, (_, n) => api(`/v1/${n}`));
  const scrolled = screen(SMALL, happened(...many), { kind: 'scrolled', by: 5 });
  const later = reduceScreen(scrolled, happened(api('/v1/new')));
  expect(textOf(later).slice(3, 22)).toEqual(textOf(scrolled).slice(3, 22));
  expect(textOf(later).join('\n')).toContain('6 below, G follows');
  expect(textOf(reduceScreen(later, { kind: 'scrolled', by: -99 })).join('\n')).toContain('/v1/new');
});

test('f shows one kind after the other, then all again', () => {
  const mail: ActivityItem = { kind: 'mail', at: NOW, to: 'a@b.c', subject: 'Hello' };
  let state = screen(SMALL, happened(api('/v1/a'), mail));
  const seen: string[] = [];
  for (let presses = 0; presses < 7; presses++) {
    for (const action of pressScreenKey(state, 'f').actions) state = reduceScreen(state, action);
    const text = textOf(state).join('\n');
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

test('a reset needs Enter, and any other key cancels it', () => {
  const asked = screen(SMALL, { kind: 'opened', panel: { open: 'reset' } });
  expect(textOf(asked).join('\n')).toContain('Delete all domains, events and mails?');
  expect(pressScreenKey(asked, 'enter').command).toEqual({ do: 'reset' });
  for (const key of ['escape', 'r', 'y', 'q']) expect(pressScreenKey(asked, key).command).toBeUndefined();
});

test('a duration or a time can be typed, and nothing else', () => {
  let state = screen(SMALL, { kind: 'opened', panel: { open: 'advance', text: '' } });
  for (const key of ['7', '3', 'backspace', '2', ' ', 'h'])
    for (const action of pressScreenKey(state, key).actions) state = reduceScreen(state, action);
  expect(textOf(state).join('\n')).toContain('Advance by or to: 72h▏');
  expect(pressScreenKey(state, 'enter').command).toEqual({ do: 'advance', text: '72h' });
});
