import type { JobKind } from '../../core/domains/job.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Instant } from '../../core/instant.ts';
import { readBacklogByApp } from '../../store/events/backlog.ts';
import { type ListedJob, makeJobDue, selectJobs } from '../../store/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { withAudit } from './with-audit.ts';

/** Number of starts without success after which a job is stuck: the job fails every time, or crashes its workers. */
const STUCK_ATTEMPTS = 3;

export interface JobQuery {
  /** Limits the list to jobs that are due, or to jobs that failed repeatedly. */
  only?: 'due' | 'stuck';
  limit: number;
}

/** Lists jobs, sorted by when they are due. */
export async function listJobs(context: Context, { only, limit }: JobQuery): Promise<ListedJob[]> {
  const now = context.clock.now();
  return selectJobs(context.store, {
    limit,
    ...(only === 'due' ? { dueBefore: now } : {}),
    ...(only === 'stuck' ? { attemptsMin: STUCK_ATTEMPTS } : {}),
  });
}

/** Makes a job due now, even if a worker has leased it. @throws ServiceError `not_found`. */
export async function retryJob(
  context: Context,
  actor: string,
  kind: string,
  subject: string,
): Promise<Instant> {
  return withAudit(context, { actor, action: 'job.retry', subject: `${kind} ${subject}` }, async (tx) => {
    const dueAt = tx.clock.now();
    if (!(await makeJobDue(tx.store, kind as JobKind, subject, dueAt))) {
      throw new ServiceError('not_found', {
        message: `There is no job ${kind} for ${subject}.`,
        fix: 'List the jobs to see their kinds and subjects.',
      });
    }
    tx.notices.publish({ kind: 'work' });
    return dueAt;
  });
}

/**
 * Returns the backlog of deliveries, in total and by app. The app that has waited longest comes first.
 * @param limit the maximum number of apps.
 */
export async function getBacklogByApp(
  { store, clock }: Context,
  limit: number,
): ReturnType<typeof readBacklogByApp> {
  return readBacklogByApp(store, clock.now(), limit);
}
