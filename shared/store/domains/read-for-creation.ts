import { sql } from 'kysely';
import type { Account } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import type { AppId } from '../../core/ids.ts';
import { accountOf } from '../accounts/accounts.ts';
import { appOfRow } from '../accounts/apps.ts';
import { DELETED } from '../row-values.ts';
import type { Store } from '../store.ts';
import type { DomainCounts } from './domain-counts.ts';
import { selectHoldUntilCommit } from './holds.ts';

/** The data that decides whether an app may add a hostname. */
export interface CreationFacts {
  app: App;
  account: Account;
  /**
   * The domain counts of the account. Other transactions may raise the counts before this transaction ends, so `domainCounting` checks the
   * limits again.
   */
  counts: DomainCounts;
  /** True if the app has a domain at this hostname. */
  exists: boolean;
  /** True if a hold covers the hostname. No hold can be added until the transaction ends. */
  isHeld: boolean;
}

/** Reads the data that decides whether an app may add a hostname, in one statement. Call this within a transaction. */
export async function readForCreation(store: Store, appId: AppId, hostname: string): Promise<CreationFacts> {
  const row = await store.db
    .selectFrom('apps')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .leftJoin('domain_counts', 'domain_counts.account_id', 'accounts.id')
    .leftJoin('domains', (join) =>
      join
        .onRef('domains.app_id', '=', 'apps.id')
        .on('domains.hostname', '=', hostname)
        .on('domains.status', '<>', DELETED)
        .on('domains.mode', '<>', 'host'),
    )
    .selectAll('apps')
    .select([
      'accounts.name as account_name',
      'accounts.plan',
      'accounts.trial_ends_at',
      'accounts.promotional',
      'accounts.card_on_file',
      'accounts.suspended',
      'accounts.created_at as account_created_at',
      sql<number>`coalesce(used, 0)`.as('used'),
      sql<number>`coalesce(added, 0)`.as('added'),
      sql<number>`coalesce(tests, 0)`.as('tests'),
      'domains.id as domain_id',
      // If this query waits for a transaction that called `lockHolds`, it then reads the holds of that transaction too.
      sql<string | null>`(${selectHoldUntilCommit(store, hostname).clearSelect().select('hostname')})`.as(
        'hold',
      ),
    ])
    .where('apps.id', '=', appId)
    .executeTakeFirstOrThrow();
  const {
    account_name,
    account_created_at,
    plan,
    trial_ends_at,
    promotional,
    card_on_file,
    suspended,
    ...others
  } = row;
  const { used, added, tests, domain_id, hold, ...app } = others;
  const account = { plan, trial_ends_at, promotional, card_on_file, suspended };
  return {
    app: appOfRow(app),
    account: accountOf({
      ...account,
      id: app.account_id,
      name: account_name,
      created_at: account_created_at,
    }),
    counts: { used, added, tests },
    exists: domain_id !== null,
    isHeld: hold !== null,
  };
}
