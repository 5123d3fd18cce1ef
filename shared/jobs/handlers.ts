import type { AppId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import type { JobKind } from '../core/job.ts';
import { advanceDomain } from '../operations/advance-domain.ts';
import { issueCertificate } from '../operations/certificates/issue-certificate.ts';
import { checkDns } from '../operations/check-dns.ts';
import { checkWhitelabel } from '../operations/check-whitelabel.ts';
import type { Context } from '../operations/context.ts';
import { settleHold } from '../operations/hold-hostname.ts';
import { probeAppOrigin } from '../operations/probe-origin.ts';
import { pruneStore } from '../operations/prune-store.ts';
import { sendMail } from '../operations/send-mail.ts';
import type { LeasedJob } from '../store/jobs.ts';

/** Does what a job says. @returns when it is due again, or null where it is done or scheduled something itself. */
export type JobHandler = (context: Context, job: LeasedJob) => Promise<Instant | null>;
export type JobHandlers = Partial<Record<JobKind, JobHandler>>;

/** What every composition runs: domains on the timer, certificates, origins, white-label hosts, pruning. */
export const COMMON_HANDLERS: JobHandlers = {
  advance: advanceDomain,
  flap: advanceDomain,
  issue: issueCertificate,
  retry: issueCertificate,
  expire: advanceDomain,
  renew: issueCertificate,
  check_dns: checkDns,
  probe_origin: (context, job) => probeAppOrigin(context, job.subject_id as AppId),
  check_whitelabel: (context, job) => checkWhitelabel(context, job.subject_id as AppId),
  send_mail: sendMail,
  settle_hold: settleHold,
  prune: pruneStore,
};
