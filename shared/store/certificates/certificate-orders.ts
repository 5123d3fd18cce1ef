import { sql } from 'kysely';
import type { CertificateOrder } from '../../core/certificates/certificate-order.ts';
import type { AccountId, DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

export async function findCertificateOrder(
  store: Store,
  domainId: DomainId,
): Promise<CertificateOrder | null> {
  const row = await store.db
    .selectFrom('certificate_orders')
    .selectAll()
    .where('domain_id', '=', domainId)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * Saves an order. The caller must hold the lease of the domain's job. Does not overwrite the private key of a placed order. The key never
 * changes, but a rotation of the encryption key may have encrypted it again since the caller read the order.
 */
export async function saveCertificateOrder(tx: Tx, order: CertificateOrder): Promise<void> {
  const { domain_id, ...row } = toRow(order);
  const isSameKey = sql`certificate_orders.order_url = excluded.order_url and certificate_orders.private_key is not null and excluded.private_key is not null`;
  const privateKey = sql<
    string | null
  >`case when ${isSameKey} then certificate_orders.private_key else excluded.private_key end`;
  await tx.db
    .insertInto('certificate_orders')
    .values({ domain_id, ...row })
    .onConflict((conflict) => conflict.column('domain_id').doUpdateSet({ ...row, private_key: privateKey }))
    .execute();
}

/**
 * Counts the open orders at an authority that have made progress after `since`. `all` counts the orders of all accounts, and `own` the
 * orders of one account. An order is open from the choice of its authority until it has its certificate.
 */
export async function countOpenOrders(
  store: Store,
  { ca, account_id, since }: { ca: string; account_id: AccountId | null; since: Instant },
): Promise<{ all: number; own: number }> {
  const counts = await store.db
    .selectFrom('certificate_orders')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      // A subquery looks up one domain by its key. With a join, the planner could read every domain.
      eb.fn.countAll<number>().filterWhere(ACCOUNT, '=', account_id).as('own'),
    ])
    .where('ca', '=', ca)
    .where('certificate_id', 'is', null)
    .where('progressed_at', '>', since)
    .executeTakeFirstOrThrow();
  return { all: Number(counts.all), own: Number(counts.own) };
}

const ACCOUNT = sql<string>`(select apps.account_id from apps
  where apps.id = (select domains.app_id from domains where domains.id = certificate_orders.domain_id))`;

export async function deleteCertificateOrder(tx: Tx, domainId: DomainId): Promise<void> {
  await tx.db.deleteFrom('certificate_orders').where('domain_id', '=', domainId).execute();
}

const { toRow, fromRow } = rowMapper<CertificateOrder>({
  without_www: 'flag',
  tried: 'json',
  problem: 'json',
  names: 'json',
  methods: 'json',
});
