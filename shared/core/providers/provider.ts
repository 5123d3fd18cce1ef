/** The record types that customers create. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/** A DNS provider: how to recognize it, and what its customers have to click. There is one file per provider in `providers/data`. */
export interface Provider {
  /** Stable; lowercase letters and hyphens. Identifies the provider in API responses and pictures. */
  id: string;
  /** The provider's own spelling of its name. */
  name: string;
  /** The names of its name servers end in one of these, compared by whole labels. `N` in a label stands for digits. */
  name_servers: readonly string[];
  /** https URL at which customers edit records; null if there is no single URL. */
  panel_url: string | null;
  /** Labels of the fields in its form. `valueByType` has the label of the value for types that differ. */
  fields: { type: string; name: string; value: string; valueByType?: Partial<Record<RecordType, string>> };
  /** What its form expects as the name of the zone itself. */
  apex_name: '@' | '';
  /** The record that it offers at the apex, which cannot hold a CNAME. */
  apex: 'addresses' | 'cname_flattening' | 'alias' | 'aname';
  /** Steps from signing in to the form for one record, one sentence each; `{domain}` stands for the customer's domain. */
  steps: readonly string[];
  /** Common mistakes at this provider, in sentences, also with `{domain}`; null if there are none. */
  caution: string | null;
}
