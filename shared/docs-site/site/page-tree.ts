import { html, Markup } from '../../core/text/markup.ts';
import { methodBadge } from '../markdown/markdown.ts';
import { type DocsPart, type DocsSite, hasPage, type NavEntry, pageHref } from './docs-site.ts';

/**
 * Renders the links to the pages of one part. The pages below an entry are shown on the page of the entry and on these pages, or always if
 * no other entry of the section has pages below it.
 */
export function pageTree(current: string, part: DocsPart, site: DocsSite): Markup {
  const lists = site.sections
    .filter((section) => section.part === part)
    .flatMap(({ title, entries }) => {
      const parents = entries.filter(({ children }) => children.length > 0);
      const open = parents.filter((entry) => parents.length === 1 || hasPage(entry, current));
      const groups = open.flatMap(({ children }) => [...Map.groupBy(children, ({ group }) => group)]);
      return [[title, entries] as const, ...groups];
    });
  return html`${lists.map(([title, entries], at) => {
    const id = `tree-${at}`;
    return html`<p id="${id}">${title}</p>
<ul aria-labelledby="${id}">
${entries.map((entry) => html`<li>${treeLink(entry, current, site)}</li>\n`)}</ul>
`;
  })}`;
}

function treeLink({ name, label }: NavEntry, current: string, site: DocsSite): Markup {
  const [, method] = /^`(GET|POST|PATCH|DELETE) /m.exec(site.pages.get(name)?.markdown ?? '') ?? [];
  const isCode = /^(?:errors|reasons)\//.test(name);
  const text = isCode ? html`<code>${name.slice(name.indexOf('/') + 1)}</code>` : html`<span>${label}</span>`;
  const badge = method === undefined || !name.includes('/') ? '' : methodBadge(method);
  return html`<a href="${pageHref(name, site)}"${name === current ? new Markup(' aria-current="page"') : ''}>${badge}${text}</a>`;
}
