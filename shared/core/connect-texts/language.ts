/** The languages of the connect page and its mails, as BCP 47 tags. The first is the default. */
export const LANGUAGE_TAGS = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja'] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<LanguageTag, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
};

/** Returns the language with exactly this tag, in any letter case, or null. */
export function readLanguage(text: string | null): LanguageTag | null {
  const lower = text?.toLowerCase();
  return LANGUAGE_TAGS.find((tag) => tag.toLowerCase() === lower) ?? null;
}

const RANGES_MAX = 20;

/**
 * Returns the language that an `Accept-Language` header prefers (RFC 4647, lookup). A range such as `de-AT` also accepts `de`, and `pt`
 * accepts Brazilian Portuguese, because a reader of one variant prefers another variant to English.
 */
export function negotiateLanguage(header: string | null): LanguageTag {
  const ranges = (header ?? '').slice(0, 1000).split(',').slice(0, RANGES_MAX).map(readRange);
  const wanted = ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { range } of wanted) {
    const found = lookUp(range);
    if (found !== null) return found;
  }
  return 'en';
}

function readRange(text: string): { range: string; weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = q === undefined ? 1 : Number(q.slice(2));
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}

function lookUp(range: string): LanguageTag | null {
  const [primary] = range.split('-');
  return (
    readLanguage(range) ?? LANGUAGE_TAGS.find((tag) => tag.toLowerCase().split('-')[0] === primary) ?? null
  );
}
