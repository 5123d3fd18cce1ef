import { boolean, integer, string } from '@oclif/core/flags';
import type { Client } from '../../shared/client/client.ts';
import type { Page } from '../../shared/client/pages.ts';
import { csvCell } from '../../shared/core/text/printable.ts';
import { type FieldsOf, fieldColumns } from '../output/field-columns.ts';
import { plainTime, shellQuote } from '../output/plain-text.ts';
import type { TableColumn } from '../output/table.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import type { SettingsFlags } from '../settings/settings.ts';

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

/** The parts of a list's output that differ between commands. */
interface ListView<T> {
  /** The columns to print if the user gives no `--columns`. */
  columns: readonly TableColumn<T>[];
  /** The fields that `--columns` can name. */
  fields: FieldsOf<T>;
  /** The line to print if the list is empty. */
  none: string;
}

/** The API endpoint that returns the list, and the filters from the command line. */
interface ListSource<T, Q> {
  source: {
    list: (query: Q & PageQuery) => Promise<Page<T>>;
    all: (query: Q & PageQuery) => AsyncIterable<T>;
  };
  query: Q;
}

/** With several filters, the server may return an empty page that is not the last one. */
const NONE_ON_THIS_PAGE = 'None on this page.';

/** A command that prints a list and accepts `listFlags`. */
export abstract class ListCommand extends BaseCommand {
  /**
   * Prints one page as a table or as CSV, then the command line that prints the next page. With `--all`, prints all pages as one list, and
   * `--limit` sets the page size of the requests.
   * @param open returns the endpoint and the filters. Called after the flags were checked. @throws CliError `usage`
   */
  protected async list<T extends object, Q extends object>(
    flags: ListFlags & SettingsFlags,
    { columns: byDefault, fields, none }: ListView<T>,
    open: (client: Client) => ListSource<T, Q> | Promise<ListSource<T, Q>>,
  ): Promise<undefined> {
    const columns = flags.columns === undefined ? byDefault : fieldColumns(flags.columns, fields);
    const { client } = await this.connect(flags);
    const page = await fetchPage(await open(client), flags);
    const next = this.#nextPageLine(page);
    const { output } = this;
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

  /** Returns this command line with the next page's cursor, or null on the last page. */
  #nextPageLine({ next_cursor }: Page<unknown>): string | null {
    if (next_cursor === null) return null;
    const { id = '', argv } = this;
    const kept = argv.filter((word, index) => !/^--cursor(=|$)/.test(word) && argv[index - 1] !== '--cursor');
    return `Next page: ${shellQuote(['nameplate', ...id.split(':'), ...kept, '--cursor', next_cursor])}`;
  }
}

async function fetchPage<T, Q extends object>(
  { source, query }: ListSource<T, Q>,
  { all, limit, cursor }: ListFlags,
): Promise<Page<T>> {
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

/** Formats rows as CSV (RFC 4180) with a header line. An empty cell means null. */
function csvLines<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string[] {
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
