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

/** Lists entries, newest first. @param of.before only entries older than this one. @param of.subject only entries about this subject. */
export async function listAudit(
  store: Store,
  limit: number,
  of: { before?: string | undefined; subject?: string } = {},
): Promise<AuditEntry[]> {
  let query = store.db.selectFrom('audit_log').selectAll();
  // The ids of entries sort by time.
  if (of.before !== undefined) query = query.where('id', '<', of.before as AuditId);
  if (of.subject !== undefined) query = query.where('subject', '=', of.subject);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map(fromRow);
}

const { toRow, fromRow } = rowMapper<AuditEntry>({ detail: 'json' });
