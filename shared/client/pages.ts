import type { CallOptions } from './request.ts';

/** A page of a list endpoint (`docs/api.md#operations`). */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Yields every item of a list, newest first. Requests the next page only when all items of the previous page are used up. */
export async function* allPages<T, Q extends { cursor?: string | undefined }>(
  list: (query: Q, call?: CallOptions) => Promise<Page<T>>,
  query: Q,
  call?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null | undefined = query.cursor;
  do {
    const page = await list(typeof cursor === 'string' ? { ...query, cursor } : query, call);
    yield* page.data;
    // Stops if the server returns the same cursor again, because otherwise the loop would never end.
    if (page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  } while (typeof cursor === 'string');
}
