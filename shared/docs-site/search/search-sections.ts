import { marked, type Token, type Tokens } from 'marked';
import { createAnchors } from '../markdown/anchors.ts';
import { textOfTokens } from '../markdown/text-of-tokens.ts';
import type { DocsSite } from '../site/docs-site.ts';
import type { SearchSection } from './search-terms.ts';

/** Returns the parts of all pages in reading order: one for each heading, with the text up to the next heading. */
export function searchSections(site: DocsSite): SearchSection[] {
  const names = ['index', ...site.order.map(({ name }) => name)];
  const sections = names.flatMap((name) => {
    const page = site.pages.get(name);
    return page === undefined ? [] : sectionsOf(page);
  });
  return sections.map((section, id) => ({ id, ...section }));
}

function sectionsOf(page: { name: string; title: string; markdown: string }): Omit<SearchSection, 'id'>[] {
  const nextAnchor = createAnchors();
  const address = page.name === 'index' ? '' : page.name;
  const parts: { title: string; href: string; tokens: Token[] }[] = [];
  for (const token of marked.lexer(page.markdown)) {
    if (token.type === 'heading') {
      const { depth, tokens, text } = token as Tokens.Heading;
      const anchor = nextAnchor(text);
      const href = depth === 1 ? address : `${address}#${anchor}`;
      parts.push({ title: textOfTokens(tokens), href, tokens: [] });
    } else {
      parts.at(-1)?.tokens.push(token);
    }
  }
  return parts.map(({ title, href, tokens }) => ({
    title,
    page: page.title,
    href,
    text: textOfTokens(tokens),
  }));
}
