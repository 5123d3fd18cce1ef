import {
  brokenMail,
  confirmationMail,
  liveMail,
  type MailFacts,
  type WrittenMail,
} from '../../core/accounts/mail-texts.ts';
import { type Language, languageOf } from '../../core/connect-texts/catalog.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { Status } from '../../core/domains/status.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { REASONS } from '../../core/reasons.ts';
import type { Mail } from '../../ports/accounts.ts';
import { getApp } from '../../store/accounts/apps.ts';
import {
  deleteSubscription,
  findSubscriptionById,
  type MailSubscription,
  recordNews,
} from '../../store/accounts/mail-subscriptions.ts';
import { findDnsCheck } from '../../store/domains/dns-checks.ts';
import { findDomainById } from '../../store/domains/domains.ts';
import type { LeasedJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import { sendOrGiveUp } from '../accounts/owner-mails.ts';
import type { Context } from '../context.ts';
import { findingsOf } from '../dns/present-diagnosis.ts';
import { findCustomerAddresses } from '../domains/customer-target.ts';

/**
 * Sends a subscriber the mail that is due: the confirmation request or, once confirmed, the news that the domain is live or that its
 * connection broke. A mail that the server refuses ends the subscription. If a worker dies after sending, the mail is sent again with the
 * same `Message-ID`.
 * @throws any temporary error of the mail server, so that the job is retried.
 */
export async function sendMail(context: Context, job: LeasedJob<'send_mail'>): Promise<Instant | null> {
  const { store, mailer, clock } = context;
  const subscription = await findSubscriptionById(store, job.subject_id);
  if (subscription === null || mailer === null) return null;
  const domain = await findDomainById(store, subscription.domain_id);
  if (domain === null) return null;
  const due = newsDue(subscription, domain.status, clock.now());
  if (due === null) return null;
  const mail = await write(context, subscription, domain, due);
  if (mail === null) return null;
  const outcome = await sendOrGiveUp(context, mailer, mail, job);
  if (outcome !== 'sent') await deleteSubscription(autocommit(store), subscription.id);
  else if (due !== 'confirm') {
    const brokenAt = due === 'broken' ? clock.now() : subscription.broken_at;
    await recordNews(autocommit(store), { id: subscription.id, told: due, broken_at: brokenAt });
  }
  return null;
}

/** Returns the text of a mail, or null if a connection is broken in a way that the customer cannot repair. */
async function write(
  context: Context,
  subscription: MailSubscription,
  domain: Domain,
  due: 'confirm' | 'live' | 'broken',
): Promise<Mail | null> {
  const { store, settings } = context;
  const { id, app_id, address, token, language: tag } = subscription;
  const page = `${settings.baseUrl}/connect`;
  const unsubscribeUrl = `${page}/mail/${token}/unsubscribe?lang=${tag}`;
  const { name: appName } = await getApp(store, app_id);
  const facts: MailFacts = {
    app_name: appName,
    hostname: domain.hostname,
    subscriptionUrl: `${page}/mail/${token}?lang=${tag}`,
    unsubscribeUrl,
  };
  const written = await writtenFor(context, domain, languageOf(tag), facts, due);
  if (written === null) return null;
  // The `Message-ID` contains the time of the break, so that a mail about a later break is not a duplicate.
  const told = due === 'confirm' ? '' : `.${subscription.broken_at ?? 0}`;
  return {
    to: address,
    ...written,
    language: tag,
    message_id: `${id}.${due}${told}@${settings.edgeZone}`,
    unsubscribe_url: unsubscribeUrl,
  };
}

async function writtenFor(
  context: Context,
  domain: Domain,
  language: Language,
  facts: MailFacts,
  due: 'confirm' | 'live' | 'broken',
): Promise<WrittenMail | null> {
  if (due === 'confirm') return confirmationMail(language, facts);
  if (due === 'live') return liveMail(language, facts);
  const { store } = context;
  const check = await findDnsCheck(store, domain.id);
  const [finding] = findingsOf(domain, check?.findings ?? []);
  if (finding === undefined || REASONS[finding.code].group === 'whitelabel') return null;
  const { connectBase } = await findCustomerAddresses(context, await getApp(store, domain.app_id));
  const connectUrl = `${connectBase}/connect/${domain.connect_token}?lang=${language.tag}`;
  return brokenMail(language, facts, { finding, connectUrl });
}

/**
 * Returns the kind of mail that is due. If a connection breaks repeatedly, sends at most one mail a day about it, and one about the
 * recovery.
 * @returns null if the subscriber already knows the state of the domain.
 */
export function newsDue(
  { confirmed_at, told, broken_at }: Pick<MailSubscription, 'confirmed_at' | 'told' | 'broken_at'>,
  status: Status,
  now: Instant,
): 'confirm' | 'live' | 'broken' | null {
  if (confirmed_at === null) return 'confirm';
  if (status === 'active') return told === 'live' ? null : 'live';
  if (status !== 'dns_broken' || told !== 'live') return null;
  return broken_at === null || now - broken_at >= DAY_MS ? 'broken' : null;
}
