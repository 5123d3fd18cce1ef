import type { AppId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import type { JobKind } from '../core/job.ts';
import { advanceDomain } from '../operations/advance-domain.ts';
import { checkWhitelabel } from '../operations/check-whitelabel.ts';
import type { Context } from '../operations/context.ts';
import { settleHold } from '../operations/hold-hostname.ts';
import { probeAppOrigin } from '../operations/probe-origin.ts';
import { pruneStore } from '../operations/prune-store.ts';
import type { LeasedJob } from '../store/jobs.ts';

/** Does what a job says. @returns when it is due again, or null where it is done or scheduled something itself. */
export type JobHandler = (context: Context, job: LeasedJob) => Promise<Instant | null>;
export type JobHandlers = Partial<Record<JobKind, JobHandler>>;

/**
 * What every composition runs: domains on the timer, certificates, origins, white-label hosts, pruning. What only live domains need is
 * loaded by the first of them: the emulator, which has none, starts without it.
 */
export const COMMON_HANDLERS: JobHandlers = {
  advance: advanceDomain,
  flap: advanceDomain,
  issue: certificateJob,
  retry: certificateJob,
  expire: advanceDomain,
  renew: certificateJob,
  check_dns: async (context, job) => (await import('../operations/check-dns.ts')).checkDns(context, job),
  probe_origin: (context, job) => probeAppOrigin(context, job.subject_id as AppId),
  check_whitelabel: (context, job) => checkWhitelabel(context, job.subject_id as AppId),
  send_mail: async (context, job) => (await import('../operations/send-mail.ts')).sendMail(context, job),
  settle_hold: settleHold,
  prune: pruneStore,
};

async function certificateJob(context: Context, job: LeasedJob): Promise<Instant | null> {
  if (context.settings.timer_for_live) return advanceDomain(context, job);
  const { issueCertificate } = await import('../operations/certificates/issue-certificate.ts');
  return issueCertificate(context, job);
}
