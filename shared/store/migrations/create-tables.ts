import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DialectFlags } from '../store.ts';
import type { NewColumn, NewTable } from './new-table.ts';

/** Creates tables in the form that the given database needs. */
export async function createTables(
  db: Kysely<unknown>,
  flags: DialectFlags,
  tables: readonly NewTable[],
): Promise<void> {
  for (const [table, key, columns] of tables) {
    let builder = db.schema.createTable(table).addPrimaryKeyConstraint(`${table}_pk`, [...key] as never[]);
    for (const [name, type, nullable] of columns) {
      builder = builder.addColumn(name, columnType(flags, type), (column) =>
        nullable === undefined ? column.notNull() : column,
      );
    }
    await builder.execute();
  }
}

function columnType(flags: DialectFlags, type: NewColumn[1]): RawBuilder<unknown> {
  const types = {
    id: flags.textType,
    text: flags.textType,
    instant: 'bigint',
    int: 'integer',
    serial: flags.serialType,
  };
  return sql.raw(types[type]);
}
