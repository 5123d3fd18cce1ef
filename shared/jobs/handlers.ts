import type { JobKind } from '../core/domains/job.ts';
import type { Instant } from '../core/instant.ts';
import type { Context } from '../operations/context.ts';
import { checkWhitelabel } from '../operations/dns/check-whitelabel.ts';
import { advanceDomain } from '../operations/domains/advance-domain.ts';
import { applyHold } from '../operations/domains/hold-hostname.ts';
import { recoverTimerDomains } from '../operations/domains/recover-timer-domains.ts';
import { probeAppOrigin } from '../operations/edge/probe-origin.ts';
import { endDeliveries } from '../operations/events/end-deliveries.ts';
import { pruneStore } from '../operations/prune-store.ts';
import type { Stay } from '../operations/under-lease.ts';
import type { DomainJob, LeasedJob } from '../store/jobs/jobs.ts';

/** Runs a job. @returns when it is due again, or null if it is done or has scheduled its successor itself. */
export type JobHandler<K extends JobKind> = (
  context: Context,
  job: LeasedJob<K>,
  stay: Stay,
) => Promise<Instant | null>;
export type JobHandlers = { [Kind in JobKind]?: JobHandler<Kind> };

/**
 * The handlers that every composition runs. Code that only live domains need is imported lazily, so that the emulator, which has none,
 * starts faster.
 */
export const COMMON_HANDLERS: JobHandlers = {
  advance: advanceDomain,
  flap: advanceDomain,
  issue: certificateJob,
  prepare: async (...job) =>
    (await import('../operations/certificates/prepare-domain.ts')).prepareDomain(...job),
  retry: certificateJob,
  expire: advanceDomain,
  renew: certificateJob,
  revoke: async (context, job) =>
    (await import('../operations/certificates/revoke-deleted.ts')).revokeDeleted(context, job),
  check_dns: async (context, job) => (await import('../operations/dns/check-dns.ts')).checkDns(context, job),
  probe_origin: (context, job) => probeAppOrigin(context, job.subject_id),
  async check_whitelabel(context, job) {
    const next = await checkWhitelabel(context, job.subject_id);
    await recoverTimerDomains(context, job.subject_id);
    return next;
  },
  send_mail: async (context, job) =>
    (await import('../operations/connect/send-mail.ts')).sendMail(context, job),
  send_link: async (context, job) =>
    (await import('../operations/members/send-member-mails.ts')).sendLink(context, job),
  send_invite: async (context, job) =>
    (await import('../operations/members/send-member-mails.ts')).sendInvite(context, job),
  send_account_mail: async (context, job) =>
    (await import('../operations/accounts/owner-mails.ts')).sendAccountMail(context, job),
  sync_billing: async (context, job) =>
    (await import('../operations/billing/sync-customer.ts')).syncBilling(context, job),
  dunning: async (context, job) =>
    (await import('../operations/billing/dunning.ts')).runDunning(context, job),
  trial_mail: async (context, job) =>
    (await import('../operations/billing/trial-mails.ts')).sendTrialMail(context, job),
  apply_hold: applyHold,
  end_deliveries: endDeliveries,
  prune: pruneStore,
};

async function certificateJob(...job: [Context, DomainJob, Stay]): Promise<Instant | null> {
  const { issueCertificate } = await import('../operations/certificates/orders/issue-certificate.ts');
  return issueCertificate(...job);
}
