import type { AuditId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

/** One action of an operator. */
export interface AuditEntry {
  id: AuditId;
  at: Instant;
  actor: string;
  action: string;
  subject: string;
  detail: Record<string, unknown> | null;
}

/** Writes an audit entry. Call this in the transaction of the audited action. */
export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.db.insertInto('audit_log').values(toRow(entry)).execute();
}

/** Lists entries, newest first. @param before only entries older than this one. */
export async function listAudit(store: Store, limit: number, before?: string): Promise<AuditEntry[]> {
  let query = store.db.selectFrom('audit_log').selectAll();
  // The ids of entries sort by time.
  if (before !== undefined) query = query.where('id', '<', before as AuditId);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(fromRow);
}

/** Writes an audit entry, unless one with the same id exists. @returns whether the entry was written. */
export async function insertAuditOnce(tx: Tx, entry: AuditEntry): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('audit_log')
    .values(toRow(entry))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * Removes the entry of an action that changed nothing. Call this in the transaction that wrote the entry, so that no other transaction can
 * have read the entry.
 */
export async function withdrawAudit(tx: Tx, id: AuditId): Promise<void> {
  await tx.db.deleteFrom('audit_log').where('id', '=', id).execute();
}

/** Lists the entries about one subject, newest first. @param before only entries older than this one. */
export async function listAuditOf(
  store: Store,
  subject: string,
  limit: number,
  before?: string,
): Promise<AuditEntry[]> {
  let query = store.db.selectFrom('audit_log').selectAll().where('subject', '=', subject);
  if (before !== undefined) query = query.where('id', '<', before as AuditId);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(fromRow);
}

const { toRow, fromRow } = rowMapper<AuditEntry>({ detail: 'json' });
