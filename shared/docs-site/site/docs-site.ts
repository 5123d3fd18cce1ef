import path from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import { textOfTokens } from '../markdown/text-of-tokens.ts';
import {
  type DocsSettings,
  fillGuide,
  PICTURES,
  pictureNames,
  readDocsFiles,
  withNames,
} from './guide-text.ts';

/** The documentation of one deployment: its pages, with the deployment's names and addresses filled in. */
export interface DocsSite {
  settings: DocsSettings;
  /** The path part of `docs_url`. Links use it, so that they work behind a proxy that serves `/docs` at another path. */
  docsPath: string;
  /** The pages by name. */
  pages: ReadonlyMap<string, DocsPage>;
  sections: readonly NavSection[];
  /** All entries of the sidebar, in reading order. */
  order: readonly NavEntry[];
}

export interface DocsPage {
  /** The page's path below `/docs`, such as `webhooks` or `errors/rate_limited`. */
  name: string;
  /** The path of the page's file in the package. */
  file: string;
  /** The text of the page's first heading. */
  title: string;
  /** The text of the page's first paragraph, for search engines and lists. */
  summary: string;
  markdown: string;
}

/** Reads all pages and fills in the deployment's names and URLs. The caller should keep the result, which depends only on the settings. */
export function createSite(settings: DocsSettings): DocsSite {
  const docsPath = new URL(settings.docsUrl).pathname.replace(/\/$/, '');
  const pages = new Map<string, DocsPage>();
  for (const { name, file, text } of readDocsFiles()) {
    const markdown = fillGuide(text, settings);
    // The name of the service is part of an error code, so it is also part of the name of that code's page.
    const named = { name: withNames(name, settings), file: withNames(file, settings) };
    pages.set(named.name, { ...named, ...firstWords(markdown), markdown });
  }
  const sections = readNavigation(pages.get('index')?.markdown ?? '', (from, href) => {
    const found = findTarget(pages, pages.get(from), href);
    return found?.page ?? null;
  });
  return { settings, docsPath, pages, sections, order: inReadingOrder(sections) };
}

/** Returns the path of the page with this name. */
export function pageHref(name: string, { docsPath }: Pick<DocsSite, 'docsPath'>): string {
  return name === 'index' ? docsPath || '/' : `${docsPath}/${name}`;
}

/**
 * Returns the URL that a link on a page leads to. Returns null if the link leads to a file outside the documentation, such as source code,
 * or has a scheme other than http and https.
 */
export function linkHref(href: string, from: DocsPage, site: DocsSite): string | null {
  if (/^(?:https?:\/\/|[/#])/.test(href)) return href;
  const found = findTarget(site.pages, from, href);
  return found === null ? null : pageHref(found.page.name, site) + found.fragment;
}

/** Returns the name of a picture that a page shows, or null if the documentation has no such picture. */
export function pictureOf(href: string, from: DocsPage): string | null {
  const target = path.posix.join(path.posix.dirname(from.file), href);
  const name = path.posix.basename(target);
  return target === `${PICTURES}/${name}` && pictureNames().includes(name) ? name : null;
}

function findTarget(pages: DocsSite['pages'], from: DocsPage | undefined, href: string) {
  if (from === undefined || /^[a-z]+:/i.test(href)) return null;
  const [target = '', fragment] = href.split('#', 2);
  const file = path.posix.join(path.posix.dirname(from.file), target);
  const page = pages.get(nameOf(file));
  return page?.file === file ? { page, fragment: fragment ? `#${fragment}` : '' } : null;
}

function nameOf(file: string): string {
  return file === 'CHANGELOG.md' ? 'changelog' : file.replace(/^shared\/docs\//, '').replace(/\.md$/, '');
}

function firstWords(markdown: string): Pick<DocsPage, 'title' | 'summary'> {
  const tokens = marked.lexer(markdown);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const paragraph = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  return { title: textOfTokens(heading?.tokens ?? []), summary: textOfTokens(paragraph?.tokens ?? []) };
}

/** A group of pages in the sidebar. */
export interface NavSection {
  title: string;
  entries: readonly NavEntry[];
}

export interface NavEntry {
  /** The name of the page. */
  name: string;
  /** The short title that the sidebar shows. */
  label: string;
  /** A sentence that says what the page is for. */
  summary: string;
  /**
   * Pages below this one, such as each error code below the list of codes. The sidebar shows the children only on this page and on the
   * children's own pages.
   */
  children: readonly NavEntry[];
}

interface LinkedPage {
  name: string;
  markdown: string;
  title: string;
}

/**
 * Reads the navigation from the index page: each heading with a list of pages is a section, and each item is `[label](page): summary`. The
 * children of an entry are in the order of the links on the entry's page.
 * @param pageOf returns the page that a link leads to, or null.
 */
export function readNavigation(
  index: string,
  pageOf: (from: string, href: string) => LinkedPage | null,
): NavSection[] {
  const sections: NavSection[] = [];
  let title = '';
  for (const token of marked.lexer(index)) {
    if (token.type === 'heading') title = textOfTokens((token as Tokens.Heading).tokens);
    if (token.type !== 'list') continue;
    const entries = (token as Tokens.List).items.flatMap((item) => entryOf(item, pageOf));
    if (entries.length > 0) sections.push({ title, entries });
  }
  return sections;
}

/** Returns the entries in reading order, each before its children. */
export function inReadingOrder(sections: readonly NavSection[]): NavEntry[] {
  return sections.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.children]));
}

function entryOf(
  item: Tokens.ListItem,
  pageOf: (from: string, href: string) => LinkedPage | null,
): NavEntry[] {
  const [text] = item.tokens;
  const inline = (text as Tokens.Text | undefined)?.tokens ?? [];
  const [link, ...rest] = inline;
  if (link?.type !== 'link') return [];
  const page = pageOf('index', (link as Tokens.Link).href);
  if (page === null) return [];
  const summary = textOfTokens(rest).replace(/^: /, '');
  return [{ name: page.name, label: textOfTokens([link]), summary, children: childrenOf(page, pageOf) }];
}

function childrenOf(
  { name, markdown }: LinkedPage,
  pageOf: (from: string, href: string) => LinkedPage | null,
): NavEntry[] {
  const children = new Map<string, NavEntry>();
  for (const href of hrefsOf(marked.lexer(markdown))) {
    const child = pageOf(name, href);
    if (child === null || !child.name.startsWith(`${name}/`) || children.has(child.name)) continue;
    children.set(child.name, { name: child.name, label: child.title, summary: '', children: [] });
  }
  return [...children.values()];
}

function hrefsOf(tokens: Token[]): string[] {
  const hrefs: string[] = [];
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'link') hrefs.push((token as Tokens.Link).href);
  });
  return hrefs;
}
