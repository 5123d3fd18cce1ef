import { marked, type Token, type Tokens } from 'marked';
import { textOfTokens } from '../markdown/text-of-tokens.ts';

/** A group of pages in the sidebar. */
export interface NavSection {
  title: string;
  entries: readonly NavEntry[];
}

export interface NavEntry {
  /** The name of the page. */
  name: string;
  /** The short title in the sidebar. */
  label: string;
  /** Says what the page is for. */
  summary: string;
  /** Pages below this one, such as each error code below the list of codes. The sidebar shows them on these pages only. */
  children: readonly NavEntry[];
}

interface LinkedPage {
  name: string;
  markdown: string;
  title: string;
}

/**
 * Reads the navigation from the index page: each heading with a list of pages is a section, and each item is `[label](page): summary`. The
 * pages below an entry are in the order in which the entry's own page links them.
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
