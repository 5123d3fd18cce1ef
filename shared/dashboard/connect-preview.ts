import { shownFindings } from '../connect/shown-finding.ts';
import { STEPS, wordsOf } from '../connect/status-words.ts';
import { languageOf } from '../core/connect-texts/catalog.ts';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { ConnectPreview } from './responses.ts';

/** The dashboard is in English. The page itself follows the customer's browser. */
const LANGUAGE = languageOf('en');

/** Returns the words of a connect page without its records and its buttons (`decisions/0045`). */
export function presentConnectPreview(page: ConnectPage): ConnectPreview {
  const findings = shownFindings(page, LANGUAGE);
  const { tone, headline, text, stepsDone, showsFindings } = wordsOf(page, findings, LANGUAGE);
  return {
    tone: tone === 'fix' ? 'waiting' : tone,
    headline,
    text,
    steps_done: stepsDone,
    steps: STEPS.map((step) => LANGUAGE.texts.page[step].title),
    findings: showsFindings ? findings.map(({ title }) => title) : [],
  };
}
