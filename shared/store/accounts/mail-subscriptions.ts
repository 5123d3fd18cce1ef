import type { LanguageTag } from '../../core/connect-texts/language.ts';
import type { AppId, DomainId, SubscriptionId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';

/** An address that gets a mail when a domain goes live, and when its connection breaks. The subscription is deleted with the domain. */
export interface MailSubscription {
  id: SubscriptionId;
  domain_id: DomainId;
  app_id: AppId;
  address: string;
  /** 128 random bits that identify the subscription in the links of its mails. */
  token: string;
  created_at: Instant;
  /** The language of the connect page on which the customer entered the address. */
  language: LanguageTag;
  confirmed_at: Instant | null;
  /** The kind of the latest news that was sent; null if none was sent. */
  told: 'live' | 'broken' | null;
  /** When the latest mail about a broken connection was sent. */
  broken_at: Instant | null;
}

/** Inserts a subscription. The caller must have locked the domain's row and checked that the address is new. */
export async function insertSubscription(tx: Tx, subscription: MailSubscription): Promise<void> {
  await tx.db.insertInto('mail_subscriptions').values(subscription).execute();
}

export async function findSubscriptionById(
  store: Store,
  id: SubscriptionId,
): Promise<MailSubscription | null> {
  const row = await store.db
    .selectFrom('mail_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export async function findSubscriptionByToken(store: Store, token: string): Promise<MailSubscription | null> {
  const row = await store.db
    .selectFrom('mail_subscriptions')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirst();
  return row ?? null;
}

/** Lists the subscriptions of a domain in the order of their creation. */
export async function listSubscriptions(store: Store, domainId: DomainId): Promise<MailSubscription[]> {
  const rows = await store.db
    .selectFrom('mail_subscriptions')
    .selectAll()
    .where('domain_id', '=', domainId)
    .orderBy('id')
    .execute();
  return rows;
}

export async function confirmSubscriptionRow(tx: Tx, id: SubscriptionId, now: Instant): Promise<void> {
  await tx.db.updateTable('mail_subscriptions').set({ confirmed_at: now }).where('id', '=', id).execute();
}

/** Records which mail a subscriber was sent. */
export async function recordNews(
  tx: Tx,
  { id, told, broken_at }: Pick<MailSubscription, 'id' | 'told' | 'broken_at'>,
): Promise<void> {
  await tx.db.updateTable('mail_subscriptions').set({ told, broken_at }).where('id', '=', id).execute();
}

export async function deleteSubscription(tx: Tx, id: SubscriptionId): Promise<void> {
  await tx.db.deleteFrom('mail_subscriptions').where('id', '=', id).execute();
}

export async function deleteSubscriptionsOf(tx: Tx, domainId: DomainId): Promise<void> {
  await tx.db.deleteFrom('mail_subscriptions').where('domain_id', '=', domainId).execute();
}
