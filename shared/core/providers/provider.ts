import type { EN_CAUTIONS, EN_GUIDES } from '../connect-texts/en/guides.ts';

/** The record types that customers create. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/** A DNS provider: how to recognize it, and what its customers have to click. Its row is in `shared/core/providers/data`. */
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
  /** The record that it offers at the apex, which cannot hold a CNAME. Absent if it offers only addresses. */
  apex?: 'cname_flattening' | 'alias' | 'aname';
  /** Steps from signing in to the form for one record. */
  steps: readonly GuideSentence<keyof typeof EN_GUIDES>[];
  /** Common mistakes at this provider. */
  cautions: readonly GuideSentence<keyof typeof EN_CAUTIONS>[];
}

/** A sentence of a guide: its key in the catalogs of the languages, and the names in the provider's panel that it speaks of. */
export interface GuideSentence<Key extends string> {
  say: Key;
  at?: string;
  /** A path through menus. */
  menu?: readonly string[];
  button?: string;
  option?: string;
  value?: string;
  /** Record types. */
  type?: string;
}
