import { type RawBuilder, sql } from 'kysely';
import type { JobKind } from '../../core/domains/job.ts';

/**
 * Combines one query for each kind of job. The index is sorted by kind and time, so a query for one kind never reads the overdue jobs of
 * other kinds.
 */
export function unionOfKinds(
  kinds: readonly JobKind[],
  read: (kind: JobKind) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    kinds.map((kind) => sql`select * from (${read(kind)}) of_kind`),
    sql` union all `,
  );
}
