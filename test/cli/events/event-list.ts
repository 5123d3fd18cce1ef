import type { EventSource } from '../../../cli/events/event-reader.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import type { EventDetail, EventResource } from '../../../shared/schema/event.ts';

/** A list of events in memory that behaves like the API's: newest first, in pages, with a cursor. */
export interface EventList extends EventSource {
  add(fields?: Partial<EventResource>): EventResource;
  /** Changes fields of an event's delivery. */
  deliver(id: string, delivery: Partial<EventResource['delivery']>): void;
  clear(): void;
  /** The requests to this list, in order. */
  asked: string[];
  /** Errors for the next calls, in order. Each call throws the next error of this list. */
  failures: Error[];
}

const START = Date.parse('2026-11-20T12:00:00.000Z');

/** Creates the n-th event. Events are one second apart, and their ids sort by time. */
export function eventAt(n: number, fields: Partial<EventResource> = {}): EventResource {
  return {
    id: `evt_${String(n).padStart(8, '0')}`,
    type: 'domain.active',
    domain_id: 'dom_1',
    hostname: 'careers.acme.com',
    previous_status: 'issuing',
    status: 'active',
    created_at: new Date(START + n * 1000).toISOString(),
    delivery: {
      status: 'delivered',
      attempts: 1,
      last_status_code: 200,
      last_error: null,
      last_attempt_at: null,
      next_attempt_at: null,
    },
    ...fields,
  };
}

export const PENDING: Partial<EventResource> = {
  delivery: { ...eventAt(0).delivery, status: 'pending', attempts: 0, last_status_code: null },
};

export function eventList(count = 0): EventList {
  let events = Array.from({ length: count }, (_, n) => eventAt(n));
  const list: EventList = {
    asked: [],
    failures: [],
    add(fields) {
      const event = eventAt(events.length, fields);
      events.push(event);
      return event;
    },
    deliver(id, delivery) {
      events = events.map((event) =>
        event.id === id ? { ...event, delivery: { ...event.delivery, ...delivery } } : event,
      );
    },
    clear() {
      events = [];
    },
    async list({ limit = 50, cursor } = {}) {
      list.asked.push(`list ${limit}`);
      const failure = list.failures.shift();
      if (failure) throw failure;
      const newestFirst = events.toSorted(
        (a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id),
      );
      const start = cursor === undefined ? 0 : newestFirst.findIndex(({ id }) => id === cursor) + 1;
      const data = newestFirst.slice(start, start + limit);
      const hasMore = start + limit < newestFirst.length;
      return { data, next_cursor: hasMore ? (data.at(-1)?.id ?? null) : null };
    },
    async get(id): Promise<EventDetail> {
      list.asked.push(`get ${id}`);
      const event = events.find((one) => one.id === id);
      if (!event) throw apiError(404, 'not_found');
      return { ...event, deliveries: [], body: '{}' };
    },
  };
  return list;
}

export function apiError(status: number, code: string, retryAfterS?: number): ApiError {
  return new ApiError({
    status,
    code,
    message: `Message of ${code}.`,
    fix: `Fix of ${code}.`,
    docs: 'https://docs.example.com',
    ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
  });
}
