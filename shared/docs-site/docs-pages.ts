import { etagOf, type KeptResponse } from '../adapters/compress.ts';
import { iconSvg } from '../core/look/icons.ts';
import { html, Markup } from '../core/text/markup.ts';
import { assetName, createAssets, type DocsAssets } from './docs-assets.ts';
import { docsDocument, pageMain, type ShownPage } from './docs-layout.ts';
import { createTermLinker, readGlossary, type Term } from './markdown/glossary.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { createSite, type DocsPage, type DocsSite, linkHref, pageHref, pictureOf } from './site/docs-site.ts';
import type { DocsSettings } from './site/guide-text.ts';
import { homeMain } from './site/home-page.ts';

/** Returns the response to a path without a query, or null if the path is not part of the documentation. Requests need no API key. */
export type DocsHandler = (path: string) => KeptResponse | null;

/**
 * Creates the handler of the public documentation: `/docs`, `/docs/<page>`, each page as Markdown at `/docs/<page>.md`, and the files that
 * pages load. The handler renders a page at the first request, and caches the result.
 * @param exampleKey an API key that everyone may know, such as the emulator's. The pages send their example requests to this server with
 * it.
 */
export function createDocs(settings: DocsSettings, exampleKey: string | null = null): DocsHandler {
  const site = createSite(settings);
  const assets = createAssets(site);
  const terms = readGlossary(site.pages.get('glossary')?.markdown ?? '');
  const docs: Docs = { site, assets, terms, exampleKey };
  const responses = new Map<string, KeptResponse>();

  /**
   * Returns the cached response for a name, or makes and caches it. Call this only with names of pages that exist, so that requests cannot
   * fill the memory.
   */
  function kept(name: string, make: () => KeptResponse): KeptResponse {
    const response = responses.get(name) ?? make();
    responses.set(name, response);
    return response;
  }

  return (path) => {
    if (path === '/llms.txt') return kept('/llms.txt', () => text(llmsText(site)));
    if (path === '/docs.md') return kept('index.md', () => text(site.pages.get('index')?.markdown ?? ''));
    if (path !== '/docs' && !path.startsWith('/docs/')) return null;
    const name = path.slice('/docs/'.length).replace(/\/$/, '') || 'index';
    const page = site.pages.get(name);
    if (page !== undefined) return kept(name, () => pageResponse(page, docs));
    const source = site.pages.get(name.replace(/\.md$/, ''));
    if (source !== undefined) return kept(name, () => text(source.markdown, 'text/markdown; charset=utf-8'));
    if (name === 'llms.txt') return kept(name, () => text(llmsText(site)));
    if (name === 'llms-full.txt') return kept(name, () => text(llmsFullText(site)));
    if (name.startsWith('assets/')) return assetResponse(name.slice('assets/'.length), assets, kept);
    return notFound(name, docs);
  };
}

interface Docs {
  site: DocsSite;
  assets: DocsAssets;
  terms: readonly Term[];
  exampleKey: string | null;
}

function pageResponse(page: DocsPage, docs: Docs): KeptResponse {
  const { site, assets, terms, exampleKey } = docs;
  if (page.name === 'index') return document(200, page, homeMain(site, assets.version), docs);
  const glossary = pageHref('glossary', site);
  const isGlossary = page.name === 'glossary';
  const rendered = renderMarkdown(page.markdown, {
    hrefOf: (href) => linkHref(href, page, site),
    pictureOf: (href) => assets.pictures.get(pictureOf(href, page) ?? '') ?? null,
    linkTerms: createTermLinker(isGlossary ? [] : terms, glossary),
    hasRowIds: isGlossary,
    isReference: page.name.includes('/'),
    markOf: (comment) => (exampleKey === null ? '' : requestForm(comment, exampleKey)),
  });
  return document(200, page, pageMain(page, rendered, site), docs);
}

/**
 * Builds the 404 page. The page repeats nothing of the requested path: its script reads the path from the URL and searches for its last
 * word.
 */
function notFound(name: string, docs: Docs): KeptResponse {
  const { site } = docs;
  const links = ['quickstart', 'api', 'errors', 'reasons'].flatMap((each) => {
    const page = site.pages.get(each);
    return page === undefined ? [] : [html`<li><a href="${pageHref(each, site)}">${page.title}</a></li>\n`];
  });
  const main = html`<main id="main" class="lost" tabindex="-1">
<span class="plate loose"><span>Nobody lives here</span></span>
<h1>This page does not exist</h1>
<p class="muted">The address may have a typo, or the page may have moved. Search for a word, a code or a path of the API.</p>
<button class="ask" type="button" hidden>${new Markup(iconSvg('search'))}<span>Search</span><kbd>/</kbd></button>
<ul>
${links}</ul>
</main>
`;
  const [folder = ''] = name.split('/');
  const isList = site.order.some((entry) => entry.name === folder);
  return document(
    404,
    { title: 'No such page', summary: '', name: isList ? folder : '', isMissing: true },
    main,
    docs,
  );
}

function document(status: 200 | 404, page: ShownPage, main: Markup, { site, assets }: Docs): KeptResponse {
  const body = docsDocument(page, main, site, assets);
  return { status, headers: { ...PAGE_HEADERS, etag: etagOf(body) }, body, forms: new Map() };
}

function text(body: string, contentType = 'text/plain; charset=utf-8'): KeptResponse {
  const headers = { ...TEXT_HEADERS, 'content-type': contentType, etag: etagOf(body) };
  return { status: 200, headers, body, forms: new Map() };
}

function assetResponse(
  file: string,
  { files }: DocsAssets,
  kept: (name: string, make: () => KeptResponse) => KeptResponse,
): KeptResponse {
  const asset = files.get(assetName(file));
  if (asset === undefined) {
    return { ...text('Not found'), status: 404 };
  }
  const { body, contentType, href } = asset;
  // During an upgrade, a page of another version may request a path with another digest. The response is then the current file, without
  // permission to cache it.
  const isCurrent = href.endsWith(`/${file}`);
  return kept(`${isCurrent ? 'current' : 'other'} ${assetName(file)}`, () => ({
    status: 200,
    headers: {
      ...TEXT_HEADERS,
      'content-type': contentType,
      'cross-origin-resource-policy': 'same-origin',
      ...(isCurrent && { 'cache-control': 'public, max-age=31536000, immutable' }),
    },
    body,
    forms: new Map(),
  }));
}

const TEXT_HEADERS = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/**
 * Headers of pages. A page may load scripts, styles and pictures from its own host only, and its script may send requests to that host
 * only.
 */
const PAGE_HEADERS = {
  ...TEXT_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/**
 * Turns a comment such as `try: POST /v1/domains {"hostname":"…"}` into an element in which the page's script draws a form. The form sends
 * this request to this server. Returns an empty string for other comments.
 * @param key the API key that the request carries.
 */
function requestForm(comment: string, key: string): string {
  const [, method = '', address = '', body = ''] =
    /^try: (GET|POST|PATCH|DELETE) (\/v1\/\S+)(?: (\{.*\}))?$/s.exec(comment) ?? [];
  if (method === '') return '';
  const shownBody = body === '' ? '' : JSON.stringify(JSON.parse(body), null, 2);
  return html`<div class="try" data-method="${method}" data-address="${address}" data-body="${shownBody}" data-key="${key}"></div>
`.text;
}

/** Lists the pages for language models, in the format of llmstxt.org. The links lead to the pages as Markdown. */
function llmsText(site: DocsSite): string {
  const index = site.pages.get('index');
  const sections = site.sections.map(({ title, entries }) => {
    const items = entries.map(
      ({ name, label, summary }) => `- [${label}](${site.settings.docsUrl}/${name}.md): ${summary}`,
    );
    return `## ${title}\n\n${items.join('\n')}\n`;
  });
  return [`# ${index?.title}\n`, `> ${index?.summary}\n`, ...sections].join('\n');
}

/** Returns all pages in reading order as one text. */
function llmsFullText(site: DocsSite): string {
  const pages = ['index', ...site.order.map(({ name }) => name)].map(
    (name) => site.pages.get(name)?.markdown ?? '',
  );
  return pages.map((markdown) => markdown.trim()).join('\n\n---\n\n');
}
