import type { Account } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { AccountId, AppId } from '../../core/ids.ts';
import { accountOf, selectAccountForUpdate } from '../accounts/accounts.ts';
import { appOfRow, selectApp } from '../accounts/apps.ts';
import { runTogether } from '../run-together.ts';
import type { Store } from '../store.ts';
import type { AppRow, DomainRow } from '../tables.ts';
import { type DomainCounts, NO_DOMAINS, selectDomainCounts } from './domain-counts.ts';
import { domainOf, selectDomainOfApp } from './domains.ts';
import { type Hold, selectHoldUntilCommit } from './holds.ts';

/** The facts that decide whether an app may add a hostname. */
export interface CreationFacts {
  app: App;
  /** The domain that the app already has at this hostname. */
  existing: Domain | null;
  /** The hold that covers the hostname. No other is placed until the transaction ends. */
  hold: Hold | null;
  /** The account with its row locked, and its counts. Null for a domain that counts towards no limit. */
  payer: { account: Account; counts: DomainCounts } | null;
}

/**
 * Reads the facts that decide whether an app may add a hostname. Locks the account before it reads the counts. So if several
 * requests add one hostname at once, the others see the one that was first. Call it within a transaction.
 */
export async function readForCreation(
  store: Store,
  asked: { app_id: AppId; payer_id: AccountId | null; hostname: string },
): Promise<CreationFacts> {
  const selectFacts = [
    selectApp(store, asked.app_id).compile(),
    selectHoldUntilCommit(store, asked.hostname).compile(),
    // Comes after the hold, because it must see what a transaction changed that places one.
    selectDomainOfApp(store, asked.app_id, asked.hostname).compile(),
  ] as const;
  if (asked.payer_id === null) {
    const [apps, holds, domains] = await runTogether(store, ...selectFacts);
    return { ...factsOf(apps, holds, domains), payer: null };
  }
  const [accounts, apps, holds, domains, counts] = await runTogether(
    store,
    selectAccountForUpdate(store, asked.payer_id).compile(),
    ...selectFacts,
    selectDomainCounts(store, asked.payer_id).compile(),
  );
  return {
    ...factsOf(apps, holds, domains),
    payer: { account: accountOf(only(accounts)), counts: counts[0] ?? NO_DOMAINS },
  };
}

function factsOf(apps: readonly AppRow[], holds: readonly Hold[], domains: readonly DomainRow[]) {
  const [domain] = domains;
  return { app: appOfRow(only(apps)), existing: domain ? domainOf(domain) : null, hold: holds[0] ?? null };
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new TypeError('the account or the app of a request does not exist');
  return row;
}
