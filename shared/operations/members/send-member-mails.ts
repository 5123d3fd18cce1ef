import { invitationMail, signInMail } from '../../core/accounts/mail-texts.ts';
import type { Instant } from '../../core/instant.ts';
import type { Mail } from '../../ports/accounts.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { findMemberById } from '../../store/accounts/members.ts';
import { findSignInLink, setLinkToken } from '../../store/accounts/sign-in-links.ts';
import type { LeasedJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import { sendOrGiveUp } from '../accounts/owner-mails.ts';
import type { Context } from '../context.ts';
import { digest, newToken, signInUrl } from './sign-in.ts';

/**
 * Sends a sign-in link. Each attempt creates a new token, so that no token has to be stored. Only the link in the newest mail works.
 * Without a mail server, logs the link if the settings allow it. Does not send an expired link.
 * @throws any temporary error of the mail server, so that the job is retried.
 */
export async function sendLink(context: Context, job: LeasedJob<'send_link'>): Promise<Instant | null> {
  const { store, clock, settings, mailer } = context;
  const link = await findSignInLink(store, job.subject_id);
  if (link === null || link.used_at !== null || link.expires_at <= clock.now()) return null;
  const token = newToken(context);
  await setLinkToken(autocommit(store), link.id, digest(token));
  const url = signInUrl(context, token);
  if (mailer === null) {
    if (settings.printsSignInLinks) context.log.info({ mail: link.mail, url }, 'a sign-in link, once');
    return null;
  }
  const mail: Mail = {
    to: link.mail,
    ...signInMail({ service: settings.names.shown_name, url }),
    message_id: `${link.id}.${job.attempts}@${settings.edgeZone}`,
    unsubscribe_url: null,
  };
  await mailer.send(mail);
  return null;
}

/**
 * Sends the invitation to a member who has not joined yet. The mail links to the sign-in page and contains no secret.
 * @throws any temporary error of the mail server, so that the job is retried.
 */
export async function sendInvite(context: Context, job: LeasedJob<'send_invite'>): Promise<Instant | null> {
  const { store, settings, mailer } = context;
  const member = await findMemberById(store, job.subject_id);
  if (member === null || member.joined_at !== null || mailer === null) return null;
  const account = await findAccount(store, member.account_id);
  if (account === null) return null;
  const invitation = {
    service: settings.names.shown_name,
    account_name: account.name,
    role: member.role,
    url: `${settings.baseUrl}/dashboard/sign-in`,
  };
  const mail: Mail = {
    to: member.mail,
    ...invitationMail(invitation),
    message_id: `${member.id}.${job.due_at}@${settings.edgeZone}`,
    unsubscribe_url: null,
  };
  await sendOrGiveUp(context, mailer, mail, job);
  return null;
}
