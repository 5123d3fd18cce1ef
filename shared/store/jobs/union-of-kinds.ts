import { type RawBuilder, sql } from 'kysely';
import type { JobKind } from '../../core/domains/job.ts';

/**
 * Combines one query per kind. The jobs have one index, by kind and time, so a query per kind never reads past the overdue jobs of another
 * kind.
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
