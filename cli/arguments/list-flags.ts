import { boolean, integer, string } from '@oclif/core/flags';
import type { Page } from '../../shared/client/pages.ts';
import { csvCell } from '../../shared/core/text/csv-cell.ts';
import { type FieldsOf, fieldColumns } from '../output/field-columns.ts';
import type { Output } from '../output/output.ts';
import { plainTime, shellQuote } from '../output/plain-text.ts';
import type { TableColumn } from '../output/table.ts';

/** The flags of every list command. */
export const listFlags = {
  limit: integer({ summary: 'Items per page, 1 to 100', min: 1, max: 100, helpValue: '<n>' }),
  cursor: string({
    summary: 'Start of the page, from the previous page',
    helpValue: '<cursor>',
    exclusive: ['all'],
  }),
  all: boolean({ summary: 'Fetch every page' }),
  columns: string({
    summary: 'Fields to show; use dots for fields inside objects',
    helpValue: 'id,created_at,…',
  }),
  csv: boolean({ summary: 'Print comma-separated values', exclusive: ['json'] }),
};

interface ListFlags {
  limit?: number | undefined;
  cursor?: string | undefined;
  all: boolean;
  columns?: string | undefined;
  csv?: boolean | undefined;
}

interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** Fetches one page or, with `--all`, every page as if it were one. With `--all`, `--limit` sets the size of each request. */
export async function fetchPage<T, Q extends object>(
  source: {
    list: (query: Q & PageQuery) => Promise<Page<T>>;
    all: (query: Q & PageQuery) => AsyncIterable<T>;
  },
  flags: ListFlags,
  query: Q,
): Promise<Page<T>> {
  const { all, limit, cursor } = flags;
  if (all) {
    const data: T[] = [];
    for await (const one of source.all({ ...query, limit: limit ?? 100 })) data.push(one);
    return { data, next_cursor: null };
  }
  return source.list({
    ...query,
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  });
}

/** The command line that fetched a page. */
interface ListCommand {
  id: string | undefined;
  argv: readonly string[];
}

interface Shown<T> extends ListCommand {
  flags: ListFlags;
  /** The columns to show. */
  columns: readonly TableColumn<T>[];
  /** The line to print if the list is empty. */
  none: string;
}

/** Returns the columns that `--columns` names, or the default ones. Called before the first request. @throws CliError `usage` */
export function chosenColumns<T extends object>(
  { columns }: ListFlags,
  byDefault: readonly TableColumn<T>[],
  fields: FieldsOf<T>,
): readonly TableColumn<T>[] {
  return columns === undefined ? byDefault : fieldColumns(columns, fields);
}

/** With several filters, the server may examine a page of rows without a match. */
const NONE_ON_THIS_PAGE = 'None on this page.';

/** Prints a page as a table or as CSV, then the command for the next page. */
export function showPage<T>(output: Output, page: Page<T>, shown: Shown<T>): void {
  const { flags, columns, none } = shown;
  const next = nextPageLine(page, shown);
  if (flags.csv) {
    output.result(page, () => csvLines(page.data, columns));
    if (next !== null) output.note(next);
    return;
  }
  output.result(page, () => {
    if (page.data.length === 0) return next === null ? [none] : [NONE_ON_THIS_PAGE, '', next];
    return [...output.table(page.data, columns), ...(next === null ? [] : ['', next])];
  });
}

/** Returns the command line with the next page's cursor, or null on the last page. */
function nextPageLine({ next_cursor }: Page<unknown>, { id, argv }: ListCommand): string | null {
  if (next_cursor === null) return null;
  const kept = argv.filter((word, index) => !/^--cursor(=|$)/.test(word) && argv[index - 1] !== '--cursor');
  const words = ['nameplate', ...(id ?? '').split(':'), ...kept, '--cursor', next_cursor];
  return `Next page: ${shellQuote(words)}`;
}

/** Formats rows as CSV (RFC 4180) with a header line. An empty cell means null. */
export function csvLines<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string[] {
  const head = columns.map(({ name }) => cell(name));
  const body = rows.map((row) =>
    columns.map(({ value, isTime }) => cell(isTime ? csvTime(value(row)) : value(row))),
  );
  return [head, ...body].map((cells) => cells.join(','));
}

function csvTime(value: unknown): string | null {
  return typeof value === 'string' ? plainTime(value) : null;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return csvCell(
    typeof value === 'number' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
}
