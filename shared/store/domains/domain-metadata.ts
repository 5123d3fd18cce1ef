import { createHash } from 'node:crypto';
import type { Domain } from '../../core/domains/domain.ts';
import type { Store } from '../store.ts';

/** Replaces the metadata rows that the list filters match. */
export async function writeMetadata(store: Store, domain: Domain): Promise<void> {
  await deleteMetadata(store, domain);
  await insertMetadata(store, domain);
}

export async function deleteMetadata(store: Store, { id }: Pick<Domain, 'id'>): Promise<void> {
  await store.db.deleteFrom('domain_metadata').where('domain_id', '=', id).execute();
}

export async function insertMetadata(store: Store, domain: Domain): Promise<void> {
  const { id: domainId, app_id, mode, created_at } = domain;
  const rows = Object.entries(domain.metadata ?? {}).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [{ domain_id: domainId, entry: metadataEntry(key, value), app_id, mode, created_at }]
      : [],
  );
  if (rows.length > 0) await store.db.insertInto('domain_metadata').values(rows).execute();
}

/** Returns a digest of a key and its value, because Postgres cannot index the longest values that metadata allows. */
export function metadataEntry(key: string, value: string): string {
  return createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('base64url');
}
