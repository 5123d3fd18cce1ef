/** Section 4: what every list endpoint answers. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Walks every page of a list, newest first; one request a page, made only when the page before is used up. */
export async function* allPages<T, Q extends { cursor?: string | undefined }>(
  list: (query: Q) => Promise<Page<T>>,
  query: Q,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null | undefined = query.cursor;
  do {
    const page = await list(typeof cursor === 'string' ? { ...query, cursor } : query);
    yield* page.data;
    // A server that answers with the cursor it was asked with would be walked for ever.
    if (page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  } while (typeof cursor === 'string');
}
