import type { Position } from '../../shared/core/cursor.ts';
import type { RowPage } from '../../shared/store/page.ts';

const PAGES_MAX = 1000;

/** Returns every page of a list. */
export async function allPages<T>(read: (after: Position | null) => Promise<RowPage<T>>): Promise<T[][]> {
  const pages: T[][] = [];
  let after: Position | null = null;
  do {
    if (pages.length === PAGES_MAX) throw new Error('The list does not end');
    const page: RowPage<T> = await read(after);
    pages.push(page.rows);
    after = page.next;
  } while (after !== null);
  return pages;
}
