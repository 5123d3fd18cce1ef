import type { Token, Tokens } from 'marked';
import { iconSvg } from '../../core/look/icons.ts';
import { html, Markup } from '../../core/text/markup.ts';
import { COPY_BUTTON } from './code-blocks.ts';
import { textOfTokens } from './text-of-tokens.ts';

/** The parts of a page that a table needs. */
interface TableContext {
  inline(tokens: Token[]): string;
  hrefOf(href: string): string | null;
  /** Returns the id of a row, or an empty string. */
  idOf(firstCell: string): string;
  /** The error code of the page, if it has one. */
  code: string | null;
}

/**
 * Renders a table. Three kinds become lists: fields with their types, codes with their statuses, and the properties of a code. On a phone, a
 * table becomes cards: the first cell is the title of its row, and `data-th` names the others if there are several.
 */
export function renderTable({ header, rows }: Tokens.Table, context: TableContext): Markup {
  const heads = header.map(({ tokens }) => textOfTokens(tokens));
  const [first = '', second = ''] = heads;
  const isOfLinks = rows.every(([cell]) => cell?.tokens[0]?.type === 'link');
  if (/^(?:Field|Parameter)$/.test(first) && heads.includes('Type')) return fieldList(heads, rows, context);
  if (first === 'Code' && second === 'Status' && isOfLinks) return codeList(rows, context);
  if (first === 'Property' && second === 'Value') return propertyList(rows, context);
  const body = rows.map((cells) => {
    const id = context.idOf(textOf(cells[0]));
    const shown = cells.map((cell, at) => {
      const isNamed = at > 0 && heads.length > 2;
      return html`<td${isNamed ? html` data-th="${heads[at] ?? ''}"` : ''}>${markupOf(cell, context)}</td>`;
    });
    return html`<tr${id === '' ? '' : html` id="${id}"`}>${shown}</tr>\n`;
  });
  return html`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${body}</tbody>
</table></div>
`;
}

type Cells = readonly Tokens.TableCell[];

const textOf = (cell: Tokens.TableCell | undefined) => textOfTokens(cell?.tokens ?? []);
const markupOf = (cell: Tokens.TableCell | undefined, { inline }: TableContext) =>
  new Markup(inline(cell?.tokens ?? []));

/** A list of more values than these stands below the field, and not beside its name. */
const VALUES_BESIDE_NAME = 3;

/** Renders fields as a list. The fields of an object, such as `dns.cname` of `dns`, are folded below it. */
function fieldList(
  heads: readonly string[],
  rows: readonly Cells[],
  context: TableContext,
  parent = '',
): Markup {
  const isBelow = (path: string, above: string) =>
    /^(?:\[\])?\./.test(path.slice(above.length)) && path.startsWith(above);
  const paths = rows.map(([cell]) => textOf(cell));
  const items = rows.flatMap((cells, at) => {
    const path = paths[at] ?? '';
    if (paths.some((other) => isBelow(path, other))) return [];
    const cellOf = (head: string) => cells[heads.indexOf(head)];
    const rule = textOf(cellOf('Rule') ?? cellOf('In'));
    const limits = rule.replace(/^–$|(?:, )?required(?:, )?/g, '');
    const type = markupOf(cellOf('Type'), context);
    const count = cellOf('Type')?.tokens.filter((token) => token.type === 'codespan').length ?? 0;
    const isLong = count > VALUES_BESIDE_NAME;
    const below = rows.filter((_, index) => isBelow(paths[index] ?? '', path));
    return html`<div><dt><code>${path.slice(parent.length).replace(/^(?:\[\])?\./, '')}</code><span>${isLong ? `one of ${count}` : type}${limits && `, ${limits}`}</span>${/\brequired\b/.test(rule) ? html`<em>required</em>` : ''}</dt><dd>${markupOf(cellOf('Meaning'), context)}</dd>${isLong ? html`<dd>${type}</dd>` : ''}${
      below.length === 0
        ? ''
        : html`<dd><details><summary>${below.length} field${below.length === 1 ? '' : 's'}<span class="hidden"> of ${path}</span></summary>
${fieldList(heads, below, context, path)}</details></dd>`
    }</div>
`;
  });
  return html`<dl class="fields">${items}</dl>\n`;
}

/** Renders codes with their statuses as a list of links. */
function codeList(rows: readonly Cells[], { hrefOf }: TableContext): Markup {
  const items = rows.map(([code, status, meaning]) => {
    const href = hrefOf((code?.tokens[0] as Tokens.Link | undefined)?.href ?? '') ?? '#';
    return html`<li><a href="${href}"><span class="num">${textOf(status)}</span><b class="mono">${textOf(code)}</b><small>${textOf(meaning)}</small></a></li>\n`;
  });
  return html`<ul class="errs">${items}</ul>\n`;
}

/** Renders the properties of an error code or a status reason: the code in a box, what to do, then the others. */
function propertyList(rows: readonly Cells[], context: TableContext): Markup {
  const valueNamed = (name: string) => rows.find(([head]) => textOf(head) === name)?.[1];
  const firstOf = (name: string) => textOfTokens((valueNamed(name)?.tokens ?? []).slice(0, 1));
  const badge = textOf(valueNamed('HTTP status')).split(' ')[0] || firstOf('Severity');
  const facts = rows
    .filter(([head]) => !['What to do', 'HTTP status'].includes(textOf(head)))
    .map(([head, value]) => html`<dt>${textOf(head)}</dt><dd>${markupOf(value, context)}</dd>`);
  return html`<div class="call"><span class="method">${badge}</span> <code>${context.code ?? firstOf('Code')}</code>${new Markup(COPY_BUTTON)}</div>
<div class="say good">${new Markup(iconSvg('check'))}<p><b>What to do.</b> ${markupOf(valueNamed('What to do'), context)}</p></div>
${facts.length === 0 ? '' : html`<dl class="facts">${facts}</dl>\n`}`;
}
