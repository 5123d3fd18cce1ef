import { createHash } from 'node:crypto';
import type { Domain } from '../../core/domains/domain.ts';
import { runTogether, type Statement } from '../run-together.ts';
import type { Tx } from '../store.ts';

/** Replaces a domain's metadata rows, which the filters of a list search. */
export async function writeMetadata(tx: Tx, domain: Domain): Promise<void> {
  await runTogether(tx, metadataDeletion(tx, domain), ...metadataInsertion(tx, domain));
}

export function metadataDeletion(tx: Tx, { id }: Pick<Domain, 'id'>): Statement {
  return tx.db.deleteFrom('domain_metadata').where('domain_id', '=', id).compile();
}

/** Returns the statement that inserts the metadata of a domain, if it has any. */
export function metadataInsertion(tx: Tx, domain: Domain): Statement[] {
  const { id: domainId, app_id, mode, created_at } = domain;
  const rows = Object.entries(domain.metadata ?? {}).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [{ domain_id: domainId, entry: metadataEntry(key, value), app_id, mode, created_at }]
      : [],
  );
  return rows.length === 0 ? [] : [tx.db.insertInto('domain_metadata').values(rows).compile()];
}

/** Returns a digest of a key and its value, because Postgres cannot index the longest values that metadata allows. */
export function metadataEntry(key: string, value: string): string {
  return createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('base64url');
}
