/** One change to the records of a zone. The changes of a finding fix it together, and touch no other record. */
export interface RecordChange {
  action: 'add' | 'replace' | 'remove';
  type: string;
  /** The zone that holds the record. `name` is relative to it, as DNS panels expect it, and `@` is the zone itself. */
  zone: string;
  name: string;
  /** The value after the change; for a removal, the value to remove. In presentation form, without quotation marks around a text. */
  value: string;
  /** TTL in seconds: that of the records at the name, or `NEW_RECORD_TTL_S`. */
  ttl: number;
  /** For a replacement, the record that it replaces; else null. */
  of: { type: string; value: string } | null;
}

/** A change before its zone is known. */
export type PlainChange = Omit<RecordChange, 'zone' | 'name'>;

/** Short, because a first value is often mistyped. Customers can raise it once the domain is active. */
export const NEW_RECORD_TTL_S = 300;
