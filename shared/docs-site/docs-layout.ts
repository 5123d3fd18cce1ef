import { type IconName, iconSvg } from '../core/look/icons.ts';
import { MARK } from '../core/look/logo.ts';
import { html, Markup } from '../core/text/markup.ts';
import type { DocsAssets } from './docs-assets.ts';
import type { RenderedMarkdown } from './markdown/markdown.ts';
import { anchorOf } from './markdown/text-of-tokens.ts';
import { type DocsPage, type DocsSite, type NavEntry, type NavSection, pageHref } from './site/docs-site.ts';

/** A page to render. It may have no Markdown file, such as the page for a URL that does not exist; `name` is then null. */
type ShownPage = Pick<DocsPage, 'title' | 'summary'> & { name: string | null };

/**
 * Renders the whole HTML document around a page's content: the header, the sidebar, the list of headings, and the link to the next page.
 */
export function docsDocument(
  page: ShownPage,
  { html: main, headings }: RenderedMarkdown,
  site: DocsSite,
  assets: DocsAssets,
): string {
  const isHome = page.name === 'index';
  const title = isHome ? `${page.title}: custom domains as a service` : `${page.title} · Nameplate`;
  return html`<!doctype html>
<html lang="en" data-home="${pageHref('index', site)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${page.summary === '' ? '' : html`<meta name="description" content="${shortened(page.summary)}">`}
${page.name === null ? '' : alternates(page.name, site)}
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" data-search="${assets.search}" data-index="${assets.index}"></script>
</head>
<body class="${isHome ? 'home' : 'page'}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<button class="menu-button" type="button" popovertarget="sidebar" aria-label="Menu">${icon('menu')}<span>Menu</span></button>
<a class="brand" href="${pageHref('index', site)}">${new Markup(MARK)}<span>Nameplate</span> <small>docs</small></a>
<button class="search-button" type="button" aria-label="Search" aria-keyshortcuts="/" hidden>${icon('search')}<span>Search</span><kbd>/</kbd></button>
<button class="theme-button" type="button" hidden></button>
</header>
<div class="frame">
<nav id="sidebar" class="sidebar" popover aria-label="Documentation">
${site.sections.map((section) => sidebarSection(section, page.name, site))}</nav>
<main id="main" tabindex="-1">
<article>
${main}</article>
${page.name === null || isHome ? '' : nextPages(page.name, site)}
${page.name === null ? '' : html`<footer class="end"><a href="${markdownHref(page.name, site)}">This page as Markdown</a> <a href="${site.docsPath}/llms.txt">llms.txt</a></footer>`}
</main>
${headings.length < 3 || isHome ? '' : outline(headings)}</div>
</body>
</html>
`.text;
}

function alternates(name: string, site: DocsSite): Markup {
  const path = pageHref(name, site).slice(site.docsPath.length);
  return html`<link rel="canonical" href="${site.settings.docsUrl}${path === '/' ? '' : path}">
<link rel="alternate" type="text/markdown" href="${markdownHref(name, site)}">`;
}

function markdownHref(name: string, site: DocsSite): string {
  return `${site.docsPath}/${name}.md`;
}

/** Search engines show about this many characters of a summary. */
const SUMMARY_CHARS = 158;

function shortened(summary: string): string {
  if (summary.length <= SUMMARY_CHARS) return summary;
  return `${summary.slice(0, summary.lastIndexOf(' ', SUMMARY_CHARS - 1))} …`;
}

function sidebarSection({ title, entries }: NavSection, current: string | null, site: DocsSite): Markup {
  const id = anchorOf(`section ${title}`);
  return html`<p id="${id}">${title}</p>
<ul aria-labelledby="${id}">
${entries.map((entry) => sidebarEntry(entry, current, site))}</ul>
`;
}

function sidebarEntry(entry: NavEntry, current: string | null, site: DocsSite): Markup {
  const isOpen = entry.name === current || (current ?? '').startsWith(`${entry.name}/`);
  const children = isOpen ? entry.children : [];
  return html`<li>${sidebarLink(entry, current, site)}${
    children.length === 0
      ? ''
      : html`
<ul>
${children.map((child) => html`<li>${sidebarLink(child, current, site)}</li>\n`)}</ul>`
  }</li>
`;
}

function sidebarLink({ name, label }: NavEntry, current: string | null, site: DocsSite): Markup {
  const isCode = /^(?:errors|reasons)\//.test(name);
  const text = isCode ? html`<code>${name.slice(name.indexOf('/') + 1)}</code>` : html`${label}`;
  return html`<a href="${pageHref(name, site)}"${name === current ? new Markup(' aria-current="page"') : ''}>${text}</a>`;
}

function outline(headings: RenderedMarkdown['headings']): Markup {
  const items = headings.map(
    ({ id, title, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${title}</a></li>\n`,
  );
  return html`<aside class="outline"><nav aria-labelledby="outline-title"><h2 id="outline-title">On this page</h2>
<ul>
${items}</ul></nav></aside>
`;
}

function nextPages(name: string, site: DocsSite): Markup {
  const at = site.order.findIndex((entry) => entry.name === name);
  if (at < 0) return new Markup('');
  const previous = site.order[at - 1];
  const next = site.order[at + 1];
  const link = (entry: NavEntry | undefined, rel: 'prev' | 'next', words: string) =>
    entry === undefined
      ? ''
      : html`<a rel="${rel}" href="${pageHref(entry.name, site)}"><small>${words}</small> <span>${entry.label}</span></a>`;
  return html`<nav class="next" aria-label="Previous and next page">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}

const icon = (name: IconName) => new Markup(iconSvg(name));
