import { createHash } from 'node:crypto';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { readBrowserScript } from '../adapters/package-folder.ts';
import { accentStyle, type Brand } from '../core/apps/brand.ts';
import type { Language } from '../core/connect-texts/catalog.ts';
import { CONNECT_STYLE } from './connect-style.ts';
import { Document } from './document.tsx';

/** Renders a complete page. */
export function renderPage(
  status: number,
  title: string,
  content: ReactElement,
  language: Language,
  brand: Pick<Brand, 'brand_color' | 'brand_logo'> = NO_BRAND,
): Response {
  const style = brand.brand_color === null ? '' : accentStyle(brand.brand_color);
  const markup = renderToStaticMarkup(
    <Document title={title} script={script()} brandStyle={style} icon={brand.brand_logo} language={language}>
      {content}
    </Document>,
  );
  const headers = {
    ...connectHeaders(),
    'content-language': language.tag,
    'content-security-policy': policy(style),
  };
  return new Response(`<!doctype html>\n${markup}\n`, { status, headers });
}

/** Renders a part of a page, which the page's script requests. */
export function renderPart(content: ReactElement): Response {
  return new Response(renderToStaticMarkup(content), { headers: connectHeaders() });
}

/**
 * Returns the headers of a page that is protected only by the token in its URL. They forbid caching, indexing, framing, and sending the URL
 * as a referrer. The content security policy allows only the stylesheet and the script, by their digests, and requests to our own origin.
 */
export function connectHeaders(): Record<string, string> {
  headers ??= {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy(''),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
  };
  return headers;
}
let headers: Record<string, string> | undefined;

const NO_BRAND = { brand_color: null, brand_logo: null };

/** Returns a content security policy that allows the stylesheets and the script by their digests, and the icon and a logo as data URLs. */
function policy(brandStyle: string): string {
  const styles = [CONNECT_STYLE, ...(brandStyle === '' ? [] : [brandStyle])];
  return [
    "default-src 'none'",
    `style-src ${styles.map(inlineSource).join(' ')}`,
    `script-src ${script() === '' ? "'none'" : inlineSource(script())}`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Returns the script that the build created from `browser/`, or an empty string if there was no build. The pages work without the script.
 */
function script(): string {
  text ??= readBrowserScript('connect-page.browser.js');
  return text;
}
let text: string | undefined;

/** Returns the Content-Security-Policy source that allows exactly this inline style or script. */
function inlineSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
