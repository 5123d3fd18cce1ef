import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { replicaFile } from '../../../service/edge/replica/replica-file.ts';

const PAGE = 10_000;

/** Returns the keys whose version in a replica differs from the version in the table. An empty list means that the two are equal. */
export async function replicaDifferences(folder: string, databaseUrl: string): Promise<string[]> {
  using replica = new DatabaseSync(replicaFile(folder), { readOnly: true });
  const page = replica.prepare(
    'select key, epoch, number from names join stored on stored.id = names.id where key > ? order by key limit ?',
  );
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const differences: string[] = [];
  try {
    for (let after = ''; ; ) {
      const { rows } = await client.query(
        `select key collate "C" as key, epoch::int, number::text from edge_values
        where value is not null and key collate "C" > $1 order by key collate "C" limit ${PAGE}`,
        [after],
      );
      const last = rows.length < PAGE ? '\u{10FFFF}' : rows.at(-1)?.key;
      const stored = new Set(rows.map(({ key, epoch, number }) => `${key} ${epoch} ${number}`));
      const copied = new Set<string>();
      for (let from = after; from < last; ) {
        const found = page.all(from, PAGE) as { key: string; epoch: number; number: number }[];
        for (const { key, epoch, number } of found) if (key <= last) copied.add(`${key} ${epoch} ${number}`);
        from = found.length < PAGE ? last : (found.at(-1)?.key ?? last);
      }
      differences.push(
        ...[...stored, ...copied].filter((version) => !stored.has(version) || !copied.has(version)),
      );
      if (rows.length < PAGE) return differences;
      after = last;
    }
  } finally {
    await client.end();
  }
}
