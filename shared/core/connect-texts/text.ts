import type { LanguageTag } from './language.ts';

/**
 * A text that may depend on a count. `other` is used for every category of the language's plural rules that has no text of its own. A
 * plain text is the same for every count.
 */
export type CountText =
  | string
  | ({ readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>);

/** The type of a translation: it has the same keys as the English texts, with any text for each key. */
export type Translation<T> = T extends string
  ? string
  : T extends { readonly other: string }
    ? CountText
    : { readonly [Key in keyof T]: Translation<T[Key]> };

export type Values = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{([a-zA-Z]+)\}/g;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Fills in the placeholders of a text, all at once, so that a placeholder in a value is not filled in. */
export function fill(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => isolated(values[name] ?? placeholder));
}

/** Puts a value from right to left between U+2068 and U+2069, so that it does not reorder the words beside it. */
function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

/** Returns the form of a text for a count. */
export function forCount(tag: LanguageTag, text: CountText, count: number): string {
  return typeof text === 'string' ? text : (text[new Intl.PluralRules(tag).select(count)] ?? text.other);
}

/** Returns the form of a text for a count, with `{count}` and the other placeholders filled in. */
export function fillCount(tag: LanguageTag, text: CountText, count: number, values: Values = {}): string {
  return fill(forCount(tag, text, count), { count: String(count), ...values });
}

/** Splits a text at its placeholders. In the result, words have even indexes, and names of placeholders have odd indexes. */
export function splitText(text: string): string[] {
  return text.split(PLACEHOLDER);
}
