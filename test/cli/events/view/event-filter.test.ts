import { expect, test } from 'vitest';
import { type FilterInput, readFilter } from '../../../../cli/events/view/event-filter.ts';
import type { EventResource } from '../../../../shared/schema/event.ts';
import { eventAt } from '../event-list.ts';

const events = [
  eventAt(0),
  eventAt(1, { hostname: 'jobs.acme.com', type: 'domain.cert_failed', status: 'cert_failed' }),
  eventAt(2, { delivery: { ...eventAt(2).delivery, status: 'failed', last_status_code: 500 } }),
  eventAt(3, {
    delivery: { ...eventAt(3).delivery, status: 'pending', last_status_code: null, last_error: 'timeout' },
  }),
  eventAt(4, { delivery: { ...eventAt(4).delivery, last_status_code: 204 } }),
];

function passing(input: Partial<FilterInput>): number[] {
  const read = readFilter({ text: '', failedOnly: false, pattern: null, ...input });
  if (!read.ok) throw new Error(read.problem);
  return events.flatMap((event, n) => (read.filter.matches(event as EventResource) ? n : []));
}

test.each([
  ['', [0, 1, 2, 3, 4]],
  ['   ', [0, 1, 2, 3, 4]],
  ['type:cert', [1]],
  ['TYPE:Active', [0, 2, 3, 4]],
  ['host:jobs', [1]],
  ['status:cert_failed', [1]],
  ['status:failed', [2]],
  ['code>=400', [2]],
  ['code=204', [4]],
  ['code:204', [4]],
  ['code<300 code>200', [4]],
  ['code<=200', [0, 1]],
  ['timeout', [3]],
  ['evt_00000002', [2]],
  ['host:acme type:active code>=400', [2]],
  // An incomplete filter term matches every event.
  ['type:', [0, 1, 2, 3, 4]],
  ['code>', [0, 1, 2, 3, 4]],
  ['code>=', [0, 1, 2, 3, 4]],
  ['xn--', []],
  ['-type:cert', [0, 2, 3, 4]],
  ['host:jobs|nowhere', [1]],
  ['code:500|204', [2, 4]],
  ['status:failed|cert_failed', [1, 2]],
  ['-status:failed|cert_failed', [0, 3, 4]],
  ['timeout|jobs', [1, 3]],
  ['-timeout -jobs', [0, 2, 4]],
  ['-code>=500 host:careers', [0, 3, 4]],
  ['-', [0, 1, 2, 3, 4]],
  ['-type:', [0, 1, 2, 3, 4]],
  ['host:jobs|', [1]],
])('the filter "%s" of the event view shows the events %j', (text, expected) => {
  expect(passing({ text })).toEqual(expected);
});

test.each(['owner:me', 'code>=abc', 'type>=3', 'code:20x'])(
  'the error for the filter %s lists known terms',
  (text) => {
    const filter = readFilter({ text, failedOnly: false, pattern: null });
    expect(filter).toEqual({
      ok: false,
      problem: expect.stringContaining('type:, host:, status: or code>=400'),
    });
  },
);

test('an event is shown only if it passes the terms, the pattern and the switch for failed deliveries', () => {
  expect(passing({ failedOnly: true })).toEqual([2]);
  expect(passing({ pattern: /jobs|timeout/ })).toEqual([1, 3]);
  expect(passing({ pattern: /acme/, failedOnly: true, text: 'code>=500' })).toEqual([2]);
  expect(passing({ pattern: /jobs/, failedOnly: true })).toEqual([]);
});

test('the switch for failed deliveries hides events that still wait for a retry', () => {
  const read = readFilter({ text: '', failedOnly: true, pattern: null });
  const isShown = (status: 'pending' | 'failed') =>
    read.ok && read.filter.matches(eventAt(0, { delivery: { ...eventAt(0).delivery, status, attempts: 2 } }));
  expect([isShown('pending'), isShown('failed')]).toEqual([false, true]);
});

test.each([
  ['status:faild', 'faild is not a status of a domain or a delivery: did you mean failed?'],
  ['-status:failed|happy', 'happy is not a status of a domain or a delivery'],
  ['status:happy', 'happy is not a status of a domain or a delivery'],
])('the error for the filter %s names the unknown status', (text, problem) => {
  expect(readFilter({ text, failedOnly: false, pattern: null })).toEqual({ ok: false, problem });
});
