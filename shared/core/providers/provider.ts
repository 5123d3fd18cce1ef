import type { EN_CAUTIONS, EN_GUIDES } from '../connect-texts/en/guides.ts';

/** The record types that customers create. */
export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'TXT';

/** A DNS provider: how we recognize it, and what its customers have to click. All providers are in `shared/core/providers/data`. */
export interface Provider {
  /** Identifies the provider in API responses and pictures. It never changes, and has only lowercase letters and hyphens. */
  id: string;
  /** The provider's own spelling of its name. */
  name: string;
  /**
   * Zones of the provider's name servers. The name of a server ends in one of them, compared by whole labels. `N` in a label stands for
   * digits.
   */
  name_servers: readonly string[];
  /** https URL at which customers edit records; null if there is no single URL. */
  panel_url: string | null;
  /** Labels of the fields in the provider's form. If the value's label differs for a record type, `valueByType` has that label. */
  fields: { type: string; name: string; value: string; valueByType?: Partial<Record<RecordType, string>> };
  /** The text that the provider's form expects as the name of the zone itself. */
  apex_name: '@' | '';
  /** The provider's substitute for a CNAME at the apex. Absent if an apex can have only addresses. */
  apex?: 'cname_flattening' | 'alias' | 'aname';
  /** Steps from signing in to the form for one record. */
  steps: readonly GuideSentence<keyof typeof EN_GUIDES>[];
  /** Common mistakes at this provider. */
  cautions: readonly GuideSentence<keyof typeof EN_CAUTIONS>[];
}

/** A sentence of a guide: its key in the catalogs of the languages, and the names from the provider's panel that the sentence contains. */
export interface GuideSentence<Key extends string> {
  say: Key;
  at?: string;
  /** A path through menus. */
  menu?: readonly string[];
  button?: string;
  option?: string;
  value?: string;
  /** The record types that the sentence mentions. */
  type?: string;
}
