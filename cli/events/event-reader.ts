import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import type { EventDetail, EventResource, ListEventsQuery } from '../../shared/schema/event.ts';

/** The functions of the API client that the event reader calls. */
export type EventSource = Pick<Client['events'], 'list' | 'get'>;

export interface ReaderOptions {
  source: EventSource;
  query: Pick<ListEventsQuery, 'type' | 'domain_id'>;
  /** The time of the first event to return, in milliseconds since the epoch. Null starts with the newest `backlog` events. */
  since: number | null;
  /** The number of past events to return first, at most 100. With 0, the reader returns only new events. */
  backlog: number;
  /** Returns milliseconds of a monotonic clock. */
  elapsedMs(): number;
}

/** The result of one poll of the API. */
export interface EventsRead {
  /** New events, oldest first. */
  events: EventResource[];
  /** Events from earlier polls whose delivery has changed. */
  changed: EventResource[];
  /** The gap before `events`, if there were too many new events for one poll; else null. */
  gap: Gap | null;
  /** True if the emulator was reset: the newest known event no longer exists, and `events` belong to the new account. */
  wasReset: boolean;
}

interface Found {
  /** The events that were read, newest first. */
  events: EventResource[];
  /** True if there were more events than one poll may read. */
  isCut: boolean;
}

/** A range of events that were not read. */
export interface Gap {
  /** The last event before the gap; null if no earlier event is known. */
  after: EventResource | null;
  /** The first event after the gap. */
  before: EventResource;
}

const PAGE_EVENTS = 100;
const POLL_EVENTS = 25;
const EVENTS_PER_READ_MAX = 10_000;
/** A new event can be this much older than the newest known event, because an earlier transaction may commit later. */
const OVERLAP_MS = 10_000;
const KNOWN_MAX = 20_000;
const PENDING_MAX = 500;
const PENDING_ASKED_PER_READ = 5;
const PENDING_ASKED_AGAIN_MS = 5_000;

/**
 * Creates a reader that polls the event list. The reader returns each event once, in order, and returns an event again when its delivery
 * changes.
 */
export function createEventReader(options: ReaderOptions): { read(): Promise<EventsRead> } {
  const { source, query, since, backlog, elapsedMs } = options;
  const known = new Map<string, string>();
  const pending = new Map<string, number>();
  let newest: EventResource | null = null;
  /** Events created before this time are not returned. Milliseconds since the epoch. */
  let floorAt = since ?? Number.NEGATIVE_INFINITY;
  let hasBegun = false;

  return {
    async read() {
      let found = hasBegun ? await readSince(lowest(), POLL_EVENTS) : await readFirst();
      hasBegun = true;
      const wasReset = await isNewestGone(found);
      if (wasReset) found = await readAnew();
      const fresh = found.events.filter(({ id }) => !known.has(id)).reverse();
      const changed = found.events.filter(hasChanged);
      for (const event of [...fresh, ...changed]) note(event);
      changed.push(...(await pollPending(new Set(found.events.map(({ id }) => id)))));
      const gap = found.isCut && fresh[0] ? { after: newest, before: fresh[0] } : null;
      newest = newestOf(newest, fresh);
      return { events: fresh, changed, gap, wasReset };
    },
  };

  async function readFirst(): Promise<Found> {
    if (since !== null) return readSince(floorAt, PAGE_EVENTS);
    return readNewest(backlog || POLL_EVENTS, () => backlog > 0);
  }

  /**
   * Returns true if the server no longer has the newest known event, as after a reset. A poll normally includes that event, so the function
   * asks the server only if it is missing.
   */
  async function isNewestGone({ events, isCut }: Found): Promise<boolean> {
    if (newest === null || isCut || events.some(({ id }) => id === newest?.id)) return false;
    return (await findEvent(newest.id)) === null;
  }

  /**
   * Starts over after a reset of the emulator and its clock. If there is more than one page of events, they come from an imported state, so
   * they are marked as known and not returned.
   */
  async function readAnew(): Promise<Found> {
    [newest, floorAt] = [null, Number.NEGATIVE_INFINITY];
    return readNewest(POLL_EVENTS, (isAll) => isAll);
  }

  /** Reads the newest page of events. If `isWanted` returns false, marks the events as known and returns none. */
  async function readNewest(limit: number, isWanted: (isAll: boolean) => boolean): Promise<Found> {
    const { data, next_cursor } = await source.list({ ...query, limit });
    if (next_cursor !== null) await noteBehind(data, next_cursor);
    if (isWanted(next_cursor === null)) return { events: data, isCut: false };
    for (const event of data) note(event);
    newest = data[0] ?? null;
    return { events: [], isCut: false };
  }

  /**
   * Sets `floorAt` so that later polls return no event from before the page. If all events of the page have the same time, as with a frozen
   * clock, marks all events of that time as known.
   */
  async function noteBehind(page: readonly EventResource[], cursor: string): Promise<void> {
    const [lastAt, firstAt] = [page.at(-1), page[0]].map((event) => (event ? createdAt(event) : 0));
    const isOneInstant = lastAt === firstAt;
    floorAt = (lastAt ?? 0) + (isOneInstant ? 0 : 1);
    if (!isOneInstant) return;
    for (const event of (await readSince(floorAt, PAGE_EVENTS, cursor)).events) note(event);
  }

  /** Reads events, newest first, back to the time `at`. @param from the cursor to start at; null starts at the newest event. */
  async function readSince(at: number, limit: number, from: string | null = null): Promise<Found> {
    const events: EventResource[] = [];
    let cursor = from;
    for (;;) {
      const page: Awaited<ReturnType<EventSource['list']>> = await source.list({
        ...query,
        limit: cursor === null ? limit : PAGE_EVENTS,
        ...(cursor !== null && { cursor }),
      });
      // Keeps known events that are older than `at` too, because their deliveries may have changed.
      events.push(...page.data.filter((event) => known.has(event.id) || createdAt(event) >= at));
      const isLast = page.next_cursor === null || page.next_cursor === cursor;
      if (isLast || page.data.some((event) => createdAt(event) < at)) return { events, isCut: false };
      if (events.length >= EVENTS_PER_READ_MAX) return { events, isCut: true };
      cursor = page.next_cursor;
    }
  }

  function lowest(): number {
    return newest === null ? floorAt : Math.max(floorAt, createdAt(newest) - OVERLAP_MS);
  }

  function hasChanged(event: EventResource): boolean {
    const before = known.get(event.id);
    return before !== undefined && before !== deliveryMark(event);
  }

  function note(event: EventResource): void {
    known.set(event.id, deliveryMark(event));
    if (known.size > KNOWN_MAX) known.delete(known.keys().next().value ?? '');
    if (event.delivery.status !== 'pending') pending.delete(event.id);
    else if (!pending.has(event.id)) pending.set(event.id, elapsedMs());
    if (pending.size > PENDING_MAX) pending.delete(pending.keys().next().value ?? '');
  }

  /** Fetches known events with a pending delivery that are no longer on the newest page. Each poll fetches a few of them, in turn. */
  async function pollPending(seen: ReadonlySet<string>): Promise<EventResource[]> {
    const now = elapsedMs();
    const due = [...pending].filter(
      ([id, askedAt]) => !seen.has(id) && now - askedAt >= PENDING_ASKED_AGAIN_MS,
    );
    const changed: EventResource[] = [];
    for (const [id] of due.slice(0, PENDING_ASKED_PER_READ)) {
      const event = await findEvent(id);
      pending.delete(id);
      if (event === null) continue;
      if (hasChanged(event)) changed.push(event);
      note(event);
    }
    return changed;
  }

  async function findEvent(id: string): Promise<EventResource | null> {
    try {
      return summaryOf(await source.get(id));
    } catch (error) {
      // The server no longer has the event: it was pruned, or the emulator was reset.
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }
}

/** Returns the event as the event list contains it, without `deliveries` and the body. */
export function summaryOf({ deliveries: _, body: __, ...event }: EventDetail): EventResource {
  return event;
}

function createdAt({ created_at }: EventResource): number {
  return Date.parse(created_at);
}

function newestOf(newest: EventResource | null, fresh: readonly EventResource[]): EventResource | null {
  const last = fresh.at(-1);
  if (newest === null || last === undefined) return last ?? newest;
  return createdAt(last) < createdAt(newest) ? newest : last;
}

function deliveryMark({ delivery }: EventResource): string {
  const { status, attempts, last_status_code, last_error, next_attempt_at } = delivery;
  return [status, attempts, last_status_code, last_error, next_attempt_at].join(' ');
}
