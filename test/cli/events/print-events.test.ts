import { expect, test } from 'vitest';
import type { FeedItem } from '../../../cli/events/follow-events.ts';
import { printEvents } from '../../../cli/events/print-events.ts';
import { readFilter } from '../../../cli/events/view/event-filter.ts';
import { NO_ROWS, reduceRows } from '../../../cli/events/view/event-rows.ts';
import { createOutput } from '../../../cli/output/output.ts';
import { jsonLine } from '../../../cli/output/plain-text.ts';
import type { World } from '../../../cli/settings/world.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import { apiError, eventAt, PENDING } from './event-list.ts';

const FAILED = { ...eventAt(0).delivery, status: 'failed' as const, attempts: 8, last_status_code: 500 };
const lost: FeedItem = { kind: 'retrying', error: new NetworkError('Cannot reach it.'), untilMs: 1_000 };

function answer(fields: Partial<FeedItem & { kind: 'answer' }>): FeedItem {
  return { kind: 'answer', atMs: 0, events: [], changed: [], gap: null, wasReset: false, ...fields };
}

async function print(items: FeedItem[], { json = false, failedOnly = false } = {}) {
  const printed = { lines: [] as string[], notes: '' };
  const stream = {
    write(text: string) {
      printed.notes += text;
    },
  };
  const output = createOutput({ stdout: stream, stderr: stream } as World, { json, color: false });
  const read = readFilter({ text: '', failedOnly, pattern: null });
  const initial = read.ok ? reduceRows(NO_ROWS, { kind: 'filtered', filter: read.filter }) : NO_ROWS;
  async function* feed() {
    yield* items;
  }
  await printEvents({ feed: feed(), initial, output, write: (line) => void printed.lines.push(line) });
  return printed;
}

test('events tail prints a line for an event, and another line when its delivery changes', async () => {
  const { lines } = await print([
    answer({ events: [eventAt(0, PENDING)] }),
    answer({ changed: [eventAt(0, { delivery: FAILED })] }),
  ]);
  expect(lines).toEqual([
    '2026-11-20 12:00:00Z  domain.active               careers.acme.com  issuing → active  ◌ queued  evt_00000000',
    '2026-11-20 12:00:00Z  domain.active               careers.acme.com  issuing → active  ✗ failed · 500 ×8  evt_00000000',
  ]);
});

test("events tail shows 'new' as the previous status of a domain's first event", async () => {
  const { lines } = await print([answer({ events: [eventAt(0, { previous_status: null })] })]);
  expect(lines[0]).toContain('  new → active  ');
});

test('with --json, events tail prints each event as the API returns it, one per line', async () => {
  const event = eventAt(0, { hostname: 'a\u001b[31m\u2028b' });
  const { lines } = await print([answer({ events: [event] }), answer({ changed: [event] })], { json: true });
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}]/u);
    expect(JSON.parse(line)).toEqual(event);
  }
});

test('events tail prints a gap between events on a line of its own', async () => {
  const gap = { after: eventAt(0), before: eventAt(90) };
  const items = [answer({ events: [eventAt(90)], gap })];
  expect((await print(items)).lines[0]).toBe('-- Not read: 2026-11-20 12:00:00Z to 12:01:30Z --');
  const { lines } = await print(items, { json: true });
  expect(JSON.parse(lines[0] ?? '')).toEqual({ gap: { after: eventAt(0).id, before: eventAt(90).id } });
});

test('with --failed, events tail prints an event once its delivery has failed', async () => {
  const items = [
    answer({ events: [eventAt(0), eventAt(1, PENDING)] }),
    answer({ changed: [eventAt(1, { delivery: FAILED })] }),
  ];
  const { lines } = await print(items, { failedOnly: true });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('✗ failed · 500 ×8');
});

test('events tail prints one note on stderr when the connection is lost, and another when the connection is back', async () => {
  const { lines, notes } = await print([answer({}), lost, lost, answer({ events: [eventAt(0)] })], {
    json: true,
  });
  expect(notes).toBe('Cannot reach it. Retrying until it responds.\nReconnected.\n');
  expect(lines).toHaveLength(1);
});

test('events tail ends if the server never responded, or refuses the key', async () => {
  await expect(print([lost])).rejects.toThrow('Cannot reach it.');
  await expect(
    print([answer({}), { kind: 'stopped', error: apiError(401, 'unauthorized') }]),
  ).rejects.toMatchObject({
    code: 'unauthorized',
  });
});

test('jsonLine prints a document on one line without changing it', () => {
  const document = { text: 'two\n  lines', list: [1, { a: null }], empty: {} };
  expect(jsonLine(document)).not.toContain('\n');
  expect(JSON.parse(jsonLine(document))).toEqual(document);
});
