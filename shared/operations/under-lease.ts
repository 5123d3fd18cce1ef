import type { Domain } from '../core/domains/domain.ts';
import type { Instant } from '../core/instant.ts';
import { lockDomainUnderLease } from '../store/domains/domains.ts';
import type { lockDomainAndRivals } from '../store/domains/domains-of-hostname.ts';
import { type DomainJob, holdsJob } from '../store/jobs/jobs.ts';
import { type Context, type TxContext, transact } from './context.ts';

/**
 * Waits, in the worker that runs a job, until the job's next step is due. Meanwhile, the worker keeps the lease and the slot.
 * @returns false if the worker must stop processing the job, because the worker shuts down or has lost the lease.
 */
export type Stay = (dueAt: Instant) => Promise<boolean>;

/**
 * Runs the writes of a job in one transaction, with the domain's row locked, if the worker still has the job's lease. If another
 * transaction changed the domain while the job waited for the row, it also replaced the job, so the lease is lost.
 * @param lock locks the domain's row. By default, one query locks the row and checks the lease.
 * @returns the result of `work`. Null if the lease is lost or the domain is gone, and nothing was written.
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
