import { createHash } from 'node:crypto';
import { type H3, type H3Event, HTTPResponse } from 'h3';
import { compressed, type EncodedForms } from '../adapters/compress.ts';
import { digestName, type FontName, readFont } from '../adapters/fonts.ts';
import { readBrowserScript } from '../adapters/package-folder.ts';
import { tabIcon } from '../core/look/logo.ts';
import { fontFaces } from '../core/look/tokens.ts';
import type { Settings } from '../core/settings.ts';
import type { PageAddition } from './dashboard-call.ts';
import { DASHBOARD_STYLE } from './dashboard-style.ts';

/** A file of the dashboard. Its name contains a digest of its content, so that browsers may cache it for a year. */
interface Asset {
  path: string;
  contentType: string;
  text: string;
  forms: EncodedForms;
}

/** Serves the dashboard's HTML document at every path below `/dashboard` apart from its API, and the two files that the document loads. */
export function serveDashboardPage(app: H3, settings: Settings, addition: PageAddition | null): void {
  let made: Assets | undefined;
  const assets = () => {
    made ??= makeAssets(addition);
    return made;
  };
  const respond = ({ req }: H3Event) => compressed(req, page(assets(), settings));
  app.on('GET', '/dashboard/assets/:name', (event) => serveAsset(assets(), event));
  app.on('GET', '/dashboard', respond);
  app.on('GET', '/dashboard/**', respond);
}

/** Returns the path of the service's style sheet, for documents without the script. */
export function stylePath(): string {
  return styleAsset().path;
}

/** The two files that the document loads. */
interface Assets {
  script: Asset;
  style: Asset;
}

function makeAssets(addition: PageAddition | null): Assets {
  const script = readBrowserScript(addition?.scriptFile ?? 'dashboard.browser.js');
  return {
    script: asset('js', 'text/javascript; charset=utf-8', script),
    style: styleAsset(addition?.style),
  };
}

function styleAsset(added = ''): Asset {
  const fonts = { next: fontPath('next'), mono: fontPath('mono') };
  return asset('css', 'text/css; charset=utf-8', DASHBOARD_STYLE + fontFaces(fonts) + added);
}

/** Returns the path of a font among the files of the documentation, so that a browser loads each font once for both. */
function fontPath(name: FontName): string {
  return `/docs/assets/${digestName(`${name}.woff2`, readFont(name))}`;
}

function asset(kind: string, contentType: string, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/dashboard/assets/${digest}.${kind}`, contentType, text, forms: new Map() };
}

function serveAsset({ script, style }: Assets, event: H3Event): Promise<Response> | HTTPResponse {
  const found = [script, style].find(({ path }) => path === event.url.pathname);
  if (found === undefined) return new HTTPResponse('Not found', { status: 404 });
  const headers = {
    'content-type': found.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
  return compressed(event.req, new Response(found.text, { headers }), found.forms);
}

/** Returns the HTML document. It contains no data and no secret, because the script reads them after it has started. */
function page({ script, style }: Assets, settings: Settings): Response {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Dashboard</title>
<meta name="description" content="The domains, events, keys and members of your app.">
<link rel="icon" href="${tabIcon()}" data-live="${tabIcon()}" data-test="${tabIcon('test')}">
<link rel="preload" href="${fontPath('next')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${style.path}">
<script type="module" src="${script.path}"></script>
</head>
<body>
<div id="dashboard">${script.text === '' ? NOT_BUILT : NO_SCRIPT}</div>
</body>
</html>
`;
  return new Response(text, { status: script.text === '' ? 503 : 200, headers: dashboardHeaders(settings) });
}

/**
 * Returns the headers of every HTML document of the dashboard. With HTTPS, they forbid later requests over plain HTTP (HSTS), where an
 * attacker on the network could show a fake sign-in page. Subdomains of the dashboard's host are not included, because they may have other
 * owners.
 */
export function dashboardHeaders({ baseUrl }: Pick<Settings, 'baseUrl'>): Record<string, string> {
  const { protocol, hostname } = new URL(baseUrl);
  // No HSTS on localhost, because browsers would apply it to every port of the developer's machine.
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isStrict = protocol === 'https:' && !isLocal;
  return { ...PAGE_HEADERS, ...(isStrict && { 'strict-transport-security': `max-age=${HSTS_S}` }) };
}

/** One year in seconds. */
const HSTS_S = 31_536_000;
/** The headers of a page that its script renders. It loads nothing from other hosts, cannot be framed, and is not cached. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const NOT_BUILT =
  '<p class="alone">The dashboard is not built. Run <code>npm run build</code>, then start the node again.</p>';
const NO_SCRIPT = '<noscript><p class="alone">The dashboard needs JavaScript.</p></noscript>';
