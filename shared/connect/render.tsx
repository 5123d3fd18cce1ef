import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { inlineSource, readBrowserScript } from '../adapters/browser-script.ts';
import type { Language } from '../core/languages/catalog.ts';
import { CONNECT_STYLE } from './connect-style.ts';
import { Document } from './document.tsx';

/** Renders a complete page. */
export function renderPage(
  status: number,
  title: string,
  content: ReactElement,
  language: Language,
): Response {
  const markup = renderToStaticMarkup(
    <Document title={title} script={script()} language={language}>
      {content}
    </Document>,
  );
  const headers = { ...pageHeaders(), 'content-language': language.tag };
  return new Response(`<!doctype html>\n${markup}\n`, { status, headers });
}

/** Renders a part of a page, for the page's own script. */
export function renderPart(content: ReactElement): Response {
  return new Response(renderToStaticMarkup(content), { headers: pageHeaders() });
}

/**
 * Returns the headers of a page that only its token protects. They forbid caching, indexing, framing and sending its address as a referrer.
 * The content security policy admits the stylesheet and the script by their digests, and requests to our own origin only.
 */
export function pageHeaders(): Record<string, string> {
  headers ??= {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `style-src ${inlineSource(CONNECT_STYLE)}`,
      `script-src ${script() === '' ? "'none'" : inlineSource(script())}`,
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
  };
  return headers;
}
let headers: Record<string, string> | undefined;

/** Returns the script that the build made from `browser/`, or an empty string if there was no build. The pages work without it. */
function script(): string {
  text ??= readBrowserScript('connect-page.browser.js');
  return text;
}
let text: string | undefined;
