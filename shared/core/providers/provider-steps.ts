import type { EN_CAUTIONS, EN_GUIDES, EN_PANEL_NAMES } from '../connect-texts/en/guides.ts';
import { fill, type Translation } from '../connect-texts/text.ts';
import type { DnsRecords } from '../dns/dns-records.ts';
import type { GuideSentence, Provider, RecordType } from './provider.ts';

/** The texts, in one language, from which guides are built. */
export interface GuideTexts {
  guides: Translation<typeof EN_GUIDES>;
  cautions: Translation<typeof EN_CAUTIONS>;
  panelNames: Translation<typeof EN_PANEL_NAMES>;
  /** `leaveEmpty` asks the customer to leave a field empty. The other texts are the labels of the form if the provider is not known. */
  page: Readonly<Record<'fieldType' | 'fieldName' | 'fieldValue' | 'leaveEmpty', string>>;
}

/** Instructions on the connect page for the customer, in the DNS provider's own terms. */
export interface ProviderSteps {
  /** The provider's own spelling of its name; null if the provider is not known. */
  provider_name: string | null;
  /** https URL of the DNS panel; null if there is no single URL. */
  panel_url: string | null;
  /** The steps in order, each of one or two sentences. */
  steps: readonly string[];
  /** One form to fill in for each record. */
  records: readonly RecordForm[];
  /** Sentences about common mistakes at this provider; null if there are none. */
  caution: string | null;
}

export interface RecordForm {
  type: RecordType;
  /** Type, name and value in this order. */
  fields: readonly FormField[];
}

export interface FormField {
  /** The label of the field in the provider's form. */
  label: string;
  value: string;
  /** True if the customer copies the value. False if the customer chooses it from a list, or if the value is the text `leaveEmpty`. */
  copy: boolean;
}

/**
 * Returns the customer's steps, from signing in at the DNS provider to creating the last record.
 * @param provider null if the provider is not known. The steps then use words that fit nearly all providers.
 * @param hostname the hostname that `dns` belongs to.
 */
export function providerSteps(
  provider: Provider | null,
  dns: DnsRecords,
  hostname: string,
  texts: GuideTexts,
): ProviderSteps {
  const { guides, cautions } = texts;
  const panel = provider ?? anyPanel(texts);
  const { domain, records } = wanted(dns, hostname);
  const speak = <Key extends string>(catalog: Readonly<Record<Key, string>>, sentence: GuideSentence<Key>) =>
    inWords(texts.panelNames, catalog, sentence, { domain, at: provider?.name ?? '' });
  const [first] = records;
  return {
    provider_name: provider?.name ?? null,
    panel_url: panel.panel_url,
    steps: [
      ...panel.steps.map((step) => speak(guides, step)),
      deletion(guides, dns, domain),
      records.length > 1
        ? fill(guides.fillMany, { count: String(records.length) })
        : fill(guides.fillOne, { type: first?.type ?? 'DNS' }),
    ],
    records: records.map((record) => recordForm(panel, record, texts.page.leaveEmpty)),
    caution:
      provider === null
        ? fill(guides.anyName, { domain })
        : provider.cautions.map((caution) => speak(cautions, caution)).join(texts.panelNames.next) || null,
  };
}

/** Returns the step in which the customer deletes conflicting records. A CNAME must be the only record at its name, such as `www`. */
function deletion(guides: GuideTexts['guides'], { cname, apex }: DnsRecords, domain: string): string {
  if (cname !== null) return fill(guides.deleteOthers, { name: cname.name });
  return apex?.www === undefined
    ? fill(guides.deleteAtApex, { domain })
    : fill(guides.deleteAtApexAndWww, { domain, name: apex.www.name });
}

function inWords<Key extends string>(
  { label, value: quote, path }: GuideTexts['panelNames'],
  catalog: Readonly<Record<Key, string>>,
  { say, at, menu = [], button, option, value, type }: GuideSentence<Key>,
  known: { domain: string; at: string },
): string {
  const named = (text: string, name: string | undefined) => (name === undefined ? '' : fill(text, { name }));
  return fill(catalog[say], {
    domain: known.domain,
    at: at ?? known.at,
    menu: menu.map((name) => named(label, name)).join(path),
    button: named(label, button),
    option: named(quote, option),
    value: named(quote, value),
    type: type ?? '',
  });
}

type Panel = Pick<Provider, 'panel_url' | 'fields' | 'apex_name' | 'steps'>;

function anyPanel({ page }: GuideTexts): Panel {
  return {
    panel_url: null,
    fields: { type: page.fieldType, name: page.fieldName, value: page.fieldValue },
    apex_name: '@',
    steps: [{ say: 'anySignIn' }, { say: 'anyChoose' }, { say: 'addRecord' }],
  };
}

interface Wanted {
  type: RecordType;
  /** The name to enter. Null for the domain itself. */
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

function recordForm(
  { fields, apex_name }: Panel,
  { type, name, value }: Wanted,
  leaveEmpty: string,
): RecordForm {
  const typed = name ?? apex_name;
  return {
    type,
    fields: [
      { label: fields.type, value: type, copy: false },
      { label: fields.name, value: typed === '' ? leaveEmpty : typed, copy: typed !== '' },
      { label: fields.valueByType?.[type] ?? fields.value, value, copy: true },
    ],
  };
}
