import type { Domain } from '../core/domains/domain.ts';
import type { Instant } from '../core/instant.ts';
import { lockDomainUnderLease } from '../store/domains/domains.ts';
import type { lockDomainAndRivals } from '../store/domains/domains-of-hostname.ts';
import { type DomainJob, holdsJob } from '../store/jobs/jobs.ts';
import { type Context, type TxContext, transact } from './context.ts';

/**
 * Waits until a job's next step is due, in the worker that runs the job. The job keeps its lease and its slot.
 * @returns false if the worker must hand the job back, because the worker stops or has lost the lease.
 */
export type Stay = (dueAt: Instant) => Promise<boolean>;

/**
 * Runs the part of a job that writes: in one transaction, with the domain's row locked, and only while the caller holds the job's lease. If
 * another transaction changed the domain while the job waited for the row, it also replaced the job, so the lease is lost.
 * @param lock locks the domain's row. By default, one statement locks the row and verifies the lease.
 * @returns the result of `work`; null if the lease is lost or the domain is gone. Nothing was written then.
 */
export function underLease<const T>(
  context: Context,
  job: DomainJob,
  work: (tx: TxContext, domain: Domain) => Promise<T>,
  lock?: typeof lockDomainAndRivals,
): Promise<T | null> {
  return transact(context, async (tx) => {
    const domain = await (lock?.(tx.store, job.subject_id) ?? lockDomainUnderLease(tx.store, job));
    if (domain === null || (lock !== undefined && !(await holdsJob(tx.store, job)))) return null;
    return work(tx, domain);
  });
}
