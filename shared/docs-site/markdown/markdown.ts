import { Marked, type RendererThis, type Tokens } from 'marked';
import { stateDiagram } from '../../core/domains/state-edges.ts';
import { escapeHtml, Markup } from '../../core/text/markup.ts';
import { stateFigure } from '../site/state-figure.ts';
import { groupTabs, renderCode, renderTabs, type TabGroup } from './code-blocks.ts';
import { anchorOf, createAnchors, textOfTokens } from './text-of-tokens.ts';

/** Functions that resolve the links, pictures and terms of a page. */
export interface MarkdownTargets {
  /** Returns the URL of a link, or null to show only the link's text. */
  hrefOf(href: string): string | null;
  /** Returns the URL and size of a picture, or null to show the alternative text. */
  pictureOf(href: string): { src: string; width: number; height: number } | null;
  /** Escapes a text, and may turn words of the text into links. */
  linkTerms(text: string): string;
  /** Renders the element that a comment such as `<!-- try: … -->` stands for. */
  markOf?: (comment: string) => string;
  /** Whether the rows of tables have ids, derived from their first cells. */
  hasRowIds?: boolean;
}

export interface RenderedMarkdown {
  html: Markup;
  /** The headings of the second and third level, for the page's list of headings. */
  headings: { id: string; title: string; depth: number }[];
}

/** Renders a page as HTML. Raw HTML is shown as text. The state diagram, which is Mermaid code in the file, becomes a picture. */
export function renderMarkdown(text: string, targets: MarkdownTargets): RenderedMarkdown {
  const headings: RenderedMarkdown['headings'] = [];
  const nextAnchor = createAnchors();
  /** Greater than zero inside a heading or a link, where a term must not become a link. */
  let depthOfLinks = 0;

  function withoutTerms(render: () => string): string {
    depthOfLinks++;
    const rendered = render();
    depthOfLinks--;
    return rendered;
  }

  function heading(this: RendererThis, { tokens, depth, text: title }: Tokens.Heading): string {
    const id = nextAnchor(title);
    const words = textOfTokens(tokens);
    if (depth === 2 || depth === 3) headings.push({ id, title: words, depth });
    const label = withoutTerms(() => this.parser.parseInline(tokens));
    if (depth === 1) return `<h1 id="${id}">${label}</h1>\n`;
    return `<h${depth} id="${id}">${label}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(words)}”">#</a></h${depth}>\n`;
  }

  function table(this: RendererThis, { header, rows }: Tokens.Table): string {
    const row = (cells: Tokens.TableCell[], tag: string, id: string) =>
      `<tr${id}>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag.split(' ')[0]}>`).join('')}</tr>\n`;
    const idOf = ([first]: Tokens.TableCell[]) =>
      targets.hasRowIds ? ` id="${anchorOf(textOfTokens(first?.tokens ?? []))}"` : '';
    const head = withoutTerms(() => row(header, 'th scope="col"', ''));
    const body = rows.map((cells) => row(cells, 'td', idOf(cells))).join('');
    return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>\n<thead>${head}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
  }

  const marked = new Marked({
    async: false,
    gfm: true,
    hooks: { processAllTokens: groupTabs },
    extensions: [{ name: 'tabs', renderer: (token) => renderTabs(token as TabGroup) }],
    renderer: {
      html: ({ text: raw }: Tokens.HTML | Tokens.Tag) => commentOf(raw, targets) ?? escapeHtml(raw),
      image({ href, text: alternative }) {
        const picture = targets.pictureOf(href);
        if (picture === null) return escapeHtml(alternative);
        const { src, width, height } = picture;
        return `<img src="${escapeHtml(src)}" width="${width}" height="${height}" alt="${escapeHtml(alternative)}">`;
      },
      heading,
      link({ href, tokens }) {
        const label = withoutTerms(() => this.parser.parseInline(tokens));
        const address = targets.hrefOf(href);
        return address === null ? label : `<a href="${escapeHtml(address)}">${label}</a>`;
      },
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
        return depthOfLinks > 0 ? escapeHtml(token.text) : targets.linkTerms(token.text);
      },
      code: ({ text: code, lang }) =>
        lang === 'mermaid' && code === stateDiagram() ? stateFigure().text : renderCode(code, lang),
      table,
    },
  });
  return { html: new Markup(marked.parse(text, { async: false })), headings };
}

/**
 * Returns the HTML that replaces a comment. It is empty for most comments, which are markers for tools. Returns null for HTML that is not a
 * comment.
 */
function commentOf(raw: string, { markOf }: MarkdownTargets): string | null {
  const [, comment] = /^<!--([^>]*)-->\s*$/.exec(raw) ?? [];
  return comment === undefined ? null : (markOf?.(comment.trim()) ?? '');
}
