import type { DnsRecords } from '../dns/dns-records.ts';
import type { Provider, RecordType } from './provider.ts';

/** Instructions on the connect page for the customer, in the DNS provider's own terms. */
export interface ProviderSteps {
  /** The provider's own spelling of its name; null if it is not known. */
  provider_name: string | null;
  /** https URL of the DNS panel; null if there is no single URL. */
  panel_url: string | null;
  /** In order, one or two sentences each. */
  steps: readonly string[];
  /** One form to fill in for each record. */
  records: readonly RecordForm[];
  /** Common mistakes at this provider, in sentences; null if there are none. */
  caution: string | null;
}

export interface RecordForm {
  type: RecordType;
  /** Type, name and value in this order. */
  fields: readonly FormField[];
}

export interface FormField {
  /** The label in the provider's form. */
  label: string;
  value: string;
  /** True if the customer copies the value. False if it is chosen from a list, or is an instruction. */
  copy: boolean;
}

/**
 * Returns the steps from signing in to the last record.
 * @param provider null if it is not known. The steps then use words that fit nearly all providers.
 * @param hostname the hostname that `dns` belongs to.
 */
export function providerSteps(provider: Provider | null, dns: DnsRecords, hostname: string): ProviderSteps {
  const panel = provider ?? ANY_PANEL;
  const { domain, records } = wanted(dns, hostname);
  const inDomain = (text: string) => text.replaceAll('{domain}', domain);
  const [first] = records;
  const many = records.length > 1;
  return {
    provider_name: provider?.name ?? null,
    panel_url: panel.panel_url,
    steps: [
      ...panel.steps.map(inDomain),
      dns.cname === null
        ? `Delete or edit any A, AAAA and CNAME records that ${domain} itself already has${ofWww(dns)}. Keep its MX, NS and TXT records.`
        : `Delete or edit any other record with the name ${dns.cname.name}: the CNAME must be the only one.`,
      many
        ? `Fill in the form once for each of the ${records.length} records below, and save each. Leave other fields, such as the TTL, at their defaults.`
        : `Fill in the form with the ${first?.type ?? 'DNS'} record below, and save it. Leave other fields, such as the TTL, at their defaults.`,
    ],
    records: records.map((record) => recordForm(panel, record)),
    caution: panel.caution === null ? null : inDomain(panel.caution),
  };
}

type Panel = Pick<Provider, 'panel_url' | 'fields' | 'apex_name' | 'steps' | 'caution'>;

const ANY_PANEL: Panel = {
  panel_url: null,
  fields: { type: 'Type', name: 'Name', value: 'Value' },
  apex_name: '@',
  steps: [
    'Sign in where you manage the DNS of {domain}: usually the company where you bought {domain}, or the one that hosts its website.',
    'Choose {domain} and open its DNS records. The page may be called DNS, Zone Editor, or Advanced DNS.',
    'Add a record.',
  ],
  caution:
    'Most providers add {domain} to the name automatically, so enter the name exactly as shown below. If the form does not accept @, leave the name empty. If the saved value ends in {domain}, put a dot at the end of the value.',
};

/** Names the records of `www` to delete, because a CNAME has to be the only record of its name. */
function ofWww({ apex }: DnsRecords): string {
  return apex?.www === undefined ? '' : `, and any other record that has the name ${apex.www.name}`;
}

interface Wanted {
  type: RecordType;
  /** Null for the domain itself. */
  name: string | null;
  value: string;
}

function wanted({ cname, apex }: DnsRecords, hostname: string): { domain: string; records: Wanted[] } {
  if (cname !== null)
    return { domain: hostname.slice(cname.name.length + 1), records: [{ type: 'CNAME', ...cname }] };
  if (apex === null) return { domain: hostname, records: [] };
  return {
    domain: hostname,
    records: [
      ...apex.a.map((value): Wanted => ({ type: 'A', name: null, value })),
      ...apex.aaaa.map((value): Wanted => ({ type: 'AAAA', name: null, value })),
      { type: 'TXT', ...apex.txt },
      ...(apex.www === undefined ? [] : [{ type: 'CNAME', ...apex.www } as const]),
    ],
  };
}

function recordForm({ fields, apex_name }: Panel, { type, name, value }: Wanted): RecordForm {
  const typed = name ?? apex_name;
  return {
    type,
    fields: [
      { label: fields.type, value: type, copy: false },
      { label: fields.name, value: typed === '' ? 'leave it empty' : typed, copy: typed !== '' },
      { label: fields.valueByType?.[type] ?? fields.value, value, copy: true },
    ],
  };
}
