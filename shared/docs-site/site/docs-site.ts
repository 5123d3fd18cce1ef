import path from 'node:path';
import { marked, type Tokens } from 'marked';
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
  /** All entries of the tree, in reading order. */
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

/** Returns the section of a page, or of a name below an entry, such as `errors/nope`. Returns undefined for other names. */
export function sectionOf(name: string, { sections }: DocsSite): NavSection | undefined {
  return sections.find(({ entries }) => entries.some((entry) => hasPage(entry, name)));
}

/** Returns true if a name is the entry's page, or below it. */
export function hasPage(entry: NavEntry, name: string): boolean {
  return name === entry.name || name.startsWith(`${entry.name}/`);
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

/** The parts of the documentation. The top bar links each part, and the tree of pages shows only the part of the page. */
export const PARTS = ['Guides', 'API', 'Errors and reasons', 'Command line'] as const;
export type DocsPart = (typeof PARTS)[number];

/** A group of pages in the tree. */
export interface NavSection {
  title: string;
  part: DocsPart;
  entries: readonly NavEntry[];
}

export interface NavEntry {
  /** The name of the page. */
  name: string;
  /** The short title that the sidebar shows. */
  label: string;
  /** A sentence that says what the page is for. */
  summary: string;
  /** Pages below this one, such as each error code below the list of codes. */
  children: readonly NavEntry[];
  /** The heading of the list that has the page, if another page lists it. Otherwise the title of the section. */
  group: string;
}

type LinkedPage = Pick<DocsPage, 'name' | 'markdown' | 'title'>;

/**
 * Reads the navigation from the index page: each heading with a list of pages is a section, and each item is `[label](page): summary`. A
 * section belongs to the part with its title; without such a part, to the guides. The children of an entry are in the order of the links on
 * the entry's page.
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
    const entries = (token as Tokens.List).items.flatMap((item) => entryOf(item, title, pageOf));
    const part = PARTS.find((each) => each === title) ?? 'Guides';
    if (entries.length > 0) sections.push({ title, part, entries });
  }
  return sections;
}

/** Returns the entries in reading order, each before its children. */
export function inReadingOrder(sections: readonly NavSection[]): NavEntry[] {
  return sections.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.children]));
}

function entryOf(
  item: Tokens.ListItem,
  group: string,
  pageOf: (from: string, href: string) => LinkedPage | null,
): NavEntry[] {
  const [text] = item.tokens;
  const inline = (text as Tokens.Text | undefined)?.tokens ?? [];
  const [link, ...rest] = inline;
  if (link?.type !== 'link') return [];
  const page = pageOf('index', (link as Tokens.Link).href);
  if (page === null) return [];
  const summary = textOfTokens(rest).replace(/^: /, '');
  const label = textOfTokens([link]);
  return [{ name: page.name, label, summary, group, children: childrenOf(page, pageOf) }];
}

function childrenOf(
  { name, markdown }: LinkedPage,
  pageOf: (from: string, href: string) => LinkedPage | null,
): NavEntry[] {
  const children = new Map<string, NavEntry>();
  let group = '';
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') group = textOfTokens((token as Tokens.Heading).tokens);
    marked.walkTokens([token], (inner) => {
      const child = inner.type === 'link' ? pageOf(name, (inner as Tokens.Link).href) : null;
      if (!child?.name.startsWith(`${name}/`) || children.has(child.name)) return;
      const label = shortTitle(child.name) ?? child.title;
      children.set(child.name, { name: child.name, label, summary: '', group, children: [] });
    });
  }
  return [...children.values()];
}

/** Returns a title for an operation that fits on one line of the tree, such as "Add domain". Null for the pages of codes. */
function shortTitle(name: string): string | null {
  const [, operation] = /^api\/(.+)/.exec(name) ?? [];
  return operation === undefined
    ? null
    : operation.replace(/^./, (first) => first.toUpperCase()).replaceAll('-', ' ');
}
