import { systemClock } from '../../shared/ports/clock.ts';
import { createIds, systemRandom } from '../../shared/ports/random.ts';
import { insertAudit } from '../../shared/store/audit-log.ts';
import type { ServiceCommand } from '../command.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { migrateDatabase } from '../migrations.ts';
import { actorOf, operatorLog } from '../operator.ts';

export const migrate: ServiceCommand = {
  description:
    'Brings the database up to this version: all that it lacks in order and in one transaction, one process at a time. Nodes of the version before may run meanwhile. A database that is newer than this version is refused. Doing it again does nothing.',
  examples: ['service migrate', 'service migrate --json'],
  async run(call) {
    const config = readConfig(call.env);
    // A migration may take as long as it takes. Past the pooler: that, and the lock, are the session's.
    const database = await openDatabase(
      { ...config, database_url: config.listen_url, statement_timeout_ms: 0 },
      operatorLog(call),
    );
    try {
      const done = await migrateDatabase(database.store);
      if (done.length > 0) {
        await insertAudit(database.store, {
          id: createIds(systemClock, systemRandom)('aud'),
          at: systemClock.now(),
          actor: actorOf(config),
          action: 'database.migrate',
          subject: done.at(-1) ?? '',
          detail: { done },
        });
      }
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
