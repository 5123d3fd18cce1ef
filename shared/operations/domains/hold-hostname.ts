import type { Domain } from '../../core/domains/domain.ts';
import { readName } from '../../core/domains/hostname.ts';
import { leaseEnd } from '../../core/domains/lease.ts';
import { findTransition } from '../../core/domains/transition.ts';
import { ServiceError } from '../../core/errors.ts';
import { MINUTE_MS } from '../../core/instant.ts';
import { lockDomainsUnderHold } from '../../store/domains/domains.ts';
import {
  deleteHold,
  findHold,
  findHoldUntilCommit,
  type Hold,
  insertHold,
  lockHolds,
} from '../../store/domains/holds.ts';
import { finishJob, type JobLease, scheduleLeasedJob } from '../../store/jobs/jobs.ts';
import { type Context, transact } from '../context.ts';
import { recordTransition } from './record-transition.ts';

/** Domains that one transaction moves: few enough that nobody waits long for their rows. */
const BATCH = 100;
/** As long as a worker's lease of a job. */
const LEASE_MS = 2 * MINUTE_MS;

/**
 * Holds a hostname for review: an exact name, or `*.name` for all names below it. Existing domains of it become `held`, new ones
 * are refused (`docs/domains.md`). Holding twice is holding once.
 * @throws ServiceError `invalid_hostname`.
 */
export async function holdHostname(context: Context, input: string, reason: string | null): Promise<Hold> {
  const { hold, job } = await transact(context, (tx) => placeHold(tx, input, reason));
  await settleNow(context, job);
  return hold;
}

/**
 * Ends a hold. Its domains go back to the status before it, unless another hold covers them; so does a test domain that is held
 * because its name asks for it.
 * @throws ServiceError `invalid_hostname`, or `not_found` where there is nothing to release.
 */
export async function releaseHostname(context: Context, input: string): Promise<void> {
  await settleNow(context, await transact(context, (tx) => liftHold(tx, input)));
}

/** The hold itself: once committed, new domains are refused. The domains that are there follow by the job, which is the caller's to do. */
export async function placeHold(
  tx: Context,
  input: string,
  reason: string | null,
): Promise<{ hold: Hold; job: JobLease }> {
  const hostname = readHeldName(input);
  await lockHolds(tx.store);
  const hold: Hold = { hostname, reason, created_at: tx.clock.now() };
  await insertHold(tx.store, hold);
  tx.notices.publish({ kind: 'route', hostname });
  return { hold, job: await oweSettling(tx, hostname) };
}

/** The end of a hold, likewise. @throws ServiceError as `releaseHostname`. */
export async function liftHold(tx: Context, input: string): Promise<JobLease> {
  const hostname = readHeldName(input);
  if (!(await deleteHold(tx.store, hostname)) && !(await isAnyReleasable(tx, hostname))) {
    throw new ServiceError('not_found', { message: `There is no hold of ${hostname}.` });
  }
  tx.notices.publish({ kind: 'route', hostname });
  return oweSettling(tx, hostname);
}

/** Does the job that a hold or a release left to its caller. */
export async function settleNow(context: Context, job: JobLease): Promise<void> {
  await settleHold(context, job);
  await finishJob(context.store, job, null);
}

/**
 * The job `settle_hold`: holds and releases every domain of the name as the holds that stand now would have it, in short transactions.
 * Done again, or by two at the same time, it comes to the same.
 */
export async function settleHold(
  context: Context,
  { subject_id: name }: Pick<JobLease, 'subject_id'>,
): Promise<null> {
  let last: Domain | null = null;
  do {
    last = await transact(context, async (tx) => {
      const domains = await lockDomainsUnderHold(tx.store, name, BATCH, last);
      for (const domain of inLaneOrder(domains)) await settle(tx, domain);
      return domains.length < BATCH ? null : (domains.at(-1) ?? null);
    });
  } while (last !== null);
  return null;
}

async function settle(tx: Context, domain: Domain): Promise<void> {
  const name = (await findHoldUntilCommit(tx.store, domain.hostname)) === null ? 'release' : 'hold';
  if (findTransition(domain, name, tx.clock.now()) === null) return;
  await recordTransition(tx, domain, { name });
}

/**
 * Sorts by id, the order in which the deliverer locks lanes, so that neither waits for the other in a circle. The counts of the domains'
 * accounts (`countDomain`) are then locked in any order. If two batches wait for each other there, Postgres undoes one of them, and
 * `inTransaction` runs it again.
 */
function inLaneOrder(domains: readonly Domain[]): Domain[] {
  return domains.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Should the caller not come to the end of it, a worker does when the lease has run out. */
async function oweSettling(tx: Context, hostname: string): Promise<JobLease> {
  const job: JobLease = { kind: 'settle_hold', subject_id: hostname, lease_id: tx.ids('lea') };
  const due_at = leaseEnd(tx.settings, tx.clock.now(), LEASE_MS);
  await scheduleLeasedJob(tx.store, { ...job, app_id: null, due_at });
  return job;
}

async function isAnyReleasable(tx: Context, name: string): Promise<boolean> {
  for (const { status, hostname } of await lockDomainsUnderHold(tx.store, name, BATCH, null)) {
    if (status === 'held' && (await findHold(tx.store, hostname)) === null) return true;
  }
  return false;
}

function readHeldName(input: string): string {
  const wildcard = input.startsWith('*.');
  const read = readName(wildcard ? input.slice(2) : input);
  if ('problem' in read) {
    throw new ServiceError('invalid_hostname', { message: `This name cannot be held: ${read.problem}.` });
  }
  return wildcard ? `*.${read.name}` : read.name;
}
