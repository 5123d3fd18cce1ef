/** One change to the records of a zone. The changes of a finding fix it together, and touch no other record. */
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
  /** For a replacement, the record that it replaces; else null. */
  of: { type: string; value: string } | null;
}

/** A change whose zone is not known yet. */
export type PlainChange = Omit<RecordChange, 'zone' | 'name'>;

/** The TTL is short, because a first value is often mistyped. Customers can raise it once the domain is active. */
export const NEW_RECORD_TTL_S = 300;
