import { writeSync } from 'node:fs';
import { createIds, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import type { Account } from '../../shared/core/accounts/account.ts';
import { insertAccount } from '../../shared/store/accounts/accounts.ts';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import { openSqlite } from '../../shared/store/sqlite.ts';
import { inTransaction } from '../../shared/store/store.ts';
import { anAccount } from './rows.ts';

/**
 * A program that opens the given file and commits pairs of accounts until it is killed. It writes `open`, then the first id of each
 * committed pair.
 */
const PAIRS_MAX = 100_000;

const ids = createIds(systemClock, systemRandom);
const store = openSqlite(process.argv[2] ?? '');
await migrateSchema(store);
say('open');
for (let i = 0; i < PAIRS_MAX; i++) {
  const [first, second] = ['first', 'second'].map((name) => anAccount({ id: ids('acc'), name })) as [
    Account,
    Account,
  ];
  await inTransaction(store, async (tx) => {
    await insertAccount(tx, first);
    await insertAccount(tx, second);
  });
  say(first.id);
}

/** Writes synchronously, because a kill would lose buffered output. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
