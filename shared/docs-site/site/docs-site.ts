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
import { inReadingOrder, type NavEntry, type NavSection, readNavigation } from './navigation.ts';

/** The documentation of one deployment: its pages, with the deployment's names and addresses filled in. */
export interface DocsSite {
  settings: DocsSettings;
  /** The path of `docs_url`, so that links work behind a proxy that serves `/docs` at another path. */
  docsPath: string;
  /** The pages by name. */
  pages: ReadonlyMap<string, DocsPage>;
  sections: readonly NavSection[];
  /** All entries of the sidebar, in reading order. */
  order: readonly NavEntry[];
}

export interface DocsPage {
  /** The page's address below `/docs`, such as `webhooks` or `errors/rate_limited`. */
  name: string;
  /** The path of its file in the package. */
  file: string;
  /** The first heading. */
  title: string;
  /** The first paragraph, for search engines and lists. */
  summary: string;
  markdown: string;
}

/** Reads all pages and fills them in. A caller should keep the result, because it depends only on the settings. */
export function createSite(settings: DocsSettings): DocsSite {
  const docsPath = new URL(settings.docsUrl).pathname.replace(/\/$/, '');
  const pages = new Map<string, DocsPage>();
  for (const { name, file, text } of readDocsFiles()) {
    const markdown = fillGuide(text, settings);
    // The name of the service is part of an error code, and so of the address of its page.
    const named = { name: withNames(name, settings), file: withNames(file, settings) };
    pages.set(named.name, { ...named, ...firstWords(markdown), markdown });
  }
  const sections = readNavigation(pages.get('index')?.markdown ?? '', (from, href) => {
    const found = findTarget(pages, pages.get(from), href);
    return found?.page ?? null;
  });
  return { settings, docsPath, pages, sections, order: inReadingOrder(sections) };
}

/** Returns the address of a page by its name. */
export function pageHref(name: string, { docsPath }: Pick<DocsSite, 'docsPath'>): string {
  return name === 'index' ? docsPath || '/' : `${docsPath}/${name}`;
}

/**
 * Returns the address that a link on a page leads to. Returns null for a file that is not part of the documentation, such as a source, and
 * for schemes other than the web's.
 */
export function linkHref(href: string, from: DocsPage, site: DocsSite): string | null {
  if (/^(?:https?:\/\/|[/#])/.test(href)) return href;
  const found = findTarget(site.pages, from, href);
  return found === null ? null : pageHref(found.page.name, site) + found.fragment;
}

/** Returns the name of a picture that a page shows, or null if it is not one of ours. */
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
