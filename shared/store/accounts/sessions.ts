import { DashboardError } from '../../core/accounts/dashboard-error.ts';
import type { Session } from '../../core/accounts/session.ts';
import type { SessionId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

export async function insertSession(tx: Tx, session: Session, hash: string): Promise<void> {
  await tx.db
    .insertInto('sessions')
    .values({ ...session, hash })
    .execute();
}

export async function findSession(store: Store, hash: string): Promise<Session | null> {
  const row = await store.db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Lists the sessions of a person, the latest sign-in first. */
export async function listSessions(store: Store, mail: string): Promise<Session[]> {
  const rows = await store.db
    .selectFrom('sessions')
    .selectAll()
    .where('mail', '=', mail)
    .orderBy('signed_in_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(fromRow);
}

export async function touchSession(tx: Tx, id: SessionId, now: Instant): Promise<void> {
  await tx.db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute();
}

/** Deletes a session of a person. @returns whether the person had this session. */
export async function deleteSession(tx: Tx, mail: string, id: string): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('sessions')
    .where('id', '=', id as SessionId)
    .where('mail', '=', mail)
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Deletes sessions by the digest of their cookie. */
export async function deleteSessionByHash(tx: Tx, hash: string): Promise<void> {
  await tx.db.deleteFrom('sessions').where('hash', '=', hash).execute();
}

function fromRow({ hash: _, ...session }: Session & { hash: string }): Session {
  return session;
}

/**
 * Locks the sessions of a person until the transaction ends. A transaction that limits, for example, the accounts of a person calls this
 * before it counts them. So no other transaction adds an account between the count and the insert.
 * @throws DashboardError `sign_in_required` if the person has no session left, because then there is no row to lock.
 */
export async function lockSessions(store: Store, mail: string): Promise<void> {
  const query = store.db.selectFrom('sessions').select('id').where('mail', '=', mail).orderBy('id');
  const rows = await (store.flags.rowLocks ? query.forUpdate() : query).execute();
  if (rows.length === 0) throw new DashboardError('sign_in_required');
}
