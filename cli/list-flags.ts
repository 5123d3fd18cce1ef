import { boolean, integer, string } from '@oclif/core/flags';
import type { Page } from '../shared/client/pages.ts';
import type { Output } from './output.ts';
import { shellQuote } from './shell-quote.ts';
import type { Column } from './table.ts';

/** The flags of every list, how they are fetched, and how a page is shown with the command for the next one. */
export const listFlags = {
  limit: integer({ summary: 'How many, 1 to 100', min: 1, max: 100, helpValue: '<n>' }),
  cursor: string({
    summary: 'Where the page starts, as the page before said',
    helpValue: '<cursor>',
    exclusive: ['all'],
  }),
  all: boolean({ summary: 'Every page' }),
};

interface ListFlags {
  limit?: number | undefined;
  cursor?: string | undefined;
  all: boolean;
}

interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** One page, or with `--all` every page as one. `--limit` is then the size of a request. */
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

/** Prints a page as a table, or says that there is nothing. */
export function showPage<T>(
  output: Output,
  page: Page<T>,
  columns: readonly Column<T>[],
  command: ListCommand & { none: string },
): void {
  output.result(page, () => {
    if (page.data.length === 0) return [command.none];
    const next = nextPageLine(page, command);
    return [...output.table(page.data, columns), ...(next === null ? [] : ['', next])];
  });
}

/** The same command line with the next cursor in place of its own; null on the last page. */
export function nextPageLine({ next_cursor }: Page<unknown>, { id, argv }: ListCommand): string | null {
  if (next_cursor === null) return null;
  const kept = argv.filter((word, index) => !/^--cursor(=|$)/.test(word) && argv[index - 1] !== '--cursor');
  const words = ['nameplate', ...(id ?? '').split(':'), ...kept, '--cursor', next_cursor];
  return `Next page: ${shellQuote(words)}`;
}
