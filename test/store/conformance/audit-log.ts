import { expect, test } from 'vitest';
import { type AuditEntry, insertAudit, listAudit } from '../../../shared/store/accounts/audit-log.ts';
import { inTransaction, type Tx } from '../../../shared/store/store.ts';
import { NOW, newId } from '../rows.ts';

export function auditLogTests(store: () => Tx): void {
  const anEntry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
    id: newId('aud'),
    at: NOW,
    actor: 'operator@example.com',
    action: 'hold',
    subject: 'acme.com',
    detail: null,
    ...change,
  });

  test('lists entries as they were written, newest first, before the given one', async () => {
    const entries = [anEntry(), anEntry({ detail: { reason: `it's "so" 🦔` } }), anEntry({ at: NOW + 1 })];
    for (const entry of entries) await insertAudit(store(), entry);
    const newestFirst = entries.toReversed();
    expect(await listAudit(store(), 9)).toEqual(newestFirst);
    expect(await listAudit(store(), 2)).toEqual(newestFirst.slice(0, 2));
    expect(await listAudit(store(), 2, { before: newestFirst[0]?.id })).toEqual(newestFirst.slice(1));
    expect(await listAudit(store(), 2, { before: newestFirst[2]?.id })).toEqual([]);
  });

  test('does not list an entry that was rolled back', async () => {
    const failing = inTransaction(store(), async (tx) => {
      await insertAudit(tx, anEntry());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await listAudit(store(), 9)).toEqual([]);
  });
}
