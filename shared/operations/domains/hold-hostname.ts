import type { Domain } from '../../core/domains/domain.ts';
import { readName } from '../../core/domains/hostname.ts';
import { leaseEnd } from '../../core/domains/job.ts';
import { findTransition } from '../../core/domains/transition.ts';
import { ServiceError } from '../../core/errors.ts';
import { MINUTE_MS } from '../../core/instant.ts';
import { lockDomainsUnderHold } from '../../store/domains/domains-of-hostname.ts';
import {
  deleteHold,
  findHold,
  findHoldUntilCommit,
  type Hold,
  insertHold,
  lockHolds,
  selectHolds,
} from '../../store/domains/holds.ts';
import { finishJob, type JobLease, scheduleLeasedJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { withAudit } from '../operator/with-audit.ts';
import { recordTransition } from './record-transition.ts';

/** Number of domains that one transaction changes. It is small, so that other transactions do not wait long for locked rows. */
const BATCH = 100;
/** How long the caller leases the job, which is as long as a worker's lease. */
const LEASE_MS = 2 * MINUTE_MS;

/**
 * Holds a hostname for review: an exact name, or `*.name` for all names below it. Existing domains become `held`, and new domains are
 * refused (`docs/domains.md`). Idempotent.
 * @throws ServiceError `invalid_hostname`.
 */
export async function holdHostname(context: Context, input: string, reason: string | null): Promise<Hold> {
  const { hold, job } = await transact(context, (tx) => placeHold(tx, input, reason));
  await runHoldJob(context, job);
  return hold;
}

/**
 * Ends a hold. The held domains return to their earlier status, unless another hold covers them. Also releases a test domain whose hostname
 * forces a hold.
 * @throws ServiceError `invalid_hostname`, or `not_found` if there is nothing to release.
 */
export async function releaseHostname(context: Context, input: string): Promise<void> {
  await runHoldJob(context, await transact(context, (tx) => liftHold(tx, input)));
}

/**
 * Stores a hold. Once the transaction commits, new domains are refused. The caller runs the returned job, which holds the existing domains.
 */
export async function placeHold(
  tx: TxContext,
  input: string,
  reason: string | null,
): Promise<{ hold: Hold; job: JobLease }> {
  const hostname = readHeldName(input);
  await lockHolds(tx.store);
  const hold: Hold = { hostname, reason, created_at: tx.clock.now() };
  await insertHold(tx.store, hold);
  tx.notices.publish({ kind: 'hold', hostname });
  return { hold, job: await scheduleHoldJob(tx, hostname) };
}

/** Deletes a hold. The caller runs the returned job, which releases the domains. @throws ServiceError `invalid_hostname` or `not_found`. */
export async function liftHold(tx: TxContext, input: string): Promise<JobLease> {
  const hostname = readHeldName(input);
  if (!(await deleteHold(tx.store, hostname)) && !(await isAnyReleasable(tx, hostname))) {
    throw new ServiceError('not_found', { message: `There is no hold of ${hostname}.` });
  }
  tx.notices.publish({ kind: 'hold', hostname });
  return scheduleHoldJob(tx, hostname);
}

/** Runs the job that `placeHold` or `liftHold` returned. */
export async function runHoldJob(context: Context, job: JobLease): Promise<void> {
  await applyHold(context, job);
  await finishJob(autocommit(context.store), job, null);
}

/**
 * Runs the job `apply_hold`: holds or releases every domain with this name, in short transactions, as the current holds require.
 * Idempotent, even if two workers run the job at once.
 */
export async function applyHold(
  context: Context,
  { subject_id: name }: Pick<JobLease, 'subject_id'>,
): Promise<null> {
  let last: Domain | null = null;
  do {
    last = await transact(context, async (tx) => {
      const domains = await lockDomainsUnderHold(tx.store, name, BATCH, last);
      for (const domain of inLaneOrder(domains)) await holdOrRelease(tx, domain);
      return domains.length < BATCH ? null : (domains.at(-1) ?? null);
    });
  } while (last !== null);
  return null;
}

async function holdOrRelease(tx: TxContext, domain: Domain): Promise<void> {
  const name = (await findHoldUntilCommit(tx.store, domain.hostname)) === null ? 'release' : 'hold';
  if (findTransition(domain, name, tx.clock.now()) === null) return;
  await recordTransition(tx, domain, { name });
}

/**
 * Sorts domains by id. The deliverer locks event queues (lanes) in the same order, so the two cannot deadlock. The domain counts of the
 * accounts are locked afterwards, in any order. If two batches deadlock there, Postgres rolls one back and `inTransaction` retries it.
 */
function inLaneOrder(domains: readonly Domain[]): Domain[] {
  return domains.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Schedules the job with a lease for the caller. If the caller does not finish the job, a worker claims it once the lease has expired. */
async function scheduleHoldJob(tx: TxContext, hostname: string): Promise<JobLease> {
  const job: JobLease = { kind: 'apply_hold', subject_id: hostname, lease_id: tx.ids('lea') };
  const dueAt = leaseEnd(tx.settings, tx.clock.now(), LEASE_MS);
  await scheduleLeasedJob(tx.store, { ...job, app_id: null, due_at: dueAt });
  return job;
}

async function isAnyReleasable(tx: TxContext, name: string): Promise<boolean> {
  for (const { status, hostname } of await lockDomainsUnderHold(tx.store, name, BATCH, null)) {
    if (status === 'held' && (await findHold(tx.store, hostname)) === null) return true;
  }
  return false;
}

function readHeldName(input: string): string {
  const wildcard = input.startsWith('*.');
  const read = readName(wildcard ? input.slice(2) : input);
  if (!read.ok) {
    throw new ServiceError('invalid_hostname', { message: `This name cannot be held: ${read.problem}.` });
  }
  return wildcard ? `*.${read.name}` : read.name;
}

/** Holds a hostname for review on behalf of an operator, and writes an audit entry. */
export async function hold(
  context: Context,
  actor: string,
  hostname: string,
  reason: string | null,
): Promise<Hold> {
  const detail = { reason };
  const placed = await withAudit(context, { actor, action: 'hold.create', subject: hostname, detail }, (tx) =>
    placeHold(tx, hostname, reason),
  );
  await runHoldJob(context, placed.job);
  return placed.hold;
}

export async function release(context: Context, actor: string, hostname: string): Promise<void> {
  const job = await withAudit(context, { actor, action: 'hold.release', subject: hostname }, (tx) =>
    liftHold(tx, hostname),
  );
  await runHoldJob(context, job);
}

export async function listHolds(context: Context): Promise<Hold[]> {
  return selectHolds(context.store);
}
