import { createIds, systemClock, systemRandom } from '../../shared/adapters/system.ts';
import { insertAudit } from '../../shared/store/accounts/audit-log.ts';
import type { Tx } from '../../shared/store/store.ts';
import type { ServiceCommand } from '../command.ts';
import { openDatabase } from '../database/database.ts';
import { migrateDatabase } from '../database/migrations.ts';
import { limitRole } from '../database/statement-timeout.ts';
import { actorOf, operatorLog, readInsideConfig } from './operator/operator.ts';

export const migrate: ServiceCommand = {
  description:
    'Migrates the database to this version. Runs all pending migrations in order, each in a transaction, and only one process at a time. Nodes of the previous version may keep running. Refuses a database that is newer than this version. Running it again changes nothing.',
  examples: ['service migrate', 'service migrate --json'],
  async run(call) {
    const config = readInsideConfig(call);
    const log = operatorLog(call);
    // Connect without the pooler, because its open sessions would keep the old statement timeout.
    const database = await openDatabase({ ...config, databaseUrl: config.listenUrl }, log);
    try {
      const done = await migrateDatabase({
        connectionString: database.directUrl,
        log,
        async also(tx, migrated) {
          if (migrated === null) await limitRole(tx, config.statementTimeoutMs);
          else await record(tx, actorOf(config), migrated);
        },
      });
      return {
        document: { done },
        view: {
          columns: ['migrated'],
          rows: done.map((name) => [name]),
          none: 'The database is up to date.',
        },
      };
    } finally {
      await database.close();
    }
  },
};

async function record(tx: Tx, actor: string, migrated: string): Promise<void> {
  await insertAudit(tx, {
    id: createIds(systemClock, systemRandom)('aud'),
    at: systemClock.now(),
    actor,
    action: 'database.migrate',
    subject: migrated,
    detail: null,
  });
}
