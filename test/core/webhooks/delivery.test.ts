import { describe, expect, test } from 'vitest';
import { makeId } from '../../../shared/core/ids.ts';
import {
  type AttemptOutcome,
  afterAttempt,
  RETRIES_AFTER_MS,
  type StoredEvent,
  withoutWebhookUrl,
} from '../../../shared/core/webhooks/delivery.ts';
import { sampleDomain, T0 } from '../domains/sample-domain.ts';

const MINUTE = 60_000;
/** Retry delays in milliseconds: 1, 5 and 30 minutes, then 2, 6, 12 and 24 hours. */
const LADDER = [1, 5, 30, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE);

const FAILURES: readonly AttemptOutcome[] = [
  ...[100, 199, 300, 301, 400, 404, 410, 429, 500, 503].map(
    (statusCode) => ({ status_code: statusCode, error: null, response_ms: 5 }) as const,
  ),
  { status_code: null, error: 'timeout', response_ms: 10_000 },
  { status_code: null, error: 'url_not_allowed', response_ms: null },
];
const TIMEOUT: AttemptOutcome = { status_code: null, error: 'timeout', response_ms: 10_000 };

/** Creates an event that has had `tries` automatic attempts, the first at `T0`. */
function event(tries: number, fields: Partial<StoredEvent> = {}): StoredEvent {
  const { id, app_id, hostname } = sampleDomain();
  return {
    id: makeId('evt', T0, new Uint8Array(10)),
    domain_id: id,
    app_id,
    mode: 'test',
    seq: 1,
    type: 'domain.created',
    hostname,
    previous_status: null,
    status: 'pending_dns',
    created_at: T0 - MINUTE,
    body: '{}',
    webhook_epoch: 0,
    delivery_status: 'pending',
    attempts: tries,
    tries,
    first_attempt_at: tries === 0 ? null : T0,
    last_status_code: null,
    last_error: null,
    last_attempt_at: null,
    next_attempt_at: null,
    ...fields,
  };
}

describe('the automatic attempts of a delivery follow a schedule', () => {
  test('are a first attempt and seven retries', () => {
    expect(RETRIES_AFTER_MS).toEqual(LADDER);
    const ladder = Array.from({ length: 8 }, (_, index) => afterAttempt(event(index + 1), true, TIMEOUT));
    expect(ladder).toEqual([
      ...LADDER.map((afterMs) => ({ delivery_status: 'pending', next_attempt_at: T0 + afterMs })),
      { delivery_status: 'failed', next_attempt_at: null },
    ]);
  });

  test('are timed from the first attempt, so that a late retry does not delay the next', () => {
    const onTime = afterAttempt(event(3, { last_attempt_at: T0 + 5 * MINUTE }), true, TIMEOUT);
    const late = afterAttempt(event(3, { last_attempt_at: T0 + 29 * MINUTE }), true, TIMEOUT);
    expect(late).toEqual(onTime);
    expect(late.next_attempt_at).toBe(T0 + 30 * MINUTE);
  });

  test.each(FAILURES)('continue with a retry after $status_code $error', (outcome) => {
    expect(afterAttempt(event(1), true, outcome)).toEqual({
      delivery_status: 'pending',
      next_attempt_at: T0 + MINUTE,
    });
  });

  test.each([200, 201, 202, 204, 299])('end after a response with %i', (statusCode) => {
    for (const tries of [1, 8]) {
      expect(
        afterAttempt(event(tries), true, { status_code: statusCode, error: null, response_ms: 5 }),
      ).toEqual({
        delivery_status: 'delivered',
        next_attempt_at: null,
      });
    }
  });
});

describe('a redelivery of an event is separate from the automatic attempts', () => {
  const schedules = [
    { delivery_status: 'pending', next_attempt_at: T0 + 30 * MINUTE },
    { delivery_status: 'delivered', next_attempt_at: null },
    { delivery_status: 'failed', next_attempt_at: null },
    { delivery_status: 'none', next_attempt_at: null },
  ] as const;

  test.each(schedules)(
    'a failed redelivery does not change a delivery with the status $delivery_status',
    (schedule) => {
      for (const outcome of FAILURES) {
        expect(afterAttempt(event(3, { ...schedule, attempts: 40 }), false, outcome)).toEqual(schedule);
      }
    },
  );

  test.each(schedules)(
    'a successful redelivery ends the retries of a delivery with the status $delivery_status',
    (schedule) => {
      const outcome = { status_code: 200, error: null, response_ms: 5 } as const;
      expect(afterAttempt(event(3, schedule), false, outcome)).toEqual({
        delivery_status: 'delivered',
        next_attempt_at: null,
      });
    },
  );

  test('a redelivery does not use up one of the eight automatic attempts', () => {
    const redelivered = event(3, { attempts: 43 });
    expect(afterAttempt(redelivered, true, TIMEOUT)).toEqual(afterAttempt(event(3), true, TIMEOUT));
  });
});

describe("the removal of an app's webhook_url ends its pending deliveries", () => {
  test('a delivery without an attempt gets the status none', () => {
    expect(withoutWebhookUrl(event(0))).toEqual({ delivery_status: 'none', next_attempt_at: null });
  });

  test.each([event(1), event(7), event(0, { attempts: 1 })])(
    'a delivery with an attempt, automatic or not, gets the status failed',
    (tried) => {
      expect(withoutWebhookUrl(tried)).toEqual({ delivery_status: 'failed', next_attempt_at: null });
    },
  );
});
