import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { runTogether, type Statement } from './run-together.ts';
import type { Store, Tx } from './store.ts';
import type { Tables } from './tables.ts';

type Value = string | number | null;
type Columns<C extends string> = Readonly<Record<C, 'text' | 'bigint'>>;
type Row<C extends string> = Readonly<Record<C, Value>>;

/**
 * Returns rows as a table `given` that a query can select from. All rows are passed in one parameter, so the text of the statement is the
 * same for any number of rows.
 */
export function rowList<C extends string>(
  store: Store,
  columns: Columns<C>,
  rows: readonly Row<NoInfer<C>>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns) as C[];
  // `JSON.stringify` writes only the fields in this list of names, and not, for example, the body of an event.
  const json = JSON.stringify(rows, names);
  if (store.flags.jsonRecords) {
    const typed = names.map((name) => sql`${sql.ref(name)} ${sql.raw(columns[name])}`);
    return sql`json_to_recordset(${json}::json) as given(${sql.join(typed)})`;
  }
  const read = names.map((name) => sql`json_extract(value, ${sql.lit(`$.${name}`)}) as ${sql.ref(name)}`);
  return sql`(select ${sql.join(read)} from json_each(${json})) as given`;
}

/**
 * Returns the condition that a column has one of these values. Postgres looks up each value in the column's index. With a join of
 * `rowList`, it could read the whole table.
 */
export function isOneOf(store: Store, column: string, values: readonly string[]): RawBuilder<SqlBool> {
  const json = JSON.stringify(values);
  return store.flags.jsonRecords
    ? sql`${sql.ref(column)} = any(array(select json_array_elements_text(${json}::json)))`
    : sql`${sql.ref(column)} in (select value from json_each(${json}))`;
}

/** Updates several rows to different values in one statement. @param keys the columns that identify a row. */
export async function updateRows<C extends string>(
  tx: Tx,
  table: keyof Tables,
  keys: readonly NoInfer<C>[],
  columns: Columns<C>,
  rows: readonly Row<NoInfer<C>>[],
): Promise<void> {
  await runTogether(tx, ...rowsUpdate(tx, table, keys, columns, rows));
}

/** Returns the statement that `updateRows` runs. Returns no statement if there are no rows. */
export function rowsUpdate<C extends string>(
  tx: Tx,
  table: keyof Tables,
  keys: readonly NoInfer<C>[],
  columns: Columns<C>,
  rows: readonly Row<NoInfer<C>>[],
): Statement[] {
  if (rows.length === 0) return [];
  const names = Object.keys(columns) as C[];
  const given = (name: C) => sql.ref(`given.${name}`);
  const set = names
    .filter((name) => !keys.includes(name))
    .map((name) => sql`${sql.ref(name)} = ${given(name)}`);
  const found = keys.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${given(name)}`);
  const update = sql`
    update ${sql.table(table)} set ${sql.join(set)} from ${rowList(tx, columns, rows)}
    where ${sql.join(found, sql` and `)}`;
  return [update.compile(tx.db)];
}
