import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openPostgresStore } from '../../../../service/database/postgres-store.ts';
import { type FollowerOptions, followValues } from '../../../../service/edge/replica/follow-values.ts';
import { createPostgresSource } from '../../../../service/edge/replica/postgres-source.ts';
import { isUnusable } from '../../../../service/edge/replica/replica-file.ts';
import { createLocalNotices } from '../../../../shared/adapters/system.ts';
import type { SealedValue } from '../../../../shared/core/edge/edge-value.ts';
import { claimEpoch, saveEdgeValues } from '../../../../shared/store/edge/edge-values.ts';
import { autocommit, inTransaction, type Store } from '../../../../shared/store/store.ts';
import { migratedDatabase } from '../../database/migrated-database.ts';
import { newFolder, replicaIn, textOf } from './sample-values.ts';

export const NOW = Date.parse('2026-06-01T00:00:00Z');

type FollowedOptions = Partial<FollowerOptions> & { store?: Store; page?: number };

/** A Postgres with values, replicas that follow it, and a clock that a test moves. */
export async function followedDatabase() {
  const database = await migratedDatabase();
  const opened = openPostgresStore({
    connectionString: database.url,
    connectionsMax: 4,
    onIdleError: () => undefined,
  });
  const { store } = opened;
  onTestFinished(async () => {
    await store.db.destroy();
    await database[Symbol.asyncDispose]();
  });
  await claimEpoch(autocommit(store), 'one');
  const notices = createLocalNotices();
  const clock = { at: NOW, now: () => clock.at };
  return {
    store,
    notices,
    clock,
    /** Writes values in one transaction, in the epoch of the database. */
    publish: (...values: SealedValue[]) =>
      inTransaction(store, async (tx) => {
        await saveEdgeValues(tx, values, clock.now());
      }),
    /** Forgets deletions, as the daily clean-up does. */
    forgetDeletions: () =>
      autocommit(store).db.deleteFrom('edge_values').where('deleted_at', 'is not', null).execute(),
    execute: (statement: string) => sql.raw(statement).execute(store.db),
    follow(folder = newFolder(), { store: followed = store, page, ...more }: FollowedOptions = {}) {
      const replica = replicaIn(folder);
      const logged: string[] = [];
      const add = (_: unknown, message: string) => logged.push(message);
      const unusable: unknown[] = [];
      const follower = followValues({
        source: createPostgresSource(followed, notices, page),
        replica,
        clock,
        log: { info: add, warn: add, error: add },
        onFailure: (error) => isUnusable(error) && unusable.push(error),
        pollMs: 20,
        ...more,
      });
      let closing: Promise<void> | null = null;
      const close = () => {
        closing ??= follower.close().then(() => replica.close());
        return closing;
      };
      onTestFinished(close);
      return {
        replica,
        logged,
        folder,
        close,
        ready: follower.ready,
        unusable,
        text: (key: string) => textOf(replica, key),
      };
    },
  };
}

/** Returns a store that fails or waits where a test says so. @param before called before each query. */
export function watchedStore(store: Store, before: () => void): Store {
  return {
    ...store,
    get db() {
      before();
      return store.db;
    },
  };
}
