import { sql } from 'kysely';
import type { Domain } from '../../core/domains/domain.ts';
import type { AccountId } from '../../core/ids.ts';
import { runTogether, type Statement } from '../run-together.ts';
import type { Store } from '../store.ts';

/** Counts of an account's domains. They are updated with each change, so that creating a domain does not have to count rows. */
export interface DomainCounts {
  /** Live domains that count towards the limit (`docs/api.md#domains`): neither expired nor deleted. */
  used: number;
  /** All live domains that were ever added, including deleted ones. */
  added: number;
  /** Test domains that are not deleted. An expired one stays until it is deleted. */
  tests: number;
}

/** Returns the counts over all apps of the account. */
export async function readDomainCounts(store: Store, accountId: AccountId): Promise<DomainCounts> {
  return (await selectDomainCounts(store, accountId).executeTakeFirst()) ?? NO_DOMAINS;
}

export const NO_DOMAINS: DomainCounts = { used: 0, added: 0, tests: 0 };

export function selectDomainCounts(store: Store, accountId: AccountId) {
  return store.db
    .selectFrom('domain_counts')
    .select(['used', 'added', 'tests'])
    .where('account_id', '=', accountId);
}

/**
 * Counts a domain that was added or whose status changed, in the transaction of that change. Call it after all other writes of the change.
 * Every writer locks first the account (if at all), then the domain with its event, lane and jobs, and last the counts. So no writer waits
 * for another lock while it holds counts. The only exception is a batch of `applyHold`, which goes on to its next domain.
 * @param before null for a new domain.
 */
export async function countDomain(
  store: Store,
  before: Pick<Domain, 'status'> | null,
  after: Pick<Domain, 'app_id' | 'mode' | 'status'>,
): Promise<void> {
  await runTogether(store, ...domainCounting(store, before, after));
}

/** Returns the statement of `countDomain`, if the counts change. */
export function domainCounting(
  store: Store,
  before: Pick<Domain, 'status'> | null,
  after: Pick<Domain, 'app_id' | 'mode' | 'status'>,
): Statement[] {
  const isLive = after.mode === 'live';
  const used = isLive ? usesOne(after) - usesOne(before) : 0;
  const added = isLive && before === null ? 1 : 0;
  const tests = after.mode === 'test' ? isKept(after) - isKept(before) : 0;
  if (used === 0 && added === 0 && tests === 0) return [];
  const counting = sql`
    insert into domain_counts (account_id, used, added, tests)
    select account_id, ${sql.lit(used)}, ${sql.lit(added)}, ${sql.lit(tests)} from apps where id = ${after.app_id}
    on conflict (account_id) do update set used = domain_counts.used + excluded.used,
      added = domain_counts.added + excluded.added, tests = domain_counts.tests + excluded.tests`;
  return [counting.compile(store.db)];
}

function usesOne(domain: Pick<Domain, 'status'> | null): 0 | 1 {
  return domain === null || domain.status === 'expired' || domain.status === 'deleted' ? 0 : 1;
}

function isKept(domain: Pick<Domain, 'status'> | null): 0 | 1 {
  return domain === null || domain.status === 'deleted' ? 0 : 1;
}
