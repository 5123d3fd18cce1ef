import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { marked, type Token, type Tokens } from 'marked';
import MiniSearch from 'minisearch';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { INDEX_FILE, INDEX_SITE } from '../../shared/docs-site/docs-assets.ts';
import { createAnchors, textOfTokens } from '../../shared/docs-site/markdown/text-of-tokens.ts';
import { INDEX_OPTIONS, type SearchSection } from '../../shared/docs-site/search/search-terms.ts';
import { createSite, type DocsSite } from '../../shared/docs-site/site/docs-site.ts';

/** Writes the search index of the documentation to `dist`. The index contains the service's default names. */
export async function buildDocsSearch(root: string): Promise<void> {
  const site = createSite({ ...INDEX_SITE, names: serviceNames('Service'), plans: PLANS });
  const index = new MiniSearch(INDEX_OPTIONS);
  index.addAll(searchSections(site));
  const file = path.join(root, 'dist', INDEX_FILE);
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(index));
  await rename(unfinished, file);
}

/** Returns the sections of all pages in reading order: one for each heading, with the text up to the next heading. */
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
