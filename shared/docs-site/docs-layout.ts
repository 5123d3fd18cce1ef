import { type IconName, iconSvg } from '../core/look/icons.ts';
import { MARK } from '../core/look/mark.ts';
import { html, Markup } from '../core/text/markup.ts';
import type { DocsAssets } from './docs-assets.ts';
import type { RenderedMarkdown } from './markdown/markdown.ts';
import {
  type DocsPage,
  type DocsSite,
  hasPage,
  type NavEntry,
  PARTS,
  pageHref,
  sectionOf,
} from './site/docs-site.ts';
import { pageTree } from './site/page-tree.ts';

/** A page to render. The page for a URL that does not exist has no Markdown file: its `name` only says which part to show. */
export type ShownPage = Pick<DocsPage, 'name' | 'title' | 'summary'> & { isMissing?: boolean };

/** Renders the whole HTML document around the main element of a page: the top bar, and the tree of the part's pages. */
export function docsDocument(page: ShownPage, main: Markup, site: DocsSite, assets: DocsAssets): string {
  const isHome = page.name === 'index';
  const kind = isHome ? 'home' : page.isMissing ? 'missing' : 'page';
  const section = sectionOf(page.name, site);
  const parts = PARTS.map((part) => {
    const first = site.sections.find((each) => each.part === part)?.entries[0]?.name ?? 'index';
    const current = new Markup(section?.part === part ? ' aria-current="true"' : '');
    return html`<a href="${pageHref(first, site)}"${current}>${part}</a>`;
  });
  return html`<!doctype html>
<html lang="en" data-home="${pageHref('index', site)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isHome ? 'Nameplate: custom domains after one API call' : `${page.title} · Nameplate`}</title>
${page.summary === '' ? '' : html`<meta name="description" content="${shortened(page.summary)}">`}
${page.isMissing ? '' : alternates(page.name, site)}
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assets.style}">
<script src="${assets.script}" data-search="${assets.search}" data-index="${assets.index}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<button class="btn bare icon menu-button" type="button" popovertarget="tree" aria-label="Menu">${icon('menu')}</button>
<a class="brand" href="${pageHref('index', site)}">${new Markup(MARK)}Nameplate</a>
<nav aria-label="Parts">${parts}</nav>
<div class="end">
<button class="ask" type="button" aria-label="Search" aria-keyshortcuts="/" hidden>${icon('search')}<span>Search</span><kbd>/</kbd></button>
<button class="btn bare icon theme-button" type="button" hidden>${icon('moon')}</button>
<a class="btn dash" href="${site.settings.baseUrl}/">Dashboard</a>
</div>
</header>
<div class="wrap">
<nav id="tree" class="tree" popover aria-label="Pages">
<div class="parts">${parts}</div>
${pageTree(page.name, section?.part ?? 'Guides', site)}</nav>
${main}</div>
<footer class="end-note"><span>Nameplate ${assets.version}</span>${page.isMissing ? '' : html`<a href="${markdownHref(page.name, site)}">Source of this page</a>`}<a href="${pageHref('why-nameplate', site)}">Why Nameplate, and when not</a><a href="${pageHref('faq', site)}">Questions and answers</a><a href="${site.docsPath}/llms.txt">llms.txt</a></footer>
</body>
</html>
`.text;
}

/** Renders the main element of a guide, with its list of headings, or of a reference page, with its samples beside the text. */
export function pageMain({ name, title }: ShownPage, rendered: RenderedMarkdown, site: DocsSite): Markup {
  const { intro, samples, rest, headings } = rendered;
  const head = whereIs(name, title, site);
  if (samples.text !== '') {
    return html`<main id="main" tabindex="-1">
<article class="ref"><div class="text intro">${head}
${intro}</div>
<div class="samples">${samples}</div>
<div class="text rest">${rest}${nextPages(name, site)}</div></article>
</main>
`;
  }
  return html`<main id="main" class="guide" tabindex="-1">
<article class="text">${head}
${intro}${rest}${nextPages(name, site)}</article>
${headings.length < 3 ? '' : outline(headings)}</main>
`;
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

/** Says where the page is: the part or the list, then the section or the group. */
function whereIs(name: string, title: string, site: DocsSite): Markup {
  const section = sectionOf(name, site);
  const list = section?.entries.find((entry) => hasPage(entry, name));
  if (section === undefined || list === undefined) return html``;
  const child = list.children.find((each) => each.name === name);
  const first =
    child === undefined
      ? html`${section.part}`
      : html`<a href="${pageHref(list.name, site)}">${list.label}</a>`;
  const last = child?.group ?? (section.title === section.part ? title : section.title);
  return html`<p class="where">${first}${icon('right')}${last}</p>`;
}

function outline(headings: RenderedMarkdown['headings']): Markup {
  const items = headings.map(
    ({ id, title, depth }) => html`<a class="depth-${depth}" href="#${id}">${title}</a>\n`,
  );
  return html`<nav class="toc" aria-labelledby="toc-title"><b id="toc-title">On this page</b>
${items}</nav>
`;
}

function nextPages(name: string, site: DocsSite): Markup {
  const at = site.order.findIndex((entry) => entry.name === name);
  if (at < 0) return html``;
  const link = (entry: NavEntry | undefined, rel: 'prev' | 'next', words: string) =>
    entry === undefined
      ? html`<span></span>`
      : html`<a class="${rel}" rel="${rel}" href="${pageHref(entry.name, site)}"><span>${words}</span>${entry.label}</a>`;
  return html`<nav class="pn" aria-label="Previous and next page">${link(site.order[at - 1], 'prev', 'Back')}${link(site.order[at + 1], 'next', 'Next')}</nav>`;
}

const icon = (name: IconName) => new Markup(iconSvg(name));
