import { sql } from 'kysely';
import type { Domain } from '../../core/domains/domain.ts';
import type { AccountId } from '../../core/ids.ts';
import type { Statement } from '../run-together.ts';
import type { Store, Tx } from '../store.ts';

/**
 * The number of domains of an account. The counts are updated with each change of a domain, so that creating a domain does not have to
 * count rows.
 */
export interface DomainCounts {
  /** Live domains that are neither expired nor deleted. The plan limits this number (`docs/api.md#domains`). */
  used: number;
  /** All live domains that were ever added, including deleted ones. */
  added: number;
  /** Test domains that are not deleted, including expired ones. */
  tests: number;
}

/** Returns the counts over all apps of the account. */
export async function readDomainCounts(store: Store, accountId: AccountId): Promise<DomainCounts> {
  const row = await store.db
    .selectFrom('domain_counts')
    .select(['used', 'added', 'tests'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? NO_DOMAIN_COUNTS;
}

export const NO_DOMAIN_COUNTS: DomainCounts = { used: 0, added: 0, tests: 0 };

/** The maximum of each count of an account. Null means that the count has no limit. */
export type CountLimits = { readonly [Count in keyof DomainCounts]?: number | null };

/**
 * Returns the statement that updates an account's counts after a domain was added or changed its status. Returns no statement if the counts
 * stay the same. Send the statement with the COMMIT of the domain's change. Every writer locks the counts last, after all other rows. So no
 * writer waits for another lock while it has locked the counts of an account.
 * @param before null for a new domain.
 * @param limits the statement fails if a count that it raises would exceed its limit.
 */
export function domainCounting(
  tx: Tx,
  before: Pick<Domain, 'status'> | null,
  after: Pick<Domain, 'app_id' | 'mode' | 'status'>,
  limits: CountLimits = {},
): Statement[] {
  const isLive = after.mode === 'live';
  const used = isLive ? usesOne(after) - usesOne(before) : 0;
  const added = isLive && before === null ? 1 : 0;
  const tests = after.mode === 'test' ? isKept(after) - isKept(before) : 0;
  const changes = { used, added, tests };
  const set = COUNTS.filter((name) => changes[name] !== 0).map((name) => {
    const count = sql.ref(`domain_counts.${name}`);
    const sum = sql`${count} + ${sql.ref(`excluded.${name}`)}`;
    const limit = changes[name] > 0 ? (limits[name] ?? null) : null;
    // If the limit is reached, the new value is null. The column does not allow null, so the statement fails.
    return sql`${sql.ref(name)} = ${limit === null ? sum : sql`case when ${count} < ${limit} then ${sum} end`}`;
  });
  if (set.length === 0) return [];
  const counting = sql`
    insert into domain_counts (account_id, used, added, tests)
    select account_id, ${sql.lit(used)}, ${sql.lit(added)}, ${sql.lit(tests)} from apps where id = ${after.app_id}
    on conflict (account_id) do update set ${sql.join(set)}`;
  return [counting.compile(tx.db)];
}

const COUNTS = ['used', 'added', 'tests'] as const;

function usesOne(domain: Pick<Domain, 'status'> | null): 0 | 1 {
  return domain === null || domain.status === 'expired' || domain.status === 'deleted' ? 0 : 1;
}

function isKept(domain: Pick<Domain, 'status'> | null): 0 | 1 {
  return domain === null || domain.status === 'deleted' ? 0 : 1;
}
