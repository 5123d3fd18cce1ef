import type { Position } from '../../core/cursor.ts';
import { validationFailed } from '../../core/errors.ts';
import type { Instant } from '../../core/instant.ts';
import type { EventResource, StreamEventsQuery } from '../../schema/event.ts';
import { eventPositionsAfter, eventsById, newestEventPosition } from '../../store/events/event-order.ts';
import { findEvent } from '../../store/events/events.ts';
import type { Caller, Context } from '../context.ts';
import { presentEvent } from './present-event.ts';

/** The events of an app from a point in time on. Each call of `look` yields the new events, oldest first, in pages. */
export interface EventFeed {
  look(): AsyncGenerator<EventResource[], void, undefined>;
  /** Returns the position after the last yielded event, which `Last-Event-ID` sends back. */
  position(): string;
}

/** The position of an app without any event: all its events come after it. */
const BEFORE_ALL = `evt_${'0'.repeat(26)}`;

/**
 * A transaction that began earlier may commit later, so an event can appear up to this long before the newest one. Each look reads this
 * period again, so that no event is missed and the events of each domain stay in order.
 */
export const LOOK_BACK_MS = 30_000;
const POSITIONS_PER_QUERY = 500;
const EVENTS_PER_PAGE = 50;

/**
 * `docs/api.md#versioning`: GET /v1/events/stream, an addition to v1. Without an id, the stream begins with new events.
 * @param lastEventId of the last event that arrived. Some events before it may be sent again, as with webhooks.
 * @throws ServiceError `validation_failed` if the app has no such event any more, because the events since then are unknown.
 */
export async function openEventFeed(
  context: Context,
  caller: Caller,
  query: StreamEventsQuery,
  lastEventId: string | null,
): Promise<EventFeed> {
  /** Events in the period that is read again, if they were already yielded or skipped. Each has its time. */
  const seen = new Map<string, Instant>();
  const start = await startOf(context, caller, lastEventId);
  let newest: Position = start;
  if (lastEventId === null) for await (const _ of positions());

  /** Yields the ids of new events in pages. A page counts as seen once the next one is requested. */
  async function* positions() {
    let after: Position = { created_at: lookedBackTo(), id: '' };
    for (;;) {
      const found = await eventPositionsAfter(context.store, caller, after, POSITIONS_PER_QUERY);
      const fresh = found.filter(({ id }) => !seen.has(id));
      for (let from = 0; from < fresh.length; from += EVENTS_PER_PAGE) {
        const page = fresh.slice(from, from + EVENTS_PER_PAGE);
        yield page.map(({ id }) => id);
        for (const { id, created_at } of page) seen.set(id, created_at);
        newest = later(newest, page.at(-1));
      }
      const last = found.at(-1);
      if (last === undefined || found.length < POSITIONS_PER_QUERY) break;
      after = last;
      forget();
    }
    forget();
  }

  /** Returns the time from which the stream reads. A wrong clock may have dated an event ahead, while later events have the right time. */
  function lookedBackTo(): Instant {
    return Math.min(newest.created_at, context.clock.now()) - LOOK_BACK_MS;
  }

  function forget(): void {
    const floor = lookedBackTo();
    for (const [id, createdAt] of seen) if (createdAt < floor) seen.delete(id);
  }

  return {
    position: () => newest.id,
    async *look() {
      for await (const ids of positions()) {
        const events = await eventsById(context.store, caller, ids, query);
        if (events.length > 0) yield events.map(presentEvent);
      }
    },
  };
}

async function startOf(context: Context, caller: Caller, lastEventId: string | null): Promise<Position> {
  if (lastEventId === null) {
    return (await newestEventPosition(context.store, caller)) ?? { created_at: 0, id: BEFORE_ALL };
  }
  if (lastEventId === BEFORE_ALL) return { created_at: 0, id: BEFORE_ALL };
  const event = await findEvent(context.store, caller, lastEventId);
  if (event !== null) return event;
  throw validationFailed({
    path: 'Last-Event-ID',
    message: 'names no stored event; connect without it, and list the events to find those you missed',
  });
}

function later(one: Position, other: Position | undefined): Position {
  if (other === undefined || other.created_at < one.created_at) return one;
  return other.created_at === one.created_at && other.id < one.id ? one : other;
}
