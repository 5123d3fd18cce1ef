import { createHash } from 'node:crypto';
import { parseMailAddress } from '../../core/accounts/mail-address.ts';
import { shownAppName } from '../../core/apps/shown-app-name.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import { getApp } from '../../store/accounts/apps.ts';
import {
  confirmSubscriptionRow,
  deleteSubscription,
  findSubscriptionByToken,
  insertSubscription,
  listSubscriptions,
  type MailSubscription,
} from '../../store/accounts/mail-subscriptions.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import { findDomainByConnectToken, findDomainById, lockDomainById } from '../../store/domains/domains.ts';
import { scheduleJob } from '../../store/jobs/jobs.ts';
import { type Context, transact } from '../context.ts';
import { randomToken } from '../random-token.ts';

/** Whether a connect page can promise a mail: there is a way to send it, and a hosted test domain sends none to anybody. */
export function offersMail(context: Context, domain: Pick<Domain, 'mode' | 'status'>): boolean {
  if (context.mailer === null || domain.status === 'deleted') return false;
  return domain.mode === 'live' || context.settings.timer_for_live;
}

/**
 * "E-mail me when it is live": the address is asked to confirm first. Nobody learns here whether it was subscribed already, or asked
 * before: what is answered depends on the page alone. An address that has had its mails of the day gets no more, and that is not told.
 * @throws ServiceError `not_found`, `validation_failed` for what is no address, or `rate_limited` for a page that takes no more.
 */
export async function subscribe(
  context: Context,
  input: { connect_token: string; address: string },
): Promise<void> {
  const address = parseMailAddress(input.address);
  if (address === null) {
    throw validationFailed({
      path: 'address',
      message: 'must be one e-mail address, such as ada@example.com',
    });
  }
  const { id } = await findSubscribable(context, input.connect_token);
  // Committed before anything is decided: what is refused must not be free.
  await countRequest(context, id);
  const may_have_mail = await countMail(context, address);
  await transact(context, async (tx) => {
    // Its row is locked, so that no address is left behind by a domain that is deleted meanwhile.
    const domain = await lockDomainById(tx.store, id);
    if (domain === null || !offersMail(tx, domain)) throw new ServiceError('not_found');
    const subscriptions = await listSubscriptions(tx.store, id);
    if (subscriptions.length >= LIMITS.mail_subscriptions_per_domain_max) {
      throw new ServiceError('rate_limited', { message: 'This page has as many addresses as it can take.' });
    }
    const before = subscriptions.find((each) => each.address === address);
    if (!may_have_mail || (before !== undefined && before.confirmed_at !== null)) return;
    const subscription = before ?? newSubscription(tx, domain, address);
    if (before === undefined) await insertSubscription(tx.store, subscription);
    await scheduleMail(tx, subscription);
  });
}

async function findSubscribable(context: Context, connect_token: string): Promise<Domain> {
  const domain = await findDomainByConnectToken(context.store, connect_token);
  if (domain === null || !offersMail(context, domain)) throw new ServiceError('not_found');
  return domain;
}

export interface ShownSubscription {
  hostname: string;
  app_name: string;
  state: 'unconfirmed' | 'confirmed';
}

/** What the page of a mail's link shows; null where the subscription is over. */
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

/** The reader of the address wants the mail. @returns false where the subscription is over. */
export async function confirmSubscription(context: Context, token: string): Promise<boolean> {
  return transact(context, async (tx) => {
    const found = await findSubscriptionByToken(tx.store, token);
    // Its row is locked against the transition to `active`, which looks for whom to tell.
    const domain = found === null ? null : await lockDomainById(tx.store, found.domain_id);
    if (found === null || domain === null) return false;
    if (found.confirmed_at !== null) return true;
    await confirmSubscriptionRow(tx.store, found.id, tx.clock.now());
    if (domain.status === 'active') await scheduleMail(tx, found);
    return true;
  });
}

/** The address is deleted. @returns false where it was gone already. */
export async function unsubscribe(context: Context, token: string): Promise<boolean> {
  const subscription = await findSubscriptionByToken(context.store, token);
  if (subscription === null) return false;
  await deleteSubscription(context.store, subscription.id);
  return true;
}

/** Within the transition of a domain to `active`: everybody who confirmed is told. */
export async function tellSubscribers(tx: Context, domain: Domain): Promise<void> {
  for (const subscription of await listSubscriptions(tx.store, domain.id)) {
    if (subscription.confirmed_at !== null) await scheduleMail(tx, subscription);
  }
}

async function scheduleMail(tx: Context, { id, app_id }: MailSubscription): Promise<void> {
  await scheduleJob(tx.store, { kind: 'send_mail', subject_id: id, app_id, due_at: tx.clock.now() });
  tx.notices.publish({ kind: 'work' });
}

function newSubscription(tx: Context, domain: Domain, address: string): MailSubscription {
  return {
    id: tx.ids('sub'),
    domain_id: domain.id,
    app_id: domain.app_id,
    address,
    token: randomToken(tx),
    created_at: tx.clock.now(),
    confirmed_at: null,
  };
}

async function countRequest(context: Context, domain_id: DomainId): Promise<void> {
  const wait_ms = await countToday(context, `mail:${domain_id}`, LIMITS.mails_per_page);
  if (wait_ms === null) return;
  throw new ServiceError('rate_limited', {
    message: 'Too many mails were asked for.',
    retry_after_s: Math.ceil(wait_ms / 1000),
  });
}

/** @returns false for an address that has had its mails, whatever the pages. */
async function countMail(context: Context, address: string): Promise<boolean> {
  return (await countToday(context, `mail:${digest(address)}`, LIMITS.mails_per_address)) === null;
}

function countToday({ store, clock }: Context, name: string, limit: number): Promise<number | null> {
  return countUse(store, { name, limit, window_ms: LIMITS.mail_window_ms }, clock.now());
}

/** A limit outlives the subscription, and keeps no address: the letter case of what stands before the @ makes no other. */
function digest(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('base64url');
}
