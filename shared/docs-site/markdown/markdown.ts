import { Marked, type RendererThis, type Token, type Tokens } from 'marked';
import { stateDiagram } from '../../core/domains/state-edges.ts';
import { iconSvg } from '../../core/look/icons.ts';
import { escapeHtml, html, Markup } from '../../core/text/markup.ts';
import { stateFigure } from '../site/state-figure.ts';
import { COPY_BUTTON, groupTabs, renderCode, renderTabs, type TabGroup } from './code-blocks.ts';
import { callOf, separateSamples, titleBySentence } from './page-blocks.ts';
import { renderTable } from './tables.ts';
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
  /** Whether the page belongs to the reference, whose samples stand beside the text. */
  isReference?: boolean;
}

export interface RenderedMarkdown {
  /** A whole guide, or the introduction of a reference page. */
  intro: Markup;
  /** The samples of a reference page, which stand beside its text. */
  samples: Markup;
  rest: Markup;
  /** The headings of the second and third level, for the page's list of headings. */
  headings: { id: string; title: string; depth: number }[];
}

/** Renders a page as HTML. Raw HTML is shown as text. The state diagram, which is Mermaid code in the file, becomes a picture. */
export function renderMarkdown(text: string, targets: MarkdownTargets): RenderedMarkdown {
  const headings: RenderedMarkdown['headings'] = [];
  const nextAnchor = createAnchors();
  /** Greater than zero inside a heading or a link, where a term must not become a link. */
  let depthOfLinks = 0;
  let tabGroups = 0;

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
    const numbered = label.replace(/^(\d+)\. /, '<span class="step">$1<span class="hidden">. </span></span>');
    return `<h${depth} id="${id}">${numbered}<a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(words)}”">#</a></h${depth}>\n`;
  }

  const marked: Marked = new Marked({
    async: false,
    gfm: true,
    extensions: [{ name: 'tabs', renderer: (token) => renderTabs(token as TabGroup, ++tabGroups) }],
    renderer: {
      html: ({ text: raw }: Tokens.HTML | Tokens.Tag) => commentOf(raw, targets) ?? escapeHtml(raw),
      image({ href, text: alternative }) {
        const picture = targets.pictureOf(href);
        if (picture === null) return escapeHtml(alternative);
        const { src, ...size } = picture;
        const shown = `<img src="${escapeHtml(src)}"${sizeOf(size)} alt="${escapeHtml(alternative)}">`;
        // A wide picture would be unreadable on a phone, so it may have a narrow one beside it.
        const narrow = targets.pictureOf(href.replace(/(?=\.\w+$)/, '-narrow'));
        if (narrow === null) return shown;
        return `<picture><source media="(max-width: 40rem)" srcset="${escapeHtml(narrow.src)}"${sizeOf(narrow)}>${shown}</picture>`;
      },
      heading,
      link(token) {
        const call = callOf(token);
        const label = withoutTerms(() =>
          call === null ? this.parser.parseInline(token.tokens) : shownCall(call),
        );
        const address = targets.hrefOf(token.href);
        return address === null ? label : `<a href="${escapeHtml(address)}">${label}</a>`;
      },
      text(token) {
        if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
        return depthOfLinks > 0 ? escapeHtml(token.text) : targets.linkTerms(token.text);
      },
      paragraph(token) {
        const call = callOf(token);
        if (call !== null) return `<div class="call">${shownCall(call)}${COPY_BUTTON}</div>\n`;
        return token.tokens.length === 0 ? '' : `<p>${this.parser.parseInline(token.tokens)}</p>\n`;
      },
      list({ items }) {
        const parts = items.map((item) => (item.tokens[0] as Tokens.Text | undefined)?.tokens ?? []);
        if (!parts.every(([term]) => term?.type === 'strong' && term.raw.endsWith(':**'))) return false;
        const facts = parts.map(
          ([term, ...meaning]) =>
            `<dt>${escapeHtml((term as Tokens.Strong).text.slice(0, -1))}</dt><dd>${this.parser.parseInline(meaning)}</dd>`,
        );
        return `<dl class="facts">${facts.join('')}</dl>\n`;
      },
      blockquote({ tokens }) {
        return `<div class="say work">${iconSvg('info')}<div>${this.parser.parse(tokens)}</div></div>\n`;
      },
      code: ({ text: code, lang, label }: Tokens.Code & { label?: string }) =>
        lang === 'mermaid' && code === stateDiagram() ? stateFigure().text : renderCode(code, lang, label),
      table(token) {
        const inline = (tokens: Token[]) => this.parser.parseInline(tokens);
        const idOf = (firstCell: string) => (targets.hasRowIds ? anchorOf(firstCell) : '');
        return renderTable(token, { inline, hrefOf: targets.hrefOf, idOf, code }).text;
      },
    },
  });
  const tokens = groupTabs(marked.lexer(text));
  const code = targets.isReference ? titleBySentence(tokens) : null;
  const guide = { intro: tokens, samples: [], rest: [] };
  const { intro, samples, rest } = targets.isReference ? separateSamples(tokens) : guide;
  const render = (part: Token[]) => new Markup(marked.parser(part));
  return { intro: render(intro), samples: render(samples), rest: render(rest), headings };
}

function sizeOf({ width, height }: { width: number; height: number }): string {
  return ` width="${width}" height="${height}"`;
}

function shownCall({ method, path }: { method: string; path: string }): string {
  return methodBadge(method).text + html` <code>${path}</code>`.text;
}

/** The badge of an HTTP method. Its colour says whether the request reads, creates, changes or deletes. */
export function methodBadge(method: string): Markup {
  const tones: Partial<Record<string, string>> = { GET: 'work', POST: 'good', PATCH: 'wait', DELETE: 'bad' };
  return html`<span class="method ${tones[method] ?? 'quiet'}">${method}</span>`;
}

/**
 * Returns the HTML that replaces a comment. It is empty for most comments, which are markers for tools. Returns null for HTML that is not a
 * comment.
 */
function commentOf(raw: string, { markOf }: MarkdownTargets): string | null {
  const [, comment] = /^<!--([^>]*)-->\s*$/.exec(raw) ?? [];
  return comment === undefined ? null : (markOf?.(comment.trim()) ?? '');
}
