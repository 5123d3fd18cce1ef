import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { inlineSource, readBrowserScript } from '../adapters/browser-script.ts';
import { CONNECT_STYLE } from './connect-style.ts';
import { Document } from './document.tsx';

/** A whole page as it is sent. */
export function renderPage(status: number, title: string, content: ReactElement): Response {
  const markup = renderToStaticMarkup(
    <Document title={title} script={script()}>
      {content}
    </Document>,
  );
  return new Response(`<!doctype html>\n${markup}\n`, { status, headers: pageHeaders() });
}

/** A part of a page, for its own script. */
export function renderPart(content: ReactElement): Response {
  return new Response(renderToStaticMarkup(content), { headers: pageHeaders() });
}

/**
 * Nobody keeps, indexes, frames or passes on the address of a page that is known by its token alone. The one style and the one
 * script are let in by their digests, and nothing comes from or goes to elsewhere.
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

/** What the build made of `browser/`; nothing where there was no build, and the pages do without. */
function script(): string {
  text ??= readBrowserScript('connect-page.browser.js');
  return text;
}
let text: string | undefined;
