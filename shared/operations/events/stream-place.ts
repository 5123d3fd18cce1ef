import type { Position } from '../../core/cursor.ts';
import type { Instant } from '../../core/instant.ts';
import type { Mark } from '../../store/commit-order.ts';
import type { Store } from '../../store/store.ts';

/** A place in a stream of events. The stream has sent all events until `since`, and the events between `since` and `until` up to `after`. */
export interface StreamPlace {
  /** When the events until `since` were read. */
  at: Instant;
  /** Null if the stream began after an event id. */
  since: Mark | null;
  /** Null if the stream is at rest: the next read sends everything that is new. */
  until: Mark | null;
  after: Position | null;
}

/** Clients of version 0.1 compare what follows the underscore with the times in event ids. Zeros come before every time. */
const PREFIX = 'cur_00';

/** Encodes a place as the `id:` of a frame. It is opaque, and not secret. */
export function encodePlace({ at, since, until, after }: StreamPlace): string {
  return PREFIX + Buffer.from(JSON.stringify([at, since, until, after])).toString('base64url');
}

/** Decodes a place. Returns null if the text is not a place. Anyone can make a place up, so each part is safe to use in a query. */
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
