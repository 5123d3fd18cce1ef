import type { Context } from '../shared/operations/context.ts';
import { type Backlog, readBacklog } from '../shared/store/backlog.ts';
import { pendingMigrations } from '../shared/store/migrate.ts';

/** Whether a node can do its work now, and what is in the way. */
export interface Readiness {
  ready: boolean;
  draining: boolean;
  /** `ok`, or what went wrong. */
  database: string;
  migrations: string;
  backlog: Backlog | null;
}

/** Asks the database; a node that drains is not ready, so that nobody sends it more. */
export async function readReadiness({ store, clock }: Context, draining: boolean): Promise<Readiness> {
  try {
    const pending = await pendingMigrations(store);
    const backlog = await readBacklog(store, clock.now());
    const migrations = pending.length === 0 ? 'ok' : `pending: ${pending.join(', ')}`;
    return { ready: !draining && pending.length === 0, draining, database: 'ok', migrations, backlog };
  } catch (error) {
    const database = error instanceof Error ? error.message : 'unknown';
    return { ready: false, draining, database, migrations: 'unknown', backlog: null };
  }
}
