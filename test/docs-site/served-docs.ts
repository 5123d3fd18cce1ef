import { PLANS } from '../../shared/core/accounts/plan.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { createDocs, type DocsHandler } from '../../shared/docs-site/docs-pages.ts';

/** The settings of a deployment with its own service name. */
export const SETTINGS = {
  baseUrl: 'https://api.acme-cdn.net',
  docsUrl: 'https://api.acme-cdn.net/docs',
  names: serviceNames('Acme'),
  plans: PLANS,
};
export const DEFAULTS = { ...SETTINGS, names: serviceNames('Service') };

/** Requests a path of the documentation. @throws Error if the path is not part of the documentation. */
export function get(path: string, settings: typeof SETTINGS = SETTINGS) {
  const response = handlerOf(settings)(path);
  if (response === null) throw new Error(`${path} is not the documentation's`);
  return { ...response, body: String(response.body), contentType: response.headers['content-type'] };
}

export function handlerOf(settings: typeof SETTINGS = SETTINGS): DocsHandler {
  const handler = HANDLERS.get(settings) ?? createDocs(settings);
  HANDLERS.set(settings, handler);
  return handler;
}

const HANDLERS = new WeakMap<object, DocsHandler>();

/** Returns the content of a page, without the frame around it. */
export function article(path: string, settings: typeof SETTINGS = SETTINGS): string {
  return /<article[^>]*>(.*)<\/article>/s.exec(get(path, settings).body)?.[1] ?? '';
}

/** Returns the words of HTML, without tags. */
export function wordsOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(x?)([0-9a-f]+)|(amp|lt|gt|quot));/gi, (_, hex, code, name: string) =>
      name ? (NAMED[name] ?? '') : String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    );
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

export function hrefsOf(html: string): string[] {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&#38;', '&'));
}
