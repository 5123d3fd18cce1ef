import { insertAudit } from '../../store/accounts/audit-log.ts';
import { type Context, type TxContext, transact } from '../context.ts';

/** An entry of the audit log. */
export interface AuditedAction {
  actor: string;
  /** The name of the action, such as `account.update`. */
  action: string;
  subject: string;
  /** Further data about the action. Must never contain a key or a secret. */
  detail?: Record<string, unknown>;
}

/** Runs an operator's action and writes its audit entry in one transaction. */
export async function withAudit<T>(
  context: Context,
  { actor, action, subject, detail }: AuditedAction,
  work: (tx: TxContext) => Promise<T>,
): Promise<T> {
  return transact(context, async (tx) => {
    const result = await work(tx);
    await insertAudit(tx.store, {
      id: tx.ids('aud'),
      at: tx.clock.now(),
      actor,
      action,
      subject,
      detail: detail ?? null,
    });
    return result;
  });
}
