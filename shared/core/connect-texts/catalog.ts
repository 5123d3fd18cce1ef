import { GERMAN } from './de/texts.ts';
import type { CAUTIONS, GUIDES, PANEL_NAMES } from './en/guides.ts';
import type { MAILS } from './en/mails.ts';
import type { MESSAGES } from './en/messages.ts';
import type { PAGE, STATUS } from './en/page.ts';
import { ENGLISH } from './en/texts.ts';
import { SPANISH } from './es/texts.ts';
import type { FindingTexts } from './finding-text.ts';
import { FRENCH } from './fr/texts.ts';
import { JAPANESE } from './ja/texts.ts';
import type { LanguageTag } from './language.ts';
import { BRAZILIAN } from './pt-br/texts.ts';
import type { Translation } from './text.ts';

/** All texts of a language. The English texts set the keys, so that a missing translation is a type error. */
export interface Texts extends FindingTexts {
  page: Translation<typeof PAGE>;
  status: Translation<typeof STATUS>;
  messages: Translation<typeof MESSAGES>;
  mails: Translation<typeof MAILS>;
  guides: Translation<typeof GUIDES>;
  cautions: Translation<typeof CAUTIONS>;
  panelNames: Translation<typeof PANEL_NAMES>;
}

/** A language of the connect page, with its texts. */
export interface Language {
  tag: LanguageTag;
  texts: Texts;
}

const CATALOG: Readonly<Record<LanguageTag, Texts>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  'pt-BR': BRAZILIAN,
  ja: JAPANESE,
};

export function languageOf(tag: LanguageTag): Language {
  return { tag, texts: CATALOG[tag] };
}
