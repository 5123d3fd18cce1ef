import { type Language, languageOf } from '../core/connect-texts/catalog.ts';
import { negotiateLanguage, readLanguage } from '../core/connect-texts/language.ts';
import { ServiceError } from '../core/errors.ts';
import { findTokenOwner } from '../operations/connect/get-connect-page.ts';
import type { Context } from '../operations/context.ts';
import { failurePage } from './failure-page.tsx';
import { type PageChoice, readProvider } from './page-path.ts';

export interface ConnectRequest {
  token: string;
  /** The app whose pages are served at this host; null if this host serves all apps. */
  appId: string | null;
  url: URL;
  request: Request;
  language: Language;
  choice: PageChoice;
  /** Reads the body of a form. @throws HTTPError 413. */
  readForm(): Promise<URLSearchParams>;
}

/** Responds to one kind of request. */
export type ConnectHandler = (context: Context, request: ConnectRequest) => Promise<Response>;

/** Responds to a request of a customer's browser. Responds with a page even if an error occurs. */
export async function handleConnect(
  context: Context,
  handler: ConnectHandler,
  received: Omit<ConnectRequest, 'language' | 'choice'>,
): Promise<Response> {
  const { searchParams } = received.url;
  const lang = readLanguage(searchParams.get('lang'));
  const language = languageOf(lang ?? negotiateLanguage(received.request.headers.get('accept-language')));
  const input = {
    ...received,
    language,
    choice: { lang, provider: readProvider(searchParams.get('provider')) },
  };
  try {
    // A malformed token cannot exist, so respond with 404 without a query.
    if (!TOKEN.test(input.token)) throw new ServiceError('not_found');
    if (input.request.method === 'POST' && !isOwn(context, input.request))
      throw new ServiceError('forbidden');
    if (input.appId !== null && (await findTokenOwner(context, input.token)) !== input.appId)
      throw new ServiceError('not_found');
    return await handler(context, input);
  } catch (thrown) {
    return failurePage(context, language, thrown);
  }
}

/** Responds to a path that has no page. */
export function notFoundPage(context: Context, { headers }: Request): Response {
  const language = languageOf(negotiateLanguage(headers.get('accept-language')));
  return failurePage(context, language, new ServiceError('not_found'));
}

const TOKEN = /^[A-Za-z0-9_-]{16,64}$/;

/**
 * Returns whether a form was sent from our own page. The page may be at the host of the base URL, or at the requested host, such as another
 * hostname of ours.
 */
function isOwn({ settings }: Context, { headers }: Request): boolean {
  const ownHosts = [new URL(settings.baseUrl).host, headers.get('host')];
  return isFromOwnPage(headers, (origin) => ownHosts.includes(origin.replace(/^https?:\/\//, '')));
}

/**
 * Returns whether a change was sent from one of our pages, or from a program that shows no page, such as a mail service. Browsers state the
 * sender in `Sec-Fetch-Site`. If that header is missing (in older browsers, and over plain HTTP), `Origin` decides. `Origin` may be `null`,
 * because forms on pages without a referrer, such as ours, send this value. Other pages can send `null` too, but they do not know the token
 * in the path, which authorizes the request.
 */
export function isFromOwnPage(headers: Headers, isOwnOrigin: (origin: string) => boolean): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || origin === 'null' || isOwnOrigin(origin);
}
