import type { JobKind } from '../core/domains/job.ts';
import type { Instant } from '../core/instant.ts';
import { sendAccountMail } from '../operations/accounts/owner-mails.ts';
import { runDunning, sendTrialMail } from '../operations/billing/billing-mails.ts';
import { syncBilling } from '../operations/billing/sync-customer.ts';
import { issueCertificate } from '../operations/certificates/orders/issue-certificate.ts';
import { prepareDomain } from '../operations/certificates/prepare-domain.ts';
import { revokeDeleted } from '../operations/certificates/revoke-deleted.ts';
import { sendMail } from '../operations/connect/send-mail.ts';
import type { Context } from '../operations/context.ts';
import { checkDns } from '../operations/dns/check-dns.ts';
import { checkWhitelabel } from '../operations/dns/check-whitelabel.ts';
import { advanceDomain } from '../operations/domains/advance-domain.ts';
import { applyHold } from '../operations/domains/hold-hostname.ts';
import { recoverTimerDomains } from '../operations/domains/repair-schedules.ts';
import { probeAppOrigin } from '../operations/edge/probe-origin.ts';
import { reconcileEdgeValues } from '../operations/edge/reconcile-edge-values.ts';
import { endDeliveries } from '../operations/events/deliver-events.ts';
import { sendInvite, sendLink } from '../operations/members/send-member-mails.ts';
import { pruneStore } from '../operations/prune-store.ts';
import type { Stay } from '../operations/under-lease.ts';
import type { LeasedJob } from '../store/jobs/jobs.ts';

/** Runs a job. @returns when the job is due again. Null if the job is done or has scheduled the next job itself. */
export type JobHandler<K extends JobKind> = (
  context: Context,
  job: LeasedJob<K>,
  stay: Stay,
) => Promise<Instant | null>;
export type JobHandlers = { [Kind in JobKind]?: JobHandler<Kind> };

/** The handlers of the kinds of jobs that both the service and the emulator run. */
export const COMMON_HANDLERS: JobHandlers = {
  advance: advanceDomain,
  flap: advanceDomain,
  issue: issueCertificate,
  prepare: prepareDomain,
  retry: issueCertificate,
  expire: advanceDomain,
  renew: issueCertificate,
  revoke: revokeDeleted,
  check_dns: checkDns,
  probe_origin: (context, job) => probeAppOrigin(context, job.subject_id),
  async check_whitelabel(context, job) {
    const next = await checkWhitelabel(context, job.subject_id);
    await recoverTimerDomains(context, job.subject_id);
    return next;
  },
  send_mail: sendMail,
  send_link: sendLink,
  send_invite: sendInvite,
  send_account_mail: sendAccountMail,
  sync_billing: syncBilling,
  dunning: runDunning,
  trial_mail: sendTrialMail,
  apply_hold: applyHold,
  end_deliveries: endDeliveries,
  prune: pruneStore,
  reconcile_edges: reconcileEdgeValues,
};
