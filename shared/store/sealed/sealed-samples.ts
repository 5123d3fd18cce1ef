import { sql } from 'kysely';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';

/** An encrypted text of a table, with the columns that identify its owner. */
export type SealedSample = Readonly<Record<string, string>> & { sealed: string };

/** A column that contains encrypted texts. */
export interface SealedColumn {
  table: keyof Tables;
  column: string;
  /** The encryption of a text is bound to the values of these columns, as additional authenticated data. */
  belongsTo: readonly string[];
}

/**
 * Reads one text of a column for each encryption key that was used in the column. Jumps from key to key along the index, so the cost does
 * not depend on the number of rows. An encrypted text starts with the id of its key and a dot.
 */
export async function sampleSealed(
  store: Store,
  { table, column, belongsTo }: SealedColumn,
): Promise<SealedSample[]> {
  // The indexes contain the first 17 characters (`migrations/initial/accounts.ts`), because an id has at most 16.
  const start = sql`substr(${sql.ref(column)}, 1, 17)`;
  const columns = sql.join(belongsTo.map((name) => sql.ref(name)));
  const samples: SealedSample[] = [];
  for (let after = ''; ; ) {
    const { rows } = await sql<SealedSample>`
      select ${sql.ref(column)} as sealed, ${columns} from ${sql.table(table)}
      where ${start} > ${after} order by ${start} limit 1`.execute(store.db);
    const [sample] = rows;
    if (sample === undefined) return samples;
    samples.push(sample);
    // `/` is the character after the dot in ASCII, so the next query skips all texts of this key.
    after = `${keyIdOf(sample.sealed)}/`;
  }
}

/** Returns the id of the key with which a text is encrypted. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.', 1)[0] ?? '';
}
