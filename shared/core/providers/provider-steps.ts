import type { DnsRecords } from '../dns/dns-records.ts';
import type { Provider, RecordType } from './provider.ts';

/** What the connect page tells a customer to do at the DNS provider, in its own words. */
export interface ProviderSteps {
  /** As the provider writes itself; null where it is not known. */
  provider_name: string | null;
  /** https; null where there is no single address. */
  panel_url: string | null;
  /** In their order, a sentence or two each. */
  steps: readonly string[];
  /** One form to fill in for each record. */
  records: readonly RecordForm[];
  /** What others stumbled over, in sentences; null where nothing is special. */
  caution: string | null;
}

export interface RecordForm {
  type: RecordType;
  /** Type, name and value in this order. */
  fields: readonly FormField[];
}

export interface FormField {
  /** As the provider's form calls it. */
  label: string;
  value: string;
  /** Whether the value is to be copied as it is; else it is chosen from a list, or says what to do. */
  copy: boolean;
}

/**
 * The steps from signing in to the last record.
 * @param provider null where it is not known: words that are true of nearly all of them.
 * @param hostname the one that `dns` belongs to.
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
        ? `Delete or edit A, AAAA and CNAME records that ${domain} itself has already${ofWww(dns)}. Leave its MX, NS and TXT records as they are.`
        : `Delete or edit any other record that has the name ${dns.cname.name} already: a CNAME has to be the only one.`,
      many
        ? `Fill in the form once for each of the ${records.length} records below, and save each. Leave what is not named, such as the TTL, as it is.`
        : `Fill in the form with the ${first?.type ?? 'DNS'} record below, and save it. Leave what is not named, such as the TTL, as it is.`,
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
    'Sign in where the DNS of {domain} is managed: mostly the company that {domain} was bought from, or the one that hosts its website.',
    'Choose {domain} and open its DNS records. The page may be called DNS, Zone Editor, or Advanced DNS.',
    'Add a record.',
  ],
  caution:
    'Most providers add {domain} to the name by themselves, so type the name as it stands below. Where a record for {domain} itself is asked for and @ is not taken, leave the name empty. Where the saved value ends in {domain}, put a dot at the end of the value.',
};

/** A CNAME has to be the only record of its name. */
function ofWww({ apex }: DnsRecords): string {
  return apex?.www === undefined ? '' : `, and any other record that has the name ${apex.www.name}`;
}

interface Wanted {
  type: RecordType;
  /** Null is the domain itself. */
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
      { label: fields.value_of?.[type] ?? fields.value, value, copy: true },
    ],
  };
}
