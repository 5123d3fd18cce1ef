import type { LanguageTag } from '../core/connect-texts/language.ts';
import type { Context } from '../operations/context.ts';

/** The choice of a DNS provider that has no guide. */
export const OTHER_PROVIDER = 'other';

/** The visitor's choices on a page. It stays in the page's links and forms, because the page sets no cookie. */
export interface PageChoice {
  /** Null if the browser's own languages decide. */
  lang: LanguageTag | null;
  /** The id of a DNS provider, or `OTHER_PROVIDER`. Null if the name servers decide. */
  provider: string | null;
}

/** The address of a page: its path without a trailing slash, and the visitor's choices on it. */
export interface PageAddress {
  path: string;
  choice: PageChoice;
}

/** Returns a path of the customer's pages. It has no host, so that a visitor who came by another of our hostnames stays there. */
export function pagePath({ settings }: Pick<Context, 'settings'>, ...parts: string[]): string {
  const basePath = new URL(settings.baseUrl).pathname.replace(/\/$/, '');
  return [basePath, 'connect', ...parts].join('/');
}

/** Returns a link to a page, or to a path below it, that keeps what the visitor has chosen. */
export function pageLink(
  { path, choice }: PageAddress,
  below = '',
  query: Readonly<Record<string, string | null>> = {},
): string {
  const fields = Object.entries({ ...choice, ...query }).filter((entry) => entry[1] !== null);
  const text = new URLSearchParams(fields as [string, string][]).toString();
  return `${path}${below}${text === '' ? '' : `?${text}`}`;
}
