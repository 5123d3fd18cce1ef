/** One change to the records of a zone. All changes of a finding together fix that finding, and touch no other record. */
export interface RecordChange {
  action: 'add' | 'replace' | 'remove';
  type: string;
  /** The zone that contains the record. `name` is relative to the zone, as DNS panels expect it; `@` is the zone itself. */
  zone: string;
  name: string;
  /** The value after the change, or the value to remove. It is in presentation form, without quotation marks around text. */
  value: string;
  /** TTL in seconds: the TTL of the records that are already at the name, or `NEW_RECORD_TTL_S`. */
  ttl: number;
  /** The record that a replacement replaces; null for other changes. */
  of: { type: string; value: string } | null;
}

/** A change before its zone and its name in the zone are known. */
export type PlainChange = Omit<RecordChange, 'zone' | 'name'>;

/** The TTL of new records. It is short, because a first value is often mistyped. Customers can raise the TTL once the domain is active. */
export const NEW_RECORD_TTL_S = 300;

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
 * Returns the fewest changes that turn unwanted records into wanted ones. If possible, a record is replaced by a record of the same type.
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
