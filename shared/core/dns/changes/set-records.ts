import { NEW_RECORD_TTL_S, type PlainChange } from './record-change.ts';

/** A record that is at the name before the change. */
export interface PresentRecord {
  type: string;
  value: string;
  ttl_s: number;
}

export interface WantedRecord {
  type: string;
  value: string;
}

/**
 * Returns the fewest changes that turn unwanted records into wanted ones. A record is replaced by one of its own type if there is one.
 * Removals come first, because servers refuse a CNAME while other records are at its name (RFC 2136 section 3.4.2.2).
 * @param unwanted the records that must go. @param wanted the records that are missing.
 */
export function setRecords(
  unwanted: readonly PresentRecord[],
  wanted: readonly WantedRecord[],
): PlainChange[] {
  const left = [...unwanted];
  const ttl = unwanted.length === 0 ? NEW_RECORD_TTL_S : Math.min(...unwanted.map(({ ttl_s }) => ttl_s));
  const ownTypeFirst = wanted.toSorted((a, b) => Number(hasType(left, b)) - Number(hasType(left, a)));
  const set = ownTypeFirst.map(({ type, value }): PlainChange => {
    const same = left.findIndex((record) => record.type === type);
    const [old] = left.splice(Math.max(0, same), 1);
    if (old === undefined) return { action: 'add', type, value, ttl, of: null };
    const of = { type: old.type, value: old.value };
    return { action: 'replace', type, value, ttl: old.ttl_s, of };
  });
  const removed = left.map(
    ({ type, value, ttl_s }): PlainChange => ({ action: 'remove', type, value, ttl: ttl_s, of: null }),
  );
  return [...removed, ...set];
}

function hasType(records: readonly PresentRecord[], { type }: WantedRecord): boolean {
  return records.some((record) => record.type === type);
}
