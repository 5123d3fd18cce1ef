import { expect, test } from 'vitest';
import type { CheckedSignature } from '../../../../cli/events/commands/event-request.ts';
import type { EventDetail, EventResource } from '../../../../shared/schema/event.ts';
import { apiError, eventAt } from '../event-list.ts';
import { viewOf } from '../view.tsx';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 50 },
  { columns: 40, rows: 10 },
  { columns: 20, rows: 5 },
];
const UNSIGNED: CheckedSignature = { ok: false, problem: 'Give the secret with --secret.' };

test('text from the network cannot control the terminal, on any screen of the event view', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202e\u009b31m\r\n\u0000x';
  const event = {
    ...eventAt(1),
    ...Object.fromEntries(
      ['id', 'type', 'domain_id', 'hostname', 'previous_status', 'status'].map((name) => [
        name,
        `${name}${evil}`,
      ]),
    ),
    delivery: {
      status: 'pending',
      attempts: evil,
      last_status_code: evil,
      last_error: evil,
      last_attempt_at: evil,
      next_attempt_at: evil,
    },
  } as unknown as EventResource;
  const attempt = {
    id: evil,
    event_id: evil,
    attempt: evil,
    status_code: evil,
    response_ms: evil,
    error: evil,
    response_headers: { [evil]: evil },
    response_body: evil,
  };
  const detail = {
    ...event,
    body: JSON.stringify({ [evil]: evil }),
    deliveries: [attempt],
  } as unknown as EventDetail;
  const error = apiError(418, evil);
  error.message = evil;
  const gap = { after: event, before: event };
  const content = { state: 'loaded', signature: UNSIGNED, webhookUrl: evil } as const;
  const views = [
    viewOf([event]),
    viewOf([event]).do({
      kind: 'answer',
      atMs: 0,
      events: [eventAt(2)],
      changed: [],
      gap,
      wasReset: false,
    }),
    viewOf([event])
      .press('enter')
      .do({
        kind: 'set',
        fields: { detail: { id: event.id, content: { ...content, detail } } },
      }),
    viewOf([event])
      .press('enter')
      .do({
        kind: 'set',
        fields: { detail: { id: event.id, content: { ...content, detail: { ...detail, body: evil } } } },
      }),
    viewOf([event]).do({
      kind: 'opened',
      panel: { open: 'trigger', domain: event, names: ['hold'], chosen: 0 },
    }),
    viewOf([]).do({ kind: 'stopped', error }),
    viewOf([event]).do({ kind: 'stopped', error }),
  ];
  for (const view of views) {
    for (const size of SIZES) {
      const screen = (await view.screen(0, size)).join('');
      expect(screen).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  }
});
