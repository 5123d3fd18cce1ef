import type { Language } from '../core/languages/catalog.ts';
import { type CountText, fillCount, type Values } from '../core/languages/text.ts';
import { type ProviderSteps, providerSteps } from '../core/providers/provider-steps.ts';
import { PROVIDERS } from '../core/providers/providers.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { PageAddress } from './page-path.ts';
import { recordCount } from './record-count.ts';
import { type ShownFinding, shownFindings } from './shown-finding.ts';
import { type StatusWords, wordsOf } from './status-words.ts';

/** All that the parts of the connect page show: the data of the page, in the words of a language. */
export interface View {
  page: ConnectPage;
  language: Language;
  address: PageAddress;
  words: StatusWords;
  /** The most severe first; empty if the status shows none. */
  findings: readonly ShownFinding[];
  guide: ProviderSteps;
}

/** Puts a page into the words of a language. */
export function viewOf(page: ConnectPage, language: Language, address: PageAddress): View {
  const findings = shownFindings(page, language);
  const words = wordsOf(page, findings, language);
  const { provider: chosen } = address.choice;
  const provider = chosen === null ? page.provider : (PROVIDERS.find(({ id }) => id === chosen) ?? null);
  return {
    page,
    language,
    address,
    words,
    findings: words.showsFindings ? findings : [],
    guide: providerSteps(provider, page.dns, page.hostname, language.texts),
  };
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
