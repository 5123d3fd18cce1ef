import type { LanguageTag } from '../core/connect-texts/language.ts';
import { PROVIDERS } from '../core/providers/providers.ts';
import type { Context } from '../operations/context.ts';

/** The provider id if the visitor has chosen a DNS provider without a guide. */
export const OTHER_PROVIDER = 'other';

/** The visitor's choices on a page. All links and forms of the page contain them, because the page sets no cookie. */
export interface PageChoice {
  /** The chosen language. Null if the languages of the browser decide. */
  lang: LanguageTag | null;
  /** The chosen DNS provider: its id, or `OTHER_PROVIDER`. Null if the zone's name servers decide. */
  provider: string | null;
}

/** The address of a page: its path without a trailing slash, and the visitor's choices. */
export interface PageAddress {
  path: string;
  choice: PageChoice;
}

/** Returns a path of the customer's pages. The path has no host, so that a visitor stays at the hostname that they opened. */
export function pagePath({ settings }: Pick<Context, 'settings'>, ...parts: string[]): string {
  const basePath = new URL(settings.baseUrl).pathname.replace(/\/$/, '');
  return [basePath, 'connect', ...parts].join('/');
}

/** Returns a link to a page, or to a path below it, with the visitor's choices. */
export function pageLink(
  { path, choice }: PageAddress,
  below = '',
  query: Readonly<Record<string, string | null>> = {},
): string {
  const fields = Object.entries({ ...choice, ...query }).filter((entry) => entry[1] !== null);
  const text = new URLSearchParams(fields as [string, string][]).toString();
  return `${path}${below}${text === '' ? '' : `?${text}`}`;
}

/** Parses the visitor's choice of a DNS provider. @returns null for an unknown provider. */
export function readProvider(text: string | null): string | null {
  return text === OTHER_PROVIDER || PROVIDERS.some(({ id }) => id === text) ? text : null;
}
