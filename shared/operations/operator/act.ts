import { insertAudit } from '../../store/accounts/audit-log.ts';
import { type Context, transact } from '../context.ts';

/** Who acts, and what it is called in the audit log. */
export interface Act {
  actor: string;
  /** Such as `account.update`. */
  action: string;
  subject: string;
  /** Never a key or a secret. */
  detail?: Record<string, unknown>;
}

/** An operator's act: what it does and its line in the audit log, in one transaction. */
export async function act<T>(
  context: Context,
  { actor, action, subject, detail }: Act,
  work: (tx: Context) => Promise<T>,
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
