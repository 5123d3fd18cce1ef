import { confirmationMail, liveMail, type MailFacts } from '../../core/accounts/mail-texts.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { SubscriptionId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Mail } from '../../ports/mail.ts';
import { getApp } from '../../store/accounts/apps.ts';
import {
  deleteSubscription,
  findSubscriptionById,
  type MailSubscription,
} from '../../store/accounts/mail-subscriptions.ts';
import { findDomainById } from '../../store/domains/domains.ts';
import type { LeasedJob } from '../../store/jobs/jobs.ts';
import type { Context } from '../context.ts';

/** With the pauses between them (`shared/core/domains/job-class.ts`), the last start is a day after the first. */
const ATTEMPTS_MAX = 14;

/**
 * Sends a subscriber the mail that is due: the request to confirm, or, once confirmed, that the domain is live. With that, or with a
 * mail that nobody takes, the subscription ends. A mail that was sent by a worker that died then is sent again under the same `Message-ID`.
 * @throws what the mail server may get over: the job is tried again.
 */
export async function sendMail(context: Context, job: LeasedJob): Promise<Instant | null> {
  const { store, mailer } = context;
  const subscription = await findSubscriptionById(store, job.subject_id as SubscriptionId);
  if (subscription === null || mailer === null) return null;
  const domain = await findDomainById(store, subscription.domain_id);
  if (domain === null) return null;
  const is_confirmed = subscription.confirmed_at !== null;
  // Live no longer, or not yet: the transition to `active` schedules the mail anew.
  if (is_confirmed && domain.status !== 'active') return null;
  const mail = await write(context, subscription, domain);
  const outcome = await mailer.send(mail).catch((error: unknown) => {
    if (job.attempts < ATTEMPTS_MAX) throw error;
    context.log.error({ error, message_id: mail.message_id }, 'a mail could not be sent; it is given up');
    return 'refused' as const;
  });
  if (is_confirmed || outcome === 'refused') await deleteSubscription(store, subscription.id);
  return null;
}

async function write(
  { store, settings }: Context,
  { id, app_id, address, token, confirmed_at }: MailSubscription,
  { hostname }: Domain,
): Promise<Mail> {
  const subscription_url = `${settings.base_url}/connect/mail/${token}`;
  const { name: app_name } = await getApp(store, app_id);
  const facts: MailFacts = { app_name, hostname, subscription_url };
  const [kind, text] =
    confirmed_at === null ? ['confirm', confirmationMail(facts)] : ['live', liveMail(facts)];
  return {
    to: address,
    ...text,
    message_id: `${id}.${kind}@${settings.edge_zone}`,
    unsubscribe_url: `${subscription_url}/unsubscribe`,
  };
}
