import type { Language } from '../core/connect-texts/catalog.ts';
import { type CountText, fillCount, type Values } from '../core/connect-texts/text.ts';
import { type ProviderSteps, providerSteps } from '../core/providers/provider-steps.ts';
import { PROVIDERS } from '../core/providers/providers.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { PageAddress } from './page-path.ts';
import { recordCount } from './record-count.ts';
import { type ShownFinding, shownFindings } from './shown-finding.ts';
import { putsRecordsFirst, type StatusWords, wordsOf } from './status-words.ts';

/** The data that the parts of the connect page show, with texts in one language. */
export interface View {
  page: ConnectPage;
  language: Language;
  address: PageAddress;
  words: StatusWords;
  /** The findings to show, the most severe first. Empty if the status shows none. */
  findings: readonly ShownFinding[];
  guide: ProviderSteps;
  /**
   * The finding which only says that a record is missing; null if there is none. The page then shows the whole record, and the status above
   * says the reason.
   */
  missing: ShownFinding | null;
  /** The fault that changes to records fix; null if there is none. The page then asks for these changes instead of for the records. */
  fix: ShownFinding | null;
}

/** Returns the view of a page in a language. */
export function viewOf(page: ConnectPage, language: Language, address: PageAddress): View {
  const findings = shownFindings(page, language);
  const words = wordsOf(page, findings, language);
  const { provider: chosen } = address.choice;
  const provider = chosen === null ? page.provider : (PROVIDERS.find(({ id }) => id === chosen) ?? null);
  // Removes the warning about the provider's proxy if requests already reach us through the proxy.
  const isProxied = page.findings.some(({ code }) => code === 'proxy_leads_here');
  const cautions = provider?.cautions.filter(({ say }) => say !== 'orangeCloud' || !isProxied) ?? [];
  const panel = provider && { ...provider, cautions };
  const steps = providerSteps(panel, page.dns, page.hostname, language.texts);
  const guide = { ...steps, caution: cautionOf(page, steps, language) };
  const [first, ...others] = words.showsFindings ? findings : [];
  const missing = first !== undefined && putsRecordsFirst(words) && isInRecords(page, first) ? first : null;
  // If there are several records, the finding is needed to say which record is missing.
  const isSaid = missing !== null && guide.records.length === 1;
  const shown = first === undefined || isSaid ? others : [first, ...others];
  const fix =
    putsRecordsFirst(words) && shown[0] !== undefined && isFixedAtProvider(shown[0]) ? shown[0] : null;
  return { page, language, address, words, findings: shown, guide, missing, fix };
}

/**
 * Returns the warning for the records: that the TXT value is new, and what is special about the DNS provider. Null if there is nothing to
 * warn about.
 */
function cautionOf(page: ConnectPage, { caution }: ProviderSteps, { texts }: Language): string | null {
  const isNews = page.has_new_proof && page.is_apex && page.status !== 'active';
  return [isNews ? texts.page.newProof : null, caution].filter((part) => part !== null).join(' ') || null;
}

/** Returns whether changes at the DNS provider fix a fault. A DS record is at the registrar. */
function isFixedAtProvider({ isFault, changes }: ShownFinding): boolean {
  return isFault && changes.length > 0 && changes.every(({ type }) => type !== 'DS');
}

/** Returns whether a finding only asks for one of the records that the page shows anyway. */
function isInRecords({ is_apex }: ConnectPage, { code, isAbsent, changes }: ShownFinding): boolean {
  return isAbsent && changes.length === 0 && (is_apex || code === 'dns_record_missing');
}

/** Returns whether the text of the status stands below the headline. Otherwise it stands below the records, which a visitor needs first. */
export function isSaidAbove({ page, words }: View): boolean {
  return !putsRecordsFirst(words) || page.ready_to_switch;
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
