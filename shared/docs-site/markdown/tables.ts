import type { Tokens } from 'marked';
import { iconSvg } from '../../core/look/icons.ts';
import { html, Markup } from '../../core/text/markup.ts';
import { COPY_BUTTON } from './code-blocks.ts';
import { textOfTokens } from './text-of-tokens.ts';

interface Cell {
  text: string;
  /** Renders the cell. A table that needs only the text does not call this, so that the cell does not use up the link to a term. */
  html(): Markup;
  tokens: Tokens.TableCell['tokens'];
}

/** The parts of a page that a table needs. */
interface TableContext {
  inline(tokens: Tokens.TableCell['tokens']): string;
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
export function renderTable(table: Tokens.Table, context: TableContext): Markup {
  const cellOf = ({ tokens }: Tokens.TableCell): Cell => ({
    text: textOfTokens(tokens),
    html: () => new Markup(context.inline(tokens)),
    tokens,
  });
  const rows = table.rows.map((cells) => cells.map(cellOf));
  const heads = table.header.map(({ tokens }) => textOfTokens(tokens));
  const [first = '', second = ''] = heads;
  if (['Field', 'Parameter'].includes(first) && heads.includes('Type')) return fieldList(heads, rows);
  const isOfLinks = rows.every(([cell]) => cell?.tokens[0]?.type === 'link');
  if (first === 'Code' && second === 'Status' && isOfLinks) return codeList(rows, context);
  if (first === 'Property' && second === 'Value') return propertyList(rows, context.code);
  const body = rows.map((cells) => {
    const id = context.idOf(cells[0]?.text ?? '');
    return html`<tr${new Markup(id === '' ? '' : ` id="${id}"`)}>${cells.map((cell, at) => dataCell(cell, at === 0 || heads.length === 2 ? '' : (heads[at] ?? '')))}</tr>\n`;
  });
  return html`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${body}</tbody>
</table></div>
`;
}

function dataCell(cell: Cell, head: string): Markup {
  return head === '' ? html`<td>${cell.html()}</td>` : html`<td data-th="${head}">${cell.html()}</td>`;
}

interface Field {
  path: string;
  /** The name below the parent, such as `hint` of `status_detail.hint`. */
  name: string;
  cells: Partial<Record<string, Cell>>;
  children: Field[];
}

/** Renders fields as a list. The fields of an object are folded below it. */
function fieldList(heads: readonly string[], rows: readonly Cell[][]): Markup {
  const roots: Field[] = [];
  const open: Field[] = [];
  for (const cells of rows) {
    const path = cells[0]?.text ?? '';
    while (open.length > 0 && !/^(?:\[\])?\./.test(restOf(path, open.at(-1)))) open.pop();
    const parent = open.at(-1);
    const name = restOf(path, parent).replace(/^(?:\[\])?\./, '');
    const field = {
      path,
      name,
      cells: Object.fromEntries(heads.map((head, at) => [head, cells[at]])),
      children: [],
    };
    (parent?.children ?? roots).push(field);
    open.push(field);
  }
  return html`<dl class="fields">${roots.map(fieldItem)}</dl>
`;
}

function restOf(path: string, parent: Field | undefined): string {
  if (parent === undefined) return path;
  return path.startsWith(parent.path) ? path.slice(parent.path.length) : '';
}

/** A list of more values than these stands below the field, and not beside its name. */
const VALUES_BESIDE_NAME = 3;

function fieldItem({ name, path, cells, children }: Field): Markup {
  const { Type: type, Meaning: meaning } = cells;
  const values = type?.tokens.filter((token) => token.type === 'codespan') ?? [];
  const isLong = values.length > VALUES_BESIDE_NAME;
  const rule = (cells['Rule'] ?? cells['In'])?.text ?? '';
  const limits = rule
    .split(', ')
    .filter((part) => part !== 'required' && part !== '–')
    .join(', ');
  const kind = isLong ? html`one of ${values.length}` : (type?.html() ?? '');
  return html`<div><dt><code>${name}</code><span>${kind}${limits === '' ? '' : `, ${limits}`}</span>${
    rule.includes('required') ? html`<em>required</em>` : ''
  }</dt><dd>${meaning?.html() ?? ''}</dd>${isLong ? html`<dd class="values">${type?.html() ?? ''}</dd>` : ''}${
    children.length === 0
      ? ''
      : html`<dd><details><summary>${children.length} field${children.length === 1 ? '' : 's'}<span class="hidden"> of ${path}</span></summary>
<dl class="fields">${children.map(fieldItem)}</dl></details></dd>`
  }</div>
`;
}

/** Renders codes with their statuses as a list of links. */
function codeList(rows: readonly Cell[][], context: TableContext): Markup {
  const items = rows.map(([code, status, meaning]) => {
    const href = context.hrefOf((code?.tokens[0] as Tokens.Link | undefined)?.href ?? '');
    return html`<li><a href="${href ?? '#'}"><span class="num">${status?.text ?? ''}</span><b class="mono">${code?.text ?? ''}</b><small>${meaning?.text ?? ''}</small></a></li>
`;
  });
  return html`<ul class="errs">${items}</ul>
`;
}

/** Renders the properties of an error code or a status reason: the code in a box, what to do, then the others. */
function propertyList(rows: readonly Cell[][], errorCode: string | null): Markup {
  const valueNamed = (name: string) => rows.find(([head]) => head?.text === name)?.[1];
  const codeIn = (cell: Cell | undefined) => textOfTokens((cell?.tokens ?? []).slice(0, 1));
  const badge = valueNamed('HTTP status')?.text.split(' ')[0] ?? codeIn(valueNamed('Severity'));
  const facts = rows.filter(([head]) => head?.text !== 'What to do');
  return html`<div class="call"><span class="method">${badge}</span> <code>${errorCode ?? codeIn(valueNamed('Code'))}</code>${new Markup(COPY_BUTTON)}</div>
<div class="say good">${new Markup(iconSvg('check'))}<p><b>What to do.</b> ${valueNamed('What to do')?.html() ?? ''}</p></div>
<dl class="facts">${facts.map(([head, value]) => html`<dt>${head?.text ?? ''}</dt><dd>${value?.html() ?? ''}</dd>`)}</dl>
`;
}
