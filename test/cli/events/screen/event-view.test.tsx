import { expect, test } from 'vitest';
import type { CheckedSignature } from '../../../../cli/events/commands/event-request.ts';
import { EventView } from '../../../../cli/events/screen/event-view.tsx';
import { reduceView } from '../../../../cli/events/view/view-state.ts';
import { textWidth } from '../../../../cli/output/table.ts';
import { createScreenStore } from '../../../../cli/screen/screen.tsx';
import { NetworkError } from '../../../../shared/client/client-error.ts';
import type { EventDetail, EventResource } from '../../../../shared/schema/event.ts';
import { draw } from '../../screen/drawn.ts';
import { apiError, eventAt, PENDING } from '../event-list.ts';
import { answer, viewOf } from '../view.tsx';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
  { columns: 40, rows: 10 },
  { columns: 20, rows: 5 },
];

function delivery(n: number, fields: Partial<EventResource['delivery']>): EventResource {
  return eventAt(n, { delivery: { ...eventAt(n).delivery, ...fields } });
}

const BROKEN = { domain_id: 'dom_broken', hostname: 'broken.acme.com' };

const EVENTS: EventResource[] = [
  eventAt(-86_400, { hostname: 'yesterday.acme.com' }),
  delivery(0, { status: 'failed', attempts: 8, last_status_code: 500 }),
  {
    ...delivery(1, {
      status: 'pending',
      attempts: 2,
      last_status_code: null,
      last_error: 'timeout',
      next_attempt_at: '2026-11-20T13:02:01.000Z',
    }),
    ...BROKEN,
    type: 'domain.dns_broken',
  },
  eventAt(2, { ...PENDING, ...BROKEN }),
  delivery(3, { status: 'none', attempts: 0, last_status_code: null }),
  eventAt(4, { hostname: 'a-very-long-name-for-a-customer-domain.department.subsidiary.example.com' }),
];

function detailOf(event: EventResource, fields: Partial<EventDetail> = {}): EventDetail {
  return { ...event, deliveries: [], body: '{"id":"evt_1","data":{"n":1}}', ...fields };
}

const UNSIGNED: CheckedSignature = { ok: false, problem: 'Give the secret with --secret.' };

test('at 80 columns, a row of the event view shows age, host, a symbol for the change, and the delivery', async () => {
  expect((await viewOf(EVENTS).screen(3_000)).slice(0, 10)).toEqual([
    ' • nameplate •   Events  Domains  test · 127.0.0.1:4400   ● connected · 3 s ago',
    '╭ 6 events   ✓ 2   ↻ 1   ◌ 1   ✗ 1   · 1 ─────────────────────────── following ╮',
    '│       AGE HOST                                    DELIVERY                   │',
    '│┆ ✓    1 d yesterday.acme.com                    ● 200                        │',
    '│┆ ✗    1 h careers.acme.com                      ● failed · 500 ×8            │',
    '│┆ ↻ 59 min broken.acme.com                       ≠ timeout ×2 · in 2 min      │',
    '│┆ ◌ 59 min broken.acme.com                       ● waits (timeout)            │',
    '│┆ · 59 min careers.acme.com                      ● no webhook URL             │',
    '│▌ ✓ 59 min a-very-long-name-for-a-customer-doma… ● 200                        │',
    '│                                                                              │',
  ]);
});

test('at 120 columns, the event view shows the change in words, and the page of the selected event beside the list', async () => {
  const lines = await viewOf(EVENTS, { columns: 120, rows: 30 }).press('k', 'k').screen();
  expect(lines.slice(1, 10)).toEqual([
    '╭ 6 events   ✓ 2   ↻ 1   ◌ 1   ✗ 1   · 1 ──────── row 4, not following ╮╭ domain.active ───────────────────────────────╮',
    '│       AGE HOST                CHANGE             DELIVERY            ││host      broken.acme.com                     │',
    '│┆ ✓    1 d yesterday.acme.com  active             200                 ││change    issuing → active                    │',
    '│┆ ✗    1 h careers.acme.com    active             failed · 500 ×8     ││delivery  ◌ waits for the one before          │',
    '│┆ ↻ 59 min broken.acme.com     DNS broken         timeout ×2 · in 2 m…││          (timeout)                           │',
    '│▌ ◌ 59 min broken.acme.com     active             waits (timeout)     ││          domain.dns_broken evt_00000001      │',
    '│┆ · 59 min careers.acme.com    active             no webhook URL      ││          comes first                         │',
    '│┆ ✓ 59 min a-very-long-name-f… active             200                 ││created   2026-11-20 12:00:02Z · 59 min ago   │',
    '│                                                                      ││id        evt_00000002                        │',
  ]);
});

test('at 40 columns, the event view has short rows and no borders', async () => {
  expect(await viewOf(EVENTS, { columns: 40, rows: 10 }).screen()).toEqual([
    ' events  test · 127.0.0.1:… ● connected',
    '6 events   ✓ 2   ↻ 1   ◌ 1   … following',
    '┆ ✓    1 d yesterday.acme.com  200',
    '┆ ✗    1 h careers.acme.com    500 ×8',
    '┆ ↻ 59 min broken.acme.com     timeout …',
    '┆ ◌ 59 min broken.acme.com     queued',
    '┆ · 59 min careers.acme.com    none',
    '▌ ✓ 59 min a-very-long-name-f… 200',
    '',
    '',
  ]);
});

test('the event view marks live mode at the left edge of every row and in the title', async () => {
  const lines = await viewOf(EVENTS, undefined, 'live').screen();
  expect(lines[0]).toMatch(/LIVE · 127\.0\.0\.1:4400/);
  expect(lines.join('\n')).not.toContain('┆');
});

test('the event view describes a row in words for a screen reader', async () => {
  const store = createScreenStore(reduceView, viewOf(EVENTS).press('g', 'x').state);
  const ignore = () => undefined;
  using drawn = await draw(<EventView store={store} act={ignore} stopJob={ignore} />, {
    isScreenReaderEnabled: true,
  });
  const heard = drawn.lines();
  expect(heard).toContain('(selected) careers.acme.com, active, failed, failed · 500 ×8, 1 h ago');
  expect(heard).toContain('selected for redelivery, yesterday.acme.com, active, delivered, 200, 1 d ago');
  expect(heard).toContain('broken.acme.com, active, waiting, waits for the one before (timeout), 59 min ago');
  expect(heard.join('\n')).not.toMatch(/[┆▌╭│]/);
});

test('in the event view, a wide character takes two columns, and the columns after it stay aligned', async () => {
  const view = viewOf([
    eventAt(0, { hostname: '漢字漢字.example.com' }),
    eventAt(1, { hostname: '😀.example.com' }),
    eventAt(2, { hostname: '漢字'.repeat(30) }),
  ]);
  const lines = (await view.screen()).slice(3, 6);
  expect(lines.map(textWidth)).toEqual([80, 80, 80]);
  expect(lines.map((line) => textWidth(line.slice(0, line.indexOf('●'))))).toEqual([50, 50, 50]);
});

test.each(SIZES)('every screen of the event view fits a terminal of $columns x $rows', async (size) => {
  const event = EVENTS[5] as EventResource;
  const content = {
    state: 'loaded',
    detail: detailOf(event),
    signature: UNSIGNED,
    webhookUrl: null,
  } as const;
  const views = [
    viewOf([], size),
    viewOf(EVENTS, size),
    viewOf(EVENTS, size).press('/', 'x'.repeat(300)),
    viewOf(EVENTS, size).press('?'),
    viewOf(EVENTS, size).press('enter'),
    viewOf(EVENTS, size)
      .press('enter')
      .do({ kind: 'set', fields: { detail: { id: event.id, content } } }),
    viewOf(EVENTS, size).press('R'),
    viewOf(EVENTS, size).press('tab'),
    viewOf(EVENTS, size).do({ kind: 'noticed', notice: { text: 'word '.repeat(200), tone: 'bad' } }),
    viewOf(EVENTS, size).do({ kind: 'stopped', error: apiError(401, 'unauthorized') }),
    viewOf(EVENTS, size).do({
      kind: 'set',
      fields: { bulk: { total: 99, done: 1, accepted: 1, waitingUntilMs: 9_000 } },
    }),
  ];
  for (const view of views) {
    const screen = await view.screen();
    expect(screen.length).toBeLessThanOrEqual(size.rows);
    expect(Math.max(...screen.map(textWidth))).toBeLessThanOrEqual(size.columns);
  }
});

test.each(SIZES.slice(0, 3))(
  'at $columns columns, the event view shows the state of the connection',
  async (size) => {
    const top = async (view: ReturnType<typeof viewOf>, nowMs: number) => (await view.screen(nowMs))[0] ?? '';
    const view = viewOf([], size);
    expect(await top(view, 0)).toContain('connecting');
    expect(await top(view.do(answer([])), 4_000)).toMatch(size.columns < 60 ? /connected$/ : /4 s/);
    const error = new NetworkError('Cannot reach it.');
    expect(await top(view.do({ kind: 'retrying', error, untilMs: 9_000 }), 4_000)).toContain(
      'retrying in 5 s',
    );
    expect(await top(view.do({ kind: 'stopped', error: apiError(401, 'unauthorized') }), 4_000)).toContain(
      '✗ stopped: key refused',
    );
  },
);

test('the event view shows why the connection was lost until the connection is back, with and without rows', async () => {
  const error = new NetworkError('Cannot reach http://127.0.0.1:4400 (ECONNREFUSED).');
  for (const view of [viewOf([]), viewOf(EVENTS)]) {
    view.do({ kind: 'retrying', error, untilMs: 9_000 });
    expect((await view.screen(900_000)).join('\n')).toContain('ECONNREFUSED');
    expect((await view.do(answer([])).screen()).join('\n')).toContain('Reconnected.');
  }
});

test('a message of the event view disappears after some seconds', async () => {
  const view = viewOf(EVENTS).do({ kind: 'noticed', notice: { text: 'Copied.', tone: 'good' } });
  expect((await view.screen(5_000)).join('\n')).toContain('Copied.');
  expect((await view.screen(7_000)).join('\n')).not.toContain('Copied.');
});

test("the event view shows how far the emulator's clock was moved, and measures ages by that clock", async () => {
  const clock = { now: '2027-02-18T12:00:10.000Z', aheadMs: 90 * 86_400_000, isFrozen: false };
  const view = viewOf([eventAt(0, { created_at: '2027-02-18T12:00:00.000Z' })]).do({ kind: 'clock', clock });
  const lines = await view.screen();
  expect(lines[0]).toContain('clock +90 d');
  expect(lines[3]).toContain(' 10 s careers.acme.com');
});

test('the event view shows a gap between events as a row with the times at which it starts and ends', async () => {
  const gap = { after: eventAt(4), before: eventAt(90) };
  const view = viewOf(EVENTS).do({
    kind: 'answer',
    atMs: 0,
    events: [eventAt(90)],
    changed: [],
    gap,
    wasReset: false,
  });
  expect((await view.screen())[9]).toMatch(/^│┆ ── Not read: 2026-11-20 12:00:04Z to 12:01:30Z ─+…│$/);
});

test('a row of the event view shows the result of its redelivery until a later attempt, and the remaining limit', async () => {
  const event = EVENTS[1] as EventResource;
  const answered = {
    id: 'dlv_1',
    event_id: event.id,
    attempt: 9,
    status_code: 502,
    response_ms: 31,
    error: null,
    delivered_at: null,
    next_attempt_at: null,
    created_at: event.created_at,
    response_headers: null,
    response_body: null,
  };
  const view = viewOf(EVENTS).do({
    kind: 'redelivered',
    id: event.id,
    redelivery: { state: 'answered', delivery: answered },
  });
  expect((await view.screen())[4]).toMatch(/✗ .*502 in 31 ms/);
  view.do(answer([], [{ ...event, delivery: { ...event.delivery, attempts: 9, last_status_code: 502 } }]));
  expect((await view.screen())[4]).toMatch(/✗ .*502 in 31 ms/);
  view.do(answer([], [{ ...event, delivery: { ...event.delivery, attempts: 10, last_status_code: 503 } }]));
  expect((await view.screen())[4]).toContain('failed · 503 ×10');
  view.do({
    kind: 'set',
    fields: {
      bulk: { total: 40, done: 10, accepted: 4, waitingUntilMs: 42_000 },
      budget: { openedAtMs: 0, used: 10 },
    },
  });
  expect((await view.screen(2_000))[1]).toContain('redelivered 10 of 40, 0 left this minute, next in 40 s');
  expect((await view.screen(61_000))[1]).toContain('10 left this minute');
});

test('the detail of an event shows fields, attempts, signature and body, and can be scrolled', async () => {
  const event = EVENTS[5] as EventResource;
  const deliveries = [2, 1].map((attempt) => ({
    id: `dlv_${attempt}`,
    event_id: event.id,
    attempt,
    status_code: attempt === 2 ? 200 : null,
    response_ms: attempt === 2 ? 12 : null,
    error: attempt === 2 ? null : 'timeout',
    delivered_at: null,
    next_attempt_at: null,
    created_at: event.created_at,
    response_headers: null,
    response_body: null,
  }));
  const signature: CheckedSignature = {
    ok: true,
    header: 'Service-Signature',
    value: 't=1,v1=abc',
    result: 'A receiver with this secret accepts it.',
    isGood: true,
  };
  const detail = detailOf(event, { deliveries, delivery: { ...event.delivery, attempts: 60 } });
  const view = viewOf(EVENTS).press('enter');
  expect((await view.screen()).join('\n')).toContain('Loading the event');
  view.do({
    kind: 'set',
    fields: {
      detail: {
        id: event.id,
        content: { state: 'loaded', detail, signature, webhookUrl: 'https://app.example.com/hooks' },
      },
    },
  });
  const all = [...(await view.screen()), ...(await view.press('G').screen())].join('\n');
  for (const text of [
    event.id,
    'issuing → active',
    'timeout',
    'and 58 earlier attempts',
    'Service-Signature: t=1,v1=abc',
    'accepts it',
    'Body, 29 bytes',
    '"n": 1',
  ]) {
    expect(all).toContain(text);
  }
  view.do({
    kind: 'set',
    fields: { detail: { id: EVENTS[0]?.id ?? '', content: { state: 'failed', problem: 'came too late' } } },
  });
  expect((await view.screen()).join('\n')).not.toContain('too late');
});
