import { expect, test } from 'vitest';
import type { CheckedSignature } from '../../../../cli/events/check-signature.ts';
import { textWidth } from '../../../../cli/output/table.ts';
import { NetworkError } from '../../../../shared/client/client-error.ts';
import type { EventDetail, EventResource } from '../../../../shared/schema/event.ts';
import { apiError, eventAt, PENDING } from '../event-list.ts';
import { answer, viewOf } from '../view.ts';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
  { columns: 40, rows: 10 },
  { columns: 20, rows: 5 },
];

function delivery(n: number, fields: Partial<EventResource['delivery']>): EventResource {
  return eventAt(n, { delivery: { ...eventAt(n).delivery, ...fields } });
}

const EVENTS = [
  eventAt(-86_400, { hostname: 'yesterday.acme.com' }),
  delivery(0, { status: 'failed', attempts: 8, last_status_code: 500 }),
  delivery(1, {
    status: 'pending',
    attempts: 2,
    last_status_code: null,
    last_error: 'timeout',
    next_attempt_at: '2026-11-20T12:06:01.000Z',
  }),
  eventAt(2, PENDING),
  delivery(3, { status: 'none', attempts: 0, last_status_code: null }),
  eventAt(4, { hostname: 'a-very-long-name-for-a-customer-domain.department.subsidiary.example.com' }),
];

function detailOf(event: EventResource, fields: Partial<EventDetail> = {}): EventDetail {
  return { ...event, deliveries: [], body: '{"id":"evt_1","data":{"n":1}}', ...fields };
}

const UNSIGNED: CheckedSignature = { missing: 'Give the secret with --secret.' };

test('at 80 columns, a row shows time, type, host and delivery', () => {
  expect(viewOf(EVENTS).screen(3_000).slice(0, 9)).toEqual([
    'nameplate events  test · 127.0.0.1:4400                ● live · updated 3 s ago',
    '6 events · following · ✓ 2 · ✗ 1 · … 2 · · 1',
    '   UTC         TYPE         HOST                       DELIVERY',
    ' ✓ 11-19 12:00 active       yesterday.acme.com         200',
    ' ✗ 12:00:00    active       careers.acme.com           failed: 500 ×8',
    ' … 12:00:01    active       careers.acme.com           timeout ×2, next 12:06:01',
    ' … 12:00:02    active       careers.acme.com           waiting',
    ' · 12:00:03    active       careers.acme.com           no webhook URL',
    '›✓ 12:00:04    active       a-very-long-name-for-a-cu… 200',
  ]);
});

test('shows the date of the next attempt if it is on another day', () => {
  const tomorrow = delivery(1, {
    status: 'pending',
    attempts: 6,
    last_status_code: 500,
    next_attempt_at: '2026-11-21T12:00:01.000Z',
  });
  expect(viewOf([tomorrow]).screen(3_000).join('\n')).toContain('500 ×6, next 11-21 12:00');
});

test('a wide terminal also shows the status change; a narrow one shortens each column', () => {
  expect(viewOf(EVENTS, { columns: 140, rows: 24 }).screen()[4]).toMatch(
    /domain\.active +careers\.acme\.com +issuing → active +failed: 500 ×8/,
  );
  expect(viewOf(EVENTS, { columns: 40, rows: 10 }).screen()).toEqual([
    'events  test · 127.0.… ● live · 0 s ago',
    '6 events · following · ✓ 2 · ✗ 1 · … 2 …',
    ' ✓ 11-19 active     yesterday.… 200',
    ' ✗ 12:00 active     careers.ac… 500 ×8',
    ' … 12:00 active     careers.ac… timeout…',
    ' … 12:00 active     careers.ac… pending',
    ' · 12:00 active     careers.ac… none',
    '›✓ 12:00 active     a-very-lon… 200',
    '',
    '',
  ]);
});

test.each(SIZES)('every screen fills the $columns x $rows terminal, and no line is too wide', (size) => {
  const loaded = {
    state: 'loaded',
    detail: detailOf(EVENTS[0] as EventResource),
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
      .do({ kind: 'loaded', event: EVENTS[5] as EventResource, content: loaded }),
    viewOf(EVENTS, size).press('R'),
    viewOf(EVENTS, size).do({ kind: 'noticed', notice: { text: 'word '.repeat(200), tone: 'bad' } }),
    viewOf(EVENTS, size).do({ kind: 'stopped', error: apiError(401, 'unauthorized') }),
    viewOf(EVENTS, size).do({
      kind: 'bulk',
      bulk: { total: 99, done: 1, accepted: 1, waitingUntilMs: 9_000 },
    }),
  ];
  for (const view of views) {
    const screen = view.screen();
    expect(screen).toHaveLength(size.rows);
    expect(Math.max(...screen.map(textWidth))).toBeLessThanOrEqual(size.columns);
  }
});

test.each(SIZES)(
  'at $columns columns, shows the state of the connection and the age of the last response',
  (size) => {
    const top = (view: ReturnType<typeof viewOf>, nowMs: number) => view.screen(nowMs)[0] ?? '';
    const view = viewOf([], size);
    expect(top(view, 0)).toContain('connecting');
    expect(top(view.do(answer([])), 4_000)).toMatch(/live.*4 s/);
    const error = new NetworkError('Cannot reach it.');
    expect(top(view.do({ kind: 'retrying', error, untilMs: 9_000 }), 4_000)).toContain('retrying in 5 s');
    expect(top(view.do({ kind: 'stopped', error: apiError(401, 'unauthorized') }), 4_000)).toContain(
      '✗ stopped',
    );
  },
);

test('shows why the connection was lost, with and without rows', () => {
  const error = new NetworkError('Cannot reach http://127.0.0.1:4400 (ECONNREFUSED).');
  for (const view of [viewOf([]), viewOf(EVENTS)]) {
    view.do({ kind: 'retrying', error, untilMs: 9_000 });
    expect(view.screen().join('\n')).toContain('ECONNREFUSED');
    expect(view.do(answer([])).screen().join('\n')).toContain('Reconnected.');
  }
});

test('shows a gap as a row with the times at which it starts and ends', () => {
  const gap = { after: eventAt(4), before: eventAt(90) };
  const view = viewOf(EVENTS).do({
    kind: 'answer',
    atMs: 0,
    events: [eventAt(90)],
    changed: [],
    gap,
    wasReset: false,
  });
  expect(view.screen()[9]).toMatch(/^ {2}── Not read: 2026-11-20 12:00:04Z to 12:01:30Z ─+$/);
});

test('shows the result of a redelivery on its row until a later attempt, and how many more the limit allows', () => {
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
  expect(view.screen()[4]).toContain('↻ 502 in 31 ms');
  view.do(answer([], [{ ...event, delivery: { ...event.delivery, attempts: 9, last_status_code: 502 } }]));
  expect(view.screen()[4]).toContain('↻ 502 in 31 ms');
  view.do(answer([], [{ ...event, delivery: { ...event.delivery, attempts: 10, last_status_code: 503 } }]));
  expect(view.screen()[4]).toContain('failed: 503 ×10');
  view.do(
    { kind: 'bulk', bulk: { total: 40, done: 10, accepted: 4, waitingUntilMs: 42_000 } },
    { kind: 'budget', budget: { openedAtMs: 0, used: 10 } },
  );
  expect(view.screen(2_000)[1]).toContain('redelivered 10 of 40, 0 left this minute, next in 40 s');
  expect(view.screen(61_000)[1]).toContain('10 left this minute');
});

test('the detail shows fields, attempts, signature and body, and scrolls', () => {
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
    header: 'Service-Signature',
    value: 't=1,v1=abc',
    result: 'A receiver with this secret accepts it.',
    isGood: true,
  };
  const detail = detailOf(event, { deliveries, delivery: { ...event.delivery, attempts: 60 } });
  const view = viewOf(EVENTS).press('enter');
  expect(view.screen().join('\n')).toContain('Loading the event');
  view.do({
    kind: 'loaded',
    event,
    content: { state: 'loaded', detail, signature, webhookUrl: 'https://app.example.com/hooks' },
  });
  const all = [...view.screen(), ...view.press('G').screen()].join('\n');
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
    kind: 'loaded',
    event: EVENTS[0] as EventResource,
    content: { state: 'failed', problem: 'came too late' },
  });
  expect(view.screen().join('\n')).not.toContain('too late');
});
