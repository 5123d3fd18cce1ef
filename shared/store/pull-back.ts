import { sql } from 'kysely';
import type { JobKind } from '../core/domains/job.ts';
import type { Instant } from '../core/instant.ts';
import { EVENT_AGE } from './prune.ts';
import { PENDING, QUEUED } from './row-values.ts';
import { inTransaction, type Store } from './store.ts';

/**
 * Makes rows due that were scheduled too late by a clock that ran ahead. Each function returns the number of changed rows. Each statement
 * runs in `inTransaction`, which retries it after a deadlock, because it locks many rows in a different order than workers do.
 */

/** Makes all jobs of a kind due now if they are scheduled for later than a given time. */
export async function pullBackJobs(
  store: Store,
  kind: JobKind,
  after: Instant,
  now: Instant,
): Promise<number> {
  const { numUpdatedRows } = await inTransaction(store, ({ db }) =>
    db
      .updateTable('jobs')
      .set({ due_at: now, lease_id: null, leased_until: 0 })
      .where('kind', '=', kind)
      .where(QUEUED)
      .where('due_at', '>', after)
      .executeTakeFirst(),
  );
  return Number(numUpdatedRows);
}

/**
 * Moves jobs of domains whose status began in the future. A job is scheduled relative to the start of the status, so it moves back by as
 * much as this start is ahead. The query finds these domains by their events, which also have dates in the future.
 */
export async function pullBackJobsOfDomains(store: Store, after: Instant, now: Instant): Promise<number> {
  const at = sql.lit(now);
  const update = sql`
    update jobs set due_at = case
      when jobs.due_at - (domains.status_since - ${at}) > ${at} then jobs.due_at - (domains.status_since - ${at}) else ${at} end
    from domains
    where domains.id = jobs.subject_id and domains.status_since > ${sql.lit(after)} and jobs.due_at > ${sql.lit(after)} and jobs.lease_id is null
      and domains.id in (
        select domain_id from events where delivery_status <> ${PENDING} and ${EVENT_AGE} > ${sql.lit(after)} and created_at > ${sql.lit(after)}
        union select domain_id from events where delivery_status = ${PENDING} and created_at > ${sql.lit(after)}
      )`;
  const { numAffectedRows } = await inTransaction(store, ({ db }) => update.execute(db));
  return Number(numAffectedRows ?? 0);
}

/** Ends leases of jobs and event queues that last longer than any lease can, because the clock of the worker ran ahead. */
export async function endLeases(store: Store, after: Instant, now: Instant): Promise<number> {
  let count = 0;
  for (const table of ['jobs', 'lanes'] as const) {
    const { numUpdatedRows } = await inTransaction(store, ({ db }) =>
      db
        .updateTable(table)
        .set({ due_at: now, leased_until: 0 })
        .where('lease_id', 'is not', null)
        .where('leased_until', '>', after)
        .executeTakeFirst(),
    );
    count += Number(numUpdatedRows);
  }
  return count;
}

/**
 * Deletes rate windows whose last use is dated after a given time, because they would refuse requests until then. Ends idempotency claims
 * whose lease ends after that time.
 */
export async function endClaims(store: Store, after: Instant, now: Instant): Promise<number> {
  const windows = await inTransaction(store, ({ db }) =>
    db.deleteFrom('rate_windows').where('opened_at', '>', after).executeTakeFirst(),
  );
  const claims = await inTransaction(store, ({ db }) =>
    db
      .updateTable('idempotency')
      .set({ lease_until: now })
      .where('status', 'is', null)
      .where('lease_until', '>', after)
      .executeTakeFirst(),
  );
  return Number(windows.numDeletedRows) + Number(claims.numUpdatedRows);
}

/**
 * Makes events due whose next attempt is later than the retry schedule allows after their number of tries. Also moves the domains' event
 * queues.
 * @param aheadMsMax how far ahead the next attempt may be, by number of tries. The last value applies to all higher numbers.
 */
export async function pullBackAttempts(
  store: Store,
  aheadMsMax: readonly number[],
  toleranceMs: number,
  now: Instant,
): Promise<number> {
  // Postgres would assume that a parameter in a CASE is text.
  const at = sql.lit(now);
  const steps = aheadMsMax.map((ms, tries) => sql`when ${sql.lit(tries)} then ${sql.lit(now + ms)}`);
  const most = now + (aheadMsMax.at(-1) ?? 0);
  const latest = sql`case tries ${sql.join(steps, sql` `)} else ${sql.lit(most)} end`;
  const updateEvents = sql`
    update events set next_attempt_at = ${at}, first_attempt_at = case when first_attempt_at > ${at} then ${at} else first_attempt_at end
    where delivery_status = ${PENDING} and next_attempt_at > ${sql.lit(toleranceMs)} + ${latest}`;
  const { numAffectedRows } = await inTransaction(store, ({ db }) => updateEvents.execute(db));
  const next = sql`(
    select next_attempt_at from events
    where events.domain_id = lanes.domain_id and delivery_status = ${PENDING} order by seq limit 1)`;
  const updateLanes = sql`
    update lanes set due_at = ${next}
    where ${QUEUED} and lease_id is null and due_at > ${now + toleranceMs} and due_at > ${next}`;
  await inTransaction(store, ({ db }) => updateLanes.execute(db));
  return Number(numAffectedRows ?? 0);
}
