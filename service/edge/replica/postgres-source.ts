import { edgeKey, type SealedValue } from '../../../shared/core/edge/edge-value.ts';
import type { Notice, Notices } from '../../../shared/ports/system.ts';
import { currentMark, type Mark } from '../../../shared/store/commit-order.ts';
import {
  type DeletedValue,
  type EdgeChanges,
  findEdgeValues,
  findInstallation,
  listEdgeChanges,
  listEdgeDeletions,
  listEdgeValues,
  listEdgeVersions,
} from '../../../shared/store/edge/edge-values.ts';
import type { Store } from '../../../shared/store/store.ts';
import type { ValueSource } from './value-source.ts';

const PAGE = 500;
const KINDS: ReadonlySet<Notice['kind']> = new Set(['route', 'routes', 'hold', 'challenge', 'drain', 'gap']);

/** Creates the source that reads the table `edge_values`. @param page the number of values in a statement. */
export function createPostgresSource(store: Store, notices: Notices, page = PAGE): ValueSource {
  /** Reads the pages of a list. @param next reads the page after a row. */
  async function* pagesOf<Row>(
    next: (last: Row | undefined) => Promise<Row[]>,
    limit = page,
  ): AsyncGenerator<Row[]> {
    let rows: Row[] = [];
    do {
      rows = await next(rows.at(-1));
      if (rows.length > 0) yield rows;
    } while (rows.length === limit);
  }

  return {
    installation: () => findInstallation(store),
    mark: () => currentMark(store, 'edge_values'),
    async *changes(since) {
      let until: Mark | null = null;
      let rows: SealedValue[] = [];
      do {
        const range = { since, until };
        const read: EdgeChanges = await listEdgeChanges(store, range, {
          after: rows.at(-1)?.key ?? '',
          limit: page,
        });
        if (read.now.source !== since.source) return null;
        until ??= read.now;
        rows = read.rows;
        if (rows.length > 0) yield rows;
      } while (rows.length === page);
      return until;
    },
    values: () => pagesOf((last) => listEdgeValues(store, { after: last?.key ?? '', limit: page })),
    async *urgent(since) {
      yield* pagesOf<DeletedValue>((last) =>
        listEdgeDeletions(store, { since: last?.deleted_at ?? since, after: last?.key ?? '', limit: page }),
      );
      yield* pagesOf<SealedValue>((last) =>
        listEdgeValues(store, { after: last?.key ?? edgeKey('hold', ''), before: 'hold/', limit: page }),
      );
    },
    versions() {
      const limit = 10 * page;
      return pagesOf((last) => listEdgeVersions(store, { after: last?.key ?? '', limit }), limit);
    },
    find: (keys) => findEdgeValues(store, keys),
    subscribe: (listener) => notices.subscribe(({ kind }) => void (KINDS.has(kind) && listener([]))),
  };
}
