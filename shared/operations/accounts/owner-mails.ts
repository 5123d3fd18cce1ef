import type { Account } from '../../core/accounts/account.ts';
import { type AccountMailFacts, billingPageUrl } from '../../core/accounts/billing-mail-texts.ts';
import { type MailText, serviceMail } from '../../core/accounts/mail-texts.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Mail, Mailer, MailOutcome } from '../../ports/accounts.ts';
import { deleteAccountMail, findAccountMail, insertAccountMail } from '../../store/accounts/accounts.ts';
import { listMembers } from '../../store/accounts/members.ts';
import { type LeasedJob, scheduleJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import type { Context, TxContext } from '../context.ts';

/**
 * Maximum number of attempts to send a mail. With the delays of `shared/core/domains/job.ts`, the last attempt starts a day after the
 * first.
 */
const ATTEMPTS_MAX = 14;

/**
 * Sends a mail. If the last attempt fails, logs the error and gives up.
 * @throws the mail server's error if attempts are left, so that the job is retried.
 */
export async function sendOrGiveUp(
  { log }: Context,
  mailer: Mailer,
  mail: Mail,
  { attempts }: Pick<LeasedJob, 'attempts'>,
): Promise<MailOutcome | 'given_up'> {
  return mailer.send(mail).catch((error: unknown) => {
    if (attempts < ATTEMPTS_MAX) throw error;
    const { message_id } = mail;
    log.error({ error, message_id }, 'a mail could not be sent after all attempts; giving up');
    return 'given_up' as const;
  });
}

/** Returns the addresses of an account's owners. */
export async function ownerAddresses({ store }: Context, accountId: AccountId): Promise<string[]> {
  const members = await listMembers(store, accountId);
  const owners = members.filter(({ role, joined_at }) => role === 'owner' && joined_at !== null);
  return owners.map(({ mail }) => mail);
}

/** Returns the data to fill into the mails about an account. */
export function mailFacts({ settings }: Context, account: Account): AccountMailFacts {
  return { account_name: account.name, billingUrl: billingPageUrl(settings) };
}

/**
 * Queues a mail to each owner of an account. Call this in the transaction of the change that the mail reports. Queues no mail if no mail
 * server is configured.
 */
export async function queueOwnerMails(
  tx: TxContext,
  accountId: AccountId,
  { subject, text }: MailText,
): Promise<void> {
  if (tx.mailer === null) return;
  const now = tx.clock.now();
  for (const address of await ownerAddresses(tx, accountId)) {
    const id = tx.ids('mai');
    await insertAccountMail(tx.store, {
      id,
      account_id: accountId,
      address,
      subject,
      body: text,
      created_at: now,
    });
    await scheduleJob(tx.store, { kind: 'send_account_mail', subject_id: id, app_id: null, due_at: now });
  }
  tx.notices.publish({ kind: 'work' });
}

/**
 * Sends a queued mail and deletes it. If a worker dies after sending, the mail is sent again with the same `Message-ID`.
 * @throws any temporary error of the mail server, so that the job is retried.
 */
export async function sendAccountMail(
  context: Context,
  job: LeasedJob<'send_account_mail'>,
): Promise<Instant | null> {
  const { store, mailer, settings, log } = context;
  const mail = await findAccountMail(store, job.subject_id);
  if (mail === null || mailer === null) return null;
  const { id, address, subject, body } = mail;
  const messageId = `${id}@${settings.edgeZone}`;
  const written = serviceMail(settings.names.shown_name, { subject, text: body }, 'Open billing');
  const sent = { to: address, ...written, message_id: messageId, unsubscribe_url: null };
  if ((await sendOrGiveUp(context, mailer, sent, job)) === 'refused')
    log.warn({ message_id: messageId, account_id: mail.account_id }, 'a mail to an owner was refused');
  await deleteAccountMail(autocommit(store), id);
  return null;
}
