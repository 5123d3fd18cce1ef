import { DE_FINDINGS, DE_WAITS } from './de/findings.ts';
import { DE_CAUTIONS, DE_GUIDES, DE_PANEL_NAMES } from './de/guides.ts';
import { DE_MAILS, DE_MESSAGES } from './de/messages.ts';
import { DE_PAGE, DE_STATUS } from './de/page.ts';
import { EN_FINDINGS, EN_WAITS } from './en/findings.ts';
import { EN_CAUTIONS, EN_GUIDES, EN_PANEL_NAMES } from './en/guides.ts';
import { EN_MAILS, EN_MESSAGES } from './en/messages.ts';
import { EN_PAGE, EN_STATUS } from './en/page.ts';
import { ES_FINDINGS, ES_WAITS } from './es/findings.ts';
import { ES_CAUTIONS, ES_GUIDES, ES_PANEL_NAMES } from './es/guides.ts';
import { ES_MAILS, ES_MESSAGES } from './es/messages.ts';
import { ES_PAGE, ES_STATUS } from './es/page.ts';
import type { FindingTexts } from './finding-text.ts';
import { FR_FINDINGS, FR_WAITS } from './fr/findings.ts';
import { FR_CAUTIONS, FR_GUIDES, FR_PANEL_NAMES } from './fr/guides.ts';
import { FR_MAILS, FR_MESSAGES } from './fr/messages.ts';
import { FR_PAGE, FR_STATUS } from './fr/page.ts';
import { JA_FINDINGS, JA_WAITS } from './ja/findings.ts';
import { JA_CAUTIONS, JA_GUIDES, JA_PANEL_NAMES } from './ja/guides.ts';
import { JA_MAILS, JA_MESSAGES } from './ja/messages.ts';
import { JA_PAGE, JA_STATUS } from './ja/page.ts';
import type { LanguageTag } from './language.ts';
import { PT_BR_FINDINGS, PT_BR_WAITS } from './pt-br/findings.ts';
import { PT_BR_CAUTIONS, PT_BR_GUIDES, PT_BR_PANEL_NAMES } from './pt-br/guides.ts';
import { PT_BR_MAILS, PT_BR_MESSAGES } from './pt-br/messages.ts';
import { PT_BR_PAGE, PT_BR_STATUS } from './pt-br/page.ts';
import type { Translation } from './text.ts';

/** All texts of a language. Every language has the same keys as English, so that a missing translation is a type error. */
export interface Texts extends FindingTexts {
  page: Translation<typeof EN_PAGE>;
  status: Translation<typeof EN_STATUS>;
  messages: Translation<typeof EN_MESSAGES>;
  mails: Translation<typeof EN_MAILS>;
  guides: Translation<typeof EN_GUIDES>;
  cautions: Translation<typeof EN_CAUTIONS>;
  panelNames: Translation<typeof EN_PANEL_NAMES>;
}

/** A language of the connect page, with its texts. */
export interface Language {
  tag: LanguageTag;
  texts: Texts;
}

const CATALOG: Readonly<Record<LanguageTag, Texts>> = {
  en: {
    page: EN_PAGE,
    status: EN_STATUS,
    messages: EN_MESSAGES,
    mails: EN_MAILS,
    findings: EN_FINDINGS,
    waits: EN_WAITS,
    guides: EN_GUIDES,
    cautions: EN_CAUTIONS,
    panelNames: EN_PANEL_NAMES,
  },
  de: {
    page: DE_PAGE,
    status: DE_STATUS,
    messages: DE_MESSAGES,
    mails: DE_MAILS,
    findings: DE_FINDINGS,
    waits: DE_WAITS,
    guides: DE_GUIDES,
    cautions: DE_CAUTIONS,
    panelNames: DE_PANEL_NAMES,
  },
  fr: {
    page: FR_PAGE,
    status: FR_STATUS,
    messages: FR_MESSAGES,
    mails: FR_MAILS,
    findings: FR_FINDINGS,
    waits: FR_WAITS,
    guides: FR_GUIDES,
    cautions: FR_CAUTIONS,
    panelNames: FR_PANEL_NAMES,
  },
  es: {
    page: ES_PAGE,
    status: ES_STATUS,
    messages: ES_MESSAGES,
    mails: ES_MAILS,
    findings: ES_FINDINGS,
    waits: ES_WAITS,
    guides: ES_GUIDES,
    cautions: ES_CAUTIONS,
    panelNames: ES_PANEL_NAMES,
  },
  'pt-BR': {
    page: PT_BR_PAGE,
    status: PT_BR_STATUS,
    messages: PT_BR_MESSAGES,
    mails: PT_BR_MAILS,
    findings: PT_BR_FINDINGS,
    waits: PT_BR_WAITS,
    guides: PT_BR_GUIDES,
    cautions: PT_BR_CAUTIONS,
    panelNames: PT_BR_PANEL_NAMES,
  },
  ja: {
    page: JA_PAGE,
    status: JA_STATUS,
    messages: JA_MESSAGES,
    mails: JA_MAILS,
    findings: JA_FINDINGS,
    waits: JA_WAITS,
    guides: JA_GUIDES,
    cautions: JA_CAUTIONS,
    panelNames: JA_PANEL_NAMES,
  },
};

export function languageOf(tag: LanguageTag): Language {
  return { tag, texts: CATALOG[tag] };
}
