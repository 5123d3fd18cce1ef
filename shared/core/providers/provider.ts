/** The types of record that customers create. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/** A DNS provider: how to know it, and what its customers click. One file each in `providers/`. */
export interface Provider {
  /** Stable, lowercase, hyphens: the key of API answers and pictures. */
  id: string;
  /** As it writes itself. */
  name: string;
  /** Its name servers end in one of these, matched on label boundaries; `N` in a label stands for digits. */
  name_servers: readonly string[];
  /** Where its customers edit records; https, null where there is no single address. */
  panel_url: string | null;
  /** What its form calls the fields; `value_of` where it calls the value of a type otherwise. */
  fields: { type: string; name: string; value: string; value_of?: Partial<Record<RecordType, string>> };
  /** What its form wants as the name of the zone itself. */
  apex_name: '@' | '';
  /** What it offers at the apex, where no CNAME may stand. */
  apex: 'addresses' | 'cname_flattening' | 'alias' | 'aname';
  /** From signing in to the form of one record, a sentence each; `{domain}` stands for the customer's domain. */
  steps: readonly string[];
  /** What its customers stumble over, in sentences, `{domain}` likewise; null where nothing is special. */
  caution: string | null;
}
