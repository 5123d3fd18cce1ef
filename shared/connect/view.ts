import type { Language } from '../core/connect-texts/catalog.ts';
import { type CountText, fillCount, type Values } from '../core/connect-texts/text.ts';
import { type ProviderSteps, providerSteps } from '../core/providers/provider-steps.ts';
import { PROVIDERS } from '../core/providers/providers.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { PageAddress } from './page-path.ts';
import { recordCount } from './record-count.ts';
import { type ShownFinding, shownFindings } from './shown-finding.ts';
import { putsRecordsFirst, type StatusWords, wordsOf } from './status-words.ts';

/** All that the parts of the connect page show: the data of the page, in the words of a language. */
export interface View {
  page: ConnectPage;
  language: Language;
  address: PageAddress;
  words: StatusWords;
  /** The most severe first; empty if the status shows none. */
  findings: readonly ShownFinding[];
  guide: ProviderSteps;
  /**
   * The finding that only says that the record is missing. The page then shows the whole record, and the status above it names the
   * reason.
   */
  missing: ShownFinding | null;
}

/** Puts a page into the words of a language. */
export function viewOf(page: ConnectPage, language: Language, address: PageAddress): View {
  const findings = shownFindings(page, language);
  const words = wordsOf(page, findings, language);
  const { provider: chosen } = address.choice;
  const provider = chosen === null ? page.provider : (PROVIDERS.find(({ id }) => id === chosen) ?? null);
  // The provider's warning against its proxy does not apply to a proxy that passes visitors on.
  const isProxied = page.findings.some(({ code }) => code === 'proxy_leads_here');
  const cautions = provider?.cautions.filter(({ say }) => say !== 'orangeCloud' || !isProxied) ?? [];
  const panel = provider && { ...provider, cautions };
  const steps = providerSteps(panel, page.dns, page.hostname, language.texts);
  const guide = { ...steps, caution: cautionOf(page, steps, language) };
  const [first, ...others] = words.showsFindings ? findings : [];
  const missing = first !== undefined && putsRecordsFirst(words) && isInRecords(page, first) ? first : null;
  // Of several records, only the finding says which one is missing.
  const isSaid = missing !== null && guide.records.length === 1;
  const shown = first === undefined || isSaid ? others : [first, ...others];
  return { page, language, address, words, findings: shown, guide, missing };
}

/** Returns what to look out for: that the TXT value is a new one, then what is special about the provider. */
function cautionOf(page: ConnectPage, { caution }: ProviderSteps, { texts }: Language): string | null {
  const isNews = page.has_new_proof && page.is_apex && page.status !== 'active';
  return [isNews ? texts.page.newProof : null, caution].filter((part) => part !== null).join(' ') || null;
}

/** Returns whether a finding asks for nothing but one of the records that the page shows anyway. */
function isInRecords({ is_apex }: ConnectPage, { code, isAbsent, changes }: ShownFinding): boolean {
  return isAbsent && changes.length === 0 && (is_apex || code === 'dns_record_missing');
}

/** Returns the form of a text for the number of records that the customer sets. */
export function forRecords(
  { page, language }: Pick<View, 'page' | 'language'>,
  text: CountText,
  values: Values = {},
): string {
  return fillCount(language.tag, text, recordCount(page), values);
}

/** Returns the title for the browser tab. */
export function titleOf({ page, words }: View): string {
  return `${page.unicode_hostname ?? page.hostname}: ${words.headline}`;
}
