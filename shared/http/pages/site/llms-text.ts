import type { DocsSite } from './docs-site.ts';

/** Lists the pages for language models, in the format of llmstxt.org. Its links lead to the pages as Markdown. */
export function llmsText(site: DocsSite): string {
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
export function llmsFullText(site: DocsSite): string {
  const pages = ['index', ...site.order.map(({ name }) => name)].map(
    (name) => site.pages.get(name)?.markdown ?? '',
  );
  return pages.map((markdown) => markdown.trim()).join('\n\n---\n\n');
}
