import type { Domain } from '../../shared/core/domains/domain.ts';
import type { StoredEvent } from '../../shared/core/webhooks/delivery.ts';
import { domainCounting } from '../../shared/store/domains/domain-counts.ts';
import { domainInsertion } from '../../shared/store/domains/domains.ts';
import { deliveriesWrite } from '../../shared/store/events/deliveries.ts';
import { eventDeliveriesUpdate, eventInsert } from '../../shared/store/events/events.ts';
import { laneInsert, lanesRelease, laneWaking } from '../../shared/store/events/lanes.ts';
import { jobsDeletion, jobsReplacement } from '../../shared/store/jobs/jobs.ts';
import { runTogether } from '../../shared/store/run-together.ts';
import { autocommit, inTransaction, type Store } from '../../shared/store/store.ts';

/** Inserts a domain. @returns false if the app already has this hostname in any mode. Then nothing is written. */
export async function insertDomain(store: Store, domain: Domain): Promise<boolean> {
  try {
    await inTransaction(store, (tx) => runTogether(tx, ...domainInsertion(tx, domain)));
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Returns whether an error means that the row already exists: `unique_violation` of Postgres, or `SQLITE_CONSTRAINT_UNIQUE`. */
function isDuplicate(error: unknown): boolean {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  return code === '23505' || errcode === 2067;
}

/** Adds a domain to the counts of domains, in statements of its own. */
export async function countDomain(...counted: Parameters<typeof domainCounting>): Promise<void> {
  await runTogether(counted[0], ...domainCounting(...counted));
}

export async function insertEvent(store: Store, event: StoredEvent): Promise<void> {
  await runTogether(store, eventInsert(autocommit(store), event));
}

export async function updateEventDeliveries(...updated: Parameters<typeof eventDeliveriesUpdate>) {
  await runTogether(updated[0], ...eventDeliveriesUpdate(...updated));
}

export async function saveDeliveries(...saved: Parameters<typeof deliveriesWrite>): Promise<void> {
  await runTogether(saved[0], ...deliveriesWrite(...saved));
}

export async function ensureLane(...lane: Parameters<typeof laneInsert>): Promise<void> {
  await runTogether(lane[0], laneInsert(...lane));
}

export async function wakeLane(...lane: Parameters<typeof laneWaking>): Promise<void> {
  await runTogether(lane[0], laneWaking(...lane));
}

export async function releaseLanes(...released: Parameters<typeof lanesRelease>): Promise<void> {
  await runTogether(released[0], ...lanesRelease(...released));
}

export async function cancelJobs(...jobs: Parameters<typeof jobsDeletion>): Promise<void> {
  await runTogether(jobs[0], jobsDeletion(...jobs));
}

export async function replaceJobs(...replaced: Parameters<typeof jobsReplacement>): Promise<void> {
  await runTogether(replaced[0], ...jobsReplacement(...replaced));
}
