import { createHash } from 'node:crypto';
import { parseMailAddress } from '../../core/accounts/mail-address.ts';
import { shownAppName } from '../../core/apps/brand.ts';
import { BUDGETS } from '../../core/budgets.ts';
import type { LanguageTag } from '../../core/connect-texts/language.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { isHostedTest } from '../../core/domains/schedule.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import { getApp } from '../../store/accounts/apps.ts';
import {
  confirmSubscriptionRow,
  deleteSubscription,
  findSubscriptionByToken,
  insertSubscription,
  listSubscriptions,
  type MailSubscription,
} from '../../store/accounts/mail-subscriptions.ts';
import { countSharedUse } from '../../store/accounts/rate-windows.ts';
import { findDomainByConnectToken, findDomainById, lockDomainById } from '../../store/domains/domains.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { randomToken } from '../random-token.ts';
import { spend } from '../spend.ts';

/**
 * Returns whether a connect page can offer to send a mail: a mail server is configured, and the domain is not a test domain of the hosted
 * service.
 */
export function offersMail(context: Context, domain: Pick<Domain, 'mode' | 'status'>): boolean {
  if (context.mailer === null || domain.status === 'deleted') return false;
  return !isHostedTest(domain, context.settings);
}

/**
 * Handles "Email me when it is live": first sends a mail that asks the address to confirm. The response depends only on the page, so it
 * does not reveal whether an address is subscribed or was entered before. If an address has reached its daily limit of mails, no mail is
 * sent, and the response is the same.
 * @throws ServiceError `not_found`, `validation_failed` for an invalid address, or `rate_limited` if the page takes no more requests.
 */
export async function subscribe(
  context: Context,
  input: { connect_token: string; address: string; language: LanguageTag },
): Promise<void> {
  const address = parseMailAddress(input.address);
  if (address === null) {
    throw validationFailed({
      path: 'address',
      message: 'must be one email address, such as ada@example.com',
    });
  }
  const { id, app_id } = await findSubscribable(context, input.connect_token);
  // Counts the request in a separate transaction, so that a request that is refused later is counted too.
  await spend(context, 'page_mails', id);
  const { account_id: party } = await getApp(context.store, app_id);
  const mailbox = { subject: digest(address), party };
  const { isOpen } = await countSharedUse(context.store, 'live_mails_to', mailbox, context.clock.now());
  await transact(context, async (tx) => {
    // Locks the domain's row, so that a concurrent deletion of the domain cannot leave the address behind.
    const domain = await lockDomainById(tx.store, id);
    if (domain === null || !offersMail(tx, domain)) throw new ServiceError('not_found');
    const subscriptions = await listSubscriptions(tx.store, id);
    if (subscriptions.length >= BUDGETS.page_addresses.limit) {
      throw new ServiceError('rate_limited', {
        message: 'This page already has the maximum number of email addresses.',
      });
    }
    const before = subscriptions.find((each) => each.address === address);
    if (!isOpen || (before !== undefined && before.confirmed_at !== null)) return;
    const subscription = before ?? newSubscription(tx, domain, address, input.language);
    if (before === undefined) await insertSubscription(tx.store, subscription);
    await scheduleMail(tx, subscription);
  });
}

async function findSubscribable(context: Context, connectToken: string): Promise<Domain> {
  const domain = await findDomainByConnectToken(context.store, connectToken);
  if (domain === null || !offersMail(context, domain)) throw new ServiceError('not_found');
  return domain;
}

export interface ShownSubscription {
  hostname: string;
  app_name: string;
  state: 'unconfirmed' | 'confirmed';
}

/** Returns the content of the page that a mail links to, or null if the subscription has ended. */
export async function findSubscription(context: Context, token: string): Promise<ShownSubscription | null> {
  const subscription = await findSubscriptionByToken(context.store, token);
  if (subscription === null) return null;
  const domain = await findDomainById(context.store, subscription.domain_id);
  if (domain === null) return null;
  const app = await getApp(context.store, subscription.app_id);
  return {
    hostname: domain.hostname,
    app_name: shownAppName(app.name),
    state: subscription.confirmed_at === null ? 'unconfirmed' : 'confirmed',
  };
}

/** Confirms that the owner of the address wants the mail. @returns false if the subscription no longer exists. */
export async function confirmSubscription(context: Context, token: string): Promise<boolean> {
  return transact(context, async (tx) => {
    const found = await findSubscriptionByToken(tx.store, token);
    // Locks the domain's row. A concurrent transition to `active` reads the subscriptions to notify, so it must wait.
    const domain = found === null ? null : await lockDomainById(tx.store, found.domain_id);
    if (found === null || domain === null) return false;
    if (found.confirmed_at !== null) return true;
    await confirmSubscriptionRow(tx.store, found.id, tx.clock.now());
    if (domain.status === 'active') await scheduleMail(tx, found);
    return true;
  });
}

/** Ends the subscription and deletes the address. @returns false if it was already deleted. */
export async function unsubscribe(context: Context, token: string): Promise<boolean> {
  const subscription = await findSubscriptionByToken(context.store, token);
  if (subscription === null) return false;
  await deleteSubscription(autocommit(context.store), subscription.id);
  return true;
}

/** Schedules a mail to every confirmed subscriber of a domain. Call this in the transition in which the domain goes live or breaks. */
export async function notifySubscribers(tx: TxContext, domain: Domain): Promise<void> {
  for (const subscription of await listSubscriptions(tx.store, domain.id)) {
    if (subscription.confirmed_at !== null) await scheduleMail(tx, subscription);
  }
}

async function scheduleMail(tx: TxContext, { id, app_id }: MailSubscription): Promise<void> {
  await scheduleJob(tx.store, { kind: 'send_mail', subject_id: id, app_id, due_at: tx.clock.now() });
  tx.notices.publish({ kind: 'work' });
}

function newSubscription(
  tx: TxContext,
  domain: Domain,
  address: string,
  language: LanguageTag,
): MailSubscription {
  return {
    id: tx.ids('sub'),
    domain_id: domain.id,
    app_id: domain.app_id,
    address,
    token: randomToken(tx),
    created_at: tx.clock.now(),
    confirmed_at: null,
    language,
    told: null,
    broken_at: null,
  };
}

/**
 * Returns a hash of an address, ignoring letter case. Rate limits use the hash, because they outlive the subscription and must not store
 * the address.
 */
function digest(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('base64url');
}
