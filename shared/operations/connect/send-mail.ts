import { confirmationMail, liveMail, type MailFacts } from '../../core/accounts/mail-texts.ts';
import type { Domain } from '../../core/domains/domain.ts';
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

/** With the delays between attempts (`shared/core/domains/job-class.ts`), the last attempt starts a day after the first. */
const ATTEMPTS_MAX = 14;

/**
 * Sends a subscriber the mail that is due: the confirmation request or, once confirmed, the notice that the domain is live. The
 * subscription ends after the notice, or if the server refuses a mail. If a worker dies after sending, the mail is sent again with the same
 * `Message-ID`.
 * @throws any temporary error of the mail server: the job is retried.
 */
export async function sendMail(context: Context, job: LeasedJob<'send_mail'>): Promise<Instant | null> {
  const { store, mailer } = context;
  const subscription = await findSubscriptionById(store, job.subject_id);
  if (subscription === null || mailer === null) return null;
  const domain = await findDomainById(store, subscription.domain_id);
  if (domain === null) return null;
  const isConfirmed = subscription.confirmed_at !== null;
  // The domain is not live. Its next transition to `active` schedules the mail again.
  if (isConfirmed && domain.status !== 'active') return null;
  const mail = await write(context, subscription, domain);
  const outcome = await mailer.send(mail).catch((error: unknown) => {
    if (job.attempts < ATTEMPTS_MAX) throw error;
    context.log.error(
      { error, message_id: mail.message_id },
      'a mail could not be sent after all attempts; giving up',
    );
    return 'refused' as const;
  });
  if (isConfirmed || outcome === 'refused') await deleteSubscription(store, subscription.id);
  return null;
}

async function write(
  { store, settings }: Context,
  { id, app_id, address, token, confirmed_at }: MailSubscription,
  { hostname }: Domain,
): Promise<Mail> {
  const subscriptionUrl = `${settings.baseUrl}/connect/mail/${token}`;
  const { name: appName } = await getApp(store, app_id);
  const facts: MailFacts = { app_name: appName, hostname, subscriptionUrl };
  const [kind, text] =
    confirmed_at === null ? ['confirm', confirmationMail(facts)] : ['live', liveMail(facts)];
  return {
    to: address,
    ...text,
    message_id: `${id}.${kind}@${settings.edgeZone}`,
    unsubscribe_url: `${subscriptionUrl}/unsubscribe`,
  };
}
