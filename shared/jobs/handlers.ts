import type { AppId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import type { JobKind } from '../core/job.ts';
import { advanceDomain } from '../operations/advance-domain.ts';
import { checkWhitelabel } from '../operations/check-whitelabel.ts';
import type { Context } from '../operations/context.ts';
import { probeAppOrigin } from '../operations/probe-origin.ts';
import { pruneStore } from '../operations/prune-store.ts';
import type { LeasedJob } from '../store/jobs.ts';

/** Does what a job says. @returns when it is due again, or null where it is done or scheduled something itself. */
export type JobHandler = (context: Context, job: LeasedJob) => Promise<Instant | null>;
export type JobHandlers = Partial<Record<JobKind, JobHandler>>;

/** What every composition runs: domains on the timer, origins, white-label hosts, pruning. */
export const COMMON_HANDLERS: JobHandlers = {
  advance: advanceDomain,
  flap: advanceDomain,
  retry: advanceDomain,
  expire: advanceDomain,
  renew: advanceDomain,
  probe_origin: (context, job) => probeAppOrigin(context, job.subject_id as AppId),
  check_whitelabel: (context, job) => checkWhitelabel(context, job.subject_id as AppId),
  prune: pruneStore,
};
