import type { Position } from '../../core/cursor.ts';
import { validationFailed } from '../../core/errors.ts';
import type { Instant } from '../../core/instant.ts';
import type { StoredEvent } from '../../core/webhooks/delivery.ts';
import type { EventResource, StreamEventsQuery } from '../../schema/event.ts';
import { currentMark, type Mark } from '../../store/commit-order.ts';
import { eventPositions, eventsById } from '../../store/events/event-order.ts';
import { findEvent } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';
import type { Caller, Context } from '../context.ts';
import { presentEvents } from './present-event.ts';

/**
 * The events of an app after a starting position. Each call of `look` yields the new events in pages. The events of each domain are in
 * order.
 */
export interface EventFeed {
  look(): AsyncGenerator<FeedEvent[], void, undefined>;
  /** Returns the position after the last page that was read. A client sends the position back as `Last-Event-ID`. */
  position(): string;
}

export interface FeedEvent {
  event: EventResource;
  /** The position of the stream after this event. */
  position: string;
}

/** A position before all events, for an app that has no events yet. */
const BEFORE_ALL = `evt_${'0'.repeat(26)}`;

/**
 * How far a stream that continues after an event id goes back. An event id does not show the order of commits: a transaction that began
 * before the event may have been committed after it.
 */
export const LOOK_BACK_MS = 30_000;
/**
 * Maximum number of positions that one query reads. It is high, because each query of a stream that is far behind sorts all events that the
 * stream has yet to send.
 */
const POSITIONS_PER_QUERY = 10_000;
const EVENTS_PER_PAGE = 50;

/**
 * `docs/api.md#versioning`: GET /v1/events/stream, an addition to v1. Without an id, the stream begins with new events.
 * @param lastEventId a position of this stream, or the id of the last event that the client received. The stream may send some earlier
 *   events again, like webhooks.
 * @throws ServiceError `validation_failed` if the position or event is unknown, because it is past the retention of events.
 */
export async function openEventFeed(
  context: Context,
  caller: Caller,
  query: StreamEventsQuery,
  lastEventId: string | null,
): Promise<EventFeed> {
  const { store, clock } = context;
  let place = await startOf(context, caller, lastEventId);

  return {
    position: () => encodePlace(place),
    async *look() {
      for (;;) {
        const at = clock.now();
        const { now, rows } = await eventPositions(store, caller, place, POSITIONS_PER_QUERY);
        if (now.source !== (place.until ?? place.since)?.source) {
          // The marks of the place are invalid after a restart, a failover or a restore, so the stream continues from a time. If that time
          // is too far in the future, because the clock was set back, the stream begins at the oldest event.
          const from = place.at > at + LOOK_BACK_MS ? 0 : place.at;
          place = await placeBehind(context, Math.min(from, place.after?.created_at ?? from));
          continue;
        }
        const readsToEnd = place.until === null;
        if (readsToEnd) place = { ...place, at, until: now };
        for (let from = 0; from < rows.length; from += EVENTS_PER_PAGE) {
          const page = rows.slice(from, from + EVENTS_PER_PAGE);
          const events = await eventsById(
            store,
            caller,
            page.map(({ id }) => id),
            query,
          );
          const shown = await presentEvents(store, events);
          if (events.length > 0)
            yield shown.map((event, index) => ({ event, position: positionAfter(place, events[index]) }));
          place = { ...place, after: page.at(-1) ?? null };
        }
        if (rows.length < POSITIONS_PER_QUERY) {
          place = { ...place, since: place.until, until: null, after: null };
          if (readsToEnd) return;
        }
      }
    },
  };
}

function positionAfter(place: StreamPlace, event: StoredEvent | undefined): string {
  return encodePlace({ ...place, after: event ? { created_at: event.created_at, id: event.id } : null });
}

async function startOf(context: Context, caller: Caller, lastEventId: string | null): Promise<StreamPlace> {
  const { store, clock, settings } = context;
  if (lastEventId === null)
    return { at: clock.now(), since: await currentMark(store, 'events'), until: null, after: null };
  if (lastEventId === BEFORE_ALL) return placeBehind(context, 0);
  const place = decodePlace(lastEventId, store);
  if (place !== null && place.at > clock.now() - settings.retentionMs) return place;
  const event = await findEvent(store, caller, lastEventId);
  if (event !== null) return placeBehind(context, event.created_at);
  throw validationFailed({
    path: 'Last-Event-ID',
    message: 'names no stored event; connect without it, and list the events to find those you missed',
  });
}

/** Returns a place in the stream shortly before the time of an event. */
async function placeBehind({ store, clock }: Context, createdAt: Instant): Promise<StreamPlace> {
  const after = { created_at: createdAt - LOOK_BACK_MS, id: '' };
  return { at: clock.now(), since: null, until: await currentMark(store, 'events'), after };
}

/**
 * A place in a stream of events. A mark is a point in the order of commits. The stream has sent all events until the mark `since`, and the
 * events between `since` and `until` up to the position `after`.
 */
export interface StreamPlace {
  /** When the events until `since` were read. */
  at: Instant;
  /** Null if the stream began after an event id. */
  since: Mark | null;
  /** Null if the stream has sent everything until `since`. The next read then sends all new events. */
  until: Mark | null;
  after: Position | null;
}

/**
 * The prefix of encoded places. Clients of version 0.1 compare the text after the underscore with the times in event ids, and zeros sort
 * before every time.
 */
const PREFIX = 'cur_00';

/** Encodes a place as the `id:` of a server-sent event. The text is opaque to clients, but not secret. */
export function encodePlace({ at, since, until, after }: StreamPlace): string {
  return PREFIX + Buffer.from(JSON.stringify([at, since, until, after])).toString('base64url');
}

/**
 * Decodes a place. Returns null if the text is not a valid place. Checks each part, because a client can make up any text and the parts are
 * used in queries.
 */
export function decodePlace(text: string, { flags }: Store): StreamPlace | null {
  if (!text.startsWith(PREFIX)) return null;
  const isMark = (value: unknown): value is Mark | null =>
    value === null ||
    (isRecord(value) &&
      typeof value['source'] === 'string' &&
      typeof value['snapshot'] === 'string' &&
      flags.commits.isSnapshot(value['snapshot']));
  try {
    const plain: unknown = JSON.parse(Buffer.from(text.slice(PREFIX.length), 'base64url').toString());
    const [at, since, until, after] = Array.isArray(plain) ? plain : [];
    if (!Number.isSafeInteger(at) || !isMark(since) || !isMark(until) || !isPosition(after)) return null;
    return since === null && until === null ? null : { at, since, until, after };
  } catch {
    return null;
  }
}

function isPosition(value: unknown): value is Position | null {
  if (value === null) return true;
  if (!isRecord(value) || !Number.isSafeInteger(value['created_at'])) return false;
  return typeof value['id'] === 'string' && /^\w{0,40}$/.test(value['id']);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
