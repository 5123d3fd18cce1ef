import type pg from 'pg';

/**
 * Runs `work` with the planner's statistics of empty tables, as before the first `ANALYZE` after an import. Analyzes the tables afterwards.
 */
export async function withEmptyStatistics<T>(
  client: pg.Client,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const relations = `
    select oid from pg_class where oid = any($1::regclass[])
    union all select indexrelid from pg_index where indrelid = any($1::regclass[])`;
  await client.query(`delete from pg_statistic where starelid in (${relations})`, [tables]);
  await client.query(
    `update pg_class set relpages = 0, reltuples = 0, relallvisible = 0 where oid in (${relations})`,
    [tables],
  );
  try {
    return await work();
  } finally {
    await client.query(`analyze ${tables.join(', ')}`);
  }
}
