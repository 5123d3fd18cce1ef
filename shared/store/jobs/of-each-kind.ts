import { type RawBuilder, sql } from 'kysely';
import type { JobKind } from '../../core/domains/job.ts';

/** Jobs have one index, by kind and time: a read of each kind by itself never goes past what another kind is late with. */
export function ofEachKind(
  kinds: readonly JobKind[],
  read: (kind: JobKind) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    kinds.map((kind) => sql`select * from (${read(kind)}) of_kind`),
    sql` union all `,
  );
}
