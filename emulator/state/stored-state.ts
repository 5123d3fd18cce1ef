import { systemClock } from '../../shared/adapters/system.ts';
import type { Instant } from '../../shared/core/instant.ts';
import type { Runner } from '../../shared/jobs/runner.ts';
import { type Context, type TxContext, transact } from '../../shared/operations/context.ts';
import { releaseAllIdempotencyKeys } from '../../shared/store/accounts/idempotency.ts';
import { dropLaneLeases } from '../../shared/store/events/lanes.ts';
import { dropJobLeases } from '../../shared/store/jobs/jobs.ts';
import type { Store, Tx } from '../../shared/store/store.ts';
import { applySeed } from '../seed/apply-seed.ts';
import type { SeededApp } from '../seed/seed-app.ts';
import type { ReadSeed } from '../seed/seed-schema.ts';
import {
  type AdjustableClock,
  type ClockState,
  createAdjustableClock,
  startOfTime,
} from '../time/adjustable-clock.ts';
import type { TimeControl } from '../time/time-control.ts';
import {
  createDefaultAccount,
  type DefaultApp,
  type DefaultTargets,
  readDefaultApp,
  setDefaultAppUrls,
} from './default-account.ts';
import { findFact, saveFact } from './emulator-facts.ts';
import { type FileSecrets, fileKey } from './file-secrets.ts';
import { beginRun, type SeededRandom } from './seeded-random.ts';
import { appIds, clearState } from './state-tables.ts';

/**
 * The emulator's stored accounts, domains, events and clock, with the functions that replace them. Each function changes everything or
 * nothing.
 */
export interface StoredState {
  /** Returns the current default app. A reset, an import or a rotation of its secret changes it. */
  defaultApp(): DefaultApp;
  /** Resets to a fresh account with the default keys, applies the seed if there is one, and sets the clock to the machine's time. */
  reset(seed: ReadSeed | null): Promise<void>;
  /** Applies a seed completely, or changes nothing. @throws ServiceError `validation_failed` whose fields are paths in the seed. */
  applySeed(seed: ReadSeed): Promise<SeededApp[]>;
  /**
   * Replaces the stored state, including the clock, with the state that `work` writes. Like a reset, it also clears injected faults, mails
   * and recorded requests.
   */
  replace(work: (store: Store) => Promise<void>): Promise<void>;
}

export interface StateParts {
  context: Context;
  clock: AdjustableClock;
  runner: Runner;
  time: TimeControl;
  secrets: FileSecrets;
  /** The source of ids with `--id-seed`; null if ids are random. */
  seeded: SeededRandom | null;
  targets: DefaultTargets;
  /** The parts of the emulator with state in memory. They are cleared when the stored state is replaced. */
  memories: readonly { clear(): void }[];
}

/**
 * Opens the state in the store. In a new file, creates the default account. In an existing file, drops the leases of the previous process.
 */
export async function openState(parts: StateParts): Promise<StoredState> {
  const { context, clock, runner, time, secrets, seeded, targets, memories } = parts;
  const { store } = context;
  let app = await transact(context, async (tx) => {
    if ((await findFact(tx.store, 'app_id')) === null) await createDefaultAccount(tx, targets);
    else await setDefaultAppUrls(tx, targets);
    await dropLeases(tx.store, clock.now());
    return readDefaultApp(tx);
  });

  context.notices.subscribe((notice) => {
    if (notice.kind !== 'secret' || notice.app_id !== app.id) return;
    readDefaultApp(context).then(
      (read) => {
        app = read;
      },
      (error: unknown) => context.log.error({ error }, 'the default app could not be read'),
    );
  });

  /** Writes the new state in one transaction. After the commit, updates the clock and clears the state in memory. */
  async function replaceState(write: (tx: TxContext) => Promise<ClockState>): Promise<void> {
    await runner.exclusively(async () => {
      const before = await appIds(store);
      const written = await transact(context, async (tx) => {
        const clockState = await write(tx);
        await saveFact(tx.store, 'clock', clockState);
        return { clockState, app: await readDefaultApp(tx) };
      });
      clock.restore(written.clockState);
      app = written.app;
      for (const memory of memories) memory.clear();
      // Drop the cached credentials of the previous state.
      for (const appId of before) context.notices.publish({ kind: 'credentials', app_id: appId });
    });
    time.noteWork();
  }

  return {
    defaultApp: () => app,
    async reset(seed) {
      try {
        await replaceState(async (tx) => {
          const { mode } = clock.state;
          const fresh = createAdjustableClock(systemClock, startOfTime(mode, seeded));
          fresh.setMode(mode);
          await clearState(tx.store);
          await beginRun(tx.store, seeded, 0);
          const atStart = { ...tx, clock: fresh };
          await createDefaultAccount(atStart, targets);
          if (seed !== null) await applySeed(atStart, (await readDefaultApp(tx)).id, seed);
          return fresh.state;
        });
      } catch (error) {
        // After a failure, the old state remains, with its ids. Begin a new run, so that no id is used twice.
        await beginRun(store, seeded);
        throw error;
      }
    },
    async applySeed(seed) {
      const apps = await runner.exclusively(() => transact(context, (tx) => applySeed(tx, app.id, seed)));
      time.noteWork();
      return apps;
    },
    async replace(work) {
      const { key } = secrets;
      try {
        await replaceState(async (tx) => {
          await work(tx.store);
          const kept = (await findFact(tx.store, 'clock')) ?? clock.state;
          await dropLeases(tx.store, createAdjustableClock(systemClock, kept).now());
          // Set the key before the commit, so that every secret that is stored after the commit is encrypted with the key of the new state.
          secrets.key = await fileKey(tx.store, context.random);
          await beginRun(tx.store, seeded);
          return kept;
        });
      } catch (error) {
        secrets.key = key;
        throw error;
      }
    },
  };
}

/** Drops all leases in the state. Only one process uses the state, so every lease is left over from a process that has ended. */
async function dropLeases(tx: Tx, now: Instant): Promise<void> {
  await dropJobLeases(tx, now);
  await dropLaneLeases(tx, now);
  await releaseAllIdempotencyKeys(tx);
}
