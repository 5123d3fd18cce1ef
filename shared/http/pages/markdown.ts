import { Marked, type Tokens } from 'marked';
import { stateDiagram } from '../../core/domains/state-diagram.ts';
import { escapeHtml, Markup } from '../../core/text/markup.ts';
import { stateFigure } from './state-figure.ts';

/**
 * Renders a guide as HTML. It shows raw HTML as text and replaces images with their alternative text. Links may lead to the web, within the
 * page, or to the address from `hrefOf`. It draws the state diagram, which is Mermaid in the file.
 * @param hrefOf returns the address of another guide by its file name (`webhooks.md`).
 */
export function renderMarkdown(text: string, hrefOf: (file: string) => string): Markup {
  const marked = new Marked({ async: false, gfm: true });
  marked.use({
    renderer: {
      // Comments are markers for tools that edit the file. Any other markup is shown as typed.
      html: ({ text: raw }: Tokens.HTML | Tokens.Tag) =>
        /^<!--[^>]*-->\s*$/.test(raw) ? '' : escapeHtml(raw),
      image: ({ text: alternative }) => escapeHtml(alternative),
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${anchorOf(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const address = addressOf(href, hrefOf);
        return address === null ? label : `<a href="${escapeHtml(address)}">${label}</a>`;
      },
      // With `tabindex`, the keyboard can scroll content that is too wide for a phone.
      code: ({ text: code, lang }) =>
        lang === 'mermaid' && code === stateDiagram()
          ? stateFigure().text
          : `<pre tabindex="0"><code>${escapeHtml(code)}\n</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[], open: string, close: string) =>
          `<tr>${cells.map(({ tokens }) => open + this.parser.parseInline(tokens) + close).join('')}</tr>\n`;
        const head = row(header, '<th scope="col">', '</th>');
        const body = rows.map((cells) => row(cells, '<td>', '</td>')).join('');
        return `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>\n<thead>${head}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
      },
    },
  });
  return new Markup(marked.parse(text, { async: false }));
}

/** Returns the id of a heading, as common markdown viewers derive it. */
function anchorOf(title: string): string {
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replace(/\s+/g, '-');
}

function addressOf(href: string, hrefOf: (file: string) => string): string | null {
  const [file = '', fragment] = href.split('#', 2);
  if (/^[a-z-]+\.md$/.test(file)) return fragment ? `${hrefOf(file)}#${fragment}` : hrefOf(file);
  return /^(?:https?:\/\/|[/#])/.test(href) ? href : null;
}
