import { createOutbound } from '../shared/adapters/guarded-outbound.ts';
import { hostsLookup } from '../shared/adapters/host-addresses.ts';
import { createLocalNotices } from '../shared/adapters/local-notices.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { createIds, systemRandom } from '../shared/adapters/system-random.ts';
import type { Instant } from '../shared/core/instant.ts';
import type { Settings } from '../shared/core/settings.ts';
import { COMMON_HANDLERS } from '../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../shared/jobs/runner.ts';
import { type Context, type TxContext, transact } from '../shared/operations/context.ts';
import type { Log } from '../shared/ports/system.ts';
import { releaseAllIdempotencyKeys } from '../shared/store/accounts/idempotency.ts';
import { dropLaneLeases } from '../shared/store/events/lanes.ts';
import { dropJobLeases } from '../shared/store/jobs/jobs.ts';
import { migrateSchema } from '../shared/store/migrations/migrate.ts';
import { openSqlite } from '../shared/store/sqlite.ts';
import { autocommit, closeStore, type Store, type Tx } from '../shared/store/store.ts';
import { type ChaosControl, createSignAt, withChaos } from './chaos/chaos.ts';
import { createForcedErrors, type ForcedErrorQueue } from './chaos/forced-errors.ts';
import { withClosing, withoutClosing } from './closing.ts';
import { type CountedTraffic, countTraffic } from './edge/counted-traffic.ts';
import { emulatorSettings } from './emulator-settings.ts';
import { applySeed } from './seed/apply-seed.ts';
import type { SeededApp } from './seed/seed-app.ts';
import type { ReadSeed } from './seed/seed-schema.ts';
import { type CapturedMails, createCapturedMails } from './state/captured-mail.ts';
import {
  createDefaultAccount,
  type DefaultApp,
  type DefaultTargets,
  readDefaultApp,
  readTargets,
  setDefaultAppUrls,
} from './state/default-account.ts';
import { createFactTable, createStoredCnameLookup, findFact, saveFact } from './state/emulator-facts.ts';
import { createFileSecrets, fileKey } from './state/file-secrets.ts';
import { beginRun, createSeededRandom } from './state/seeded-random.ts';
import { createSeenRequests, type SeenRequests } from './state/seen-calls.ts';
import { appIds, clearState } from './state/state-tables.ts';
import { AdjustableClock, type ClockMode, type ClockState, startOfTime } from './time/adjustable-clock.ts';
import { createTimeControl, type TimeControl } from './time/time-control.ts';
import { countedHandlers, timedByClock, withSparseProbes } from './time/timed-work.ts';

export interface CompositionOptions extends DefaultTargets {
  /** SQLite file of the state; null keeps it in memory. */
  file: string | null;
  /** Mode of the clock; null keeps the mode stored in the file. */
  clockMode: ClockMode | null;
  /** Base URL of the API. */
  baseUrl: string;
  /** Port of the edge. By default there is no edge. */
  edgePort?: number;
  /** Seed of every id, key, secret and token; null makes them random. */
  idSeed: string | null;
  log: Log;
}

/** The emulator without its listeners: its adapters, its job runner, and everything the control surface acts on. */
export interface EmulatorComposition {
  context: Context;
  clock: AdjustableClock;
  time: TimeControl;
  runner: Runner;
  chaos: ChaosControl;
  errors: ForcedErrorQueue;
  requests: SeenRequests;
  traffic: CountedTraffic;
  mails: CapturedMails;
  /** Returns the current default app, which a reset, an import or a rotation changes. */
  defaultApp(): DefaultApp;
  /** Resets to a fresh account with the default keys, applies the seed if given, and returns the clock to the machine's time. */
  reset(seed: ReadSeed | null): Promise<void>;
  /** Applies all of a seed, or nothing. @throws ServiceError `validation_failed` whose fields are paths in the seed. */
  applySeed(seed: ReadSeed): Promise<SeededApp[]>;
  /**
   * Replaces the stored state, including the clock, with the state that `work` writes. Like a reset, it clears faults, chaos and seen
   * requests.
   */
  replace(work: (store: Store) => Promise<void>): Promise<void>;
  isClosed(): boolean;
  /** Closes at once. A webhook delivery in flight is repeated after the next start. */
  close(): Promise<void>;
}

/**
 * Composes the emulator. Nothing else creates its adapters.
 * @throws ServiceError if the API would refuse the origin or the webhook URL.
 */
export async function composeEmulator(options: CompositionOptions): Promise<EmulatorComposition> {
  const settings = emulatorSettings(options.baseUrl, options.edgePort);
  const targets = readTargets(options, settings);
  const store = openSqlite(options.file);
  try {
    return await composeOn(store, settings, targets, options);
  } catch (error) {
    await closeStore(store);
    throw error;
  }
}

async function composeOn(
  store: Store,
  settings: Settings,
  targets: DefaultTargets,
  options: Pick<CompositionOptions, 'clockMode' | 'idSeed' | 'log'>,
): Promise<EmulatorComposition> {
  await migrateSchema(store);
  await createFactTable(store);
  const seeded = options.idSeed === null ? null : createSeededRandom(options.idSeed);
  const random = seeded?.random ?? systemRandom;
  const keptClock = await findFact(store, 'clock');
  const clock = new AdjustableClock(systemClock, keptClock ?? startOfTime(options.clockMode, seeded));
  if (options.clockMode !== null) clock.setMode(options.clockMode);
  await saveClock();
  // The key is created before the run begins: a reset begins a new run, but keeps the key.
  const secrets = createFileSecrets(await fileKey(store, random), random);
  await beginRun(store, seeded);
  const log = withoutClosing(options.log);
  const client = createOutbound({ allowLoopback: true, refusedAddresses: [], lookup: hostsLookup });
  const outbound = withClosing(
    withChaos(seeded === null ? client : timedByClock(client, clock), {
      signature_header: settings.names.signature_header,
      signAt: createSignAt(() => context),
    }),
  );
  const mails = createCapturedMails(clock);
  const traffic = countTraffic({ store, clock, log });
  const context: Context = {
    settings,
    store,
    clock,
    wallClock: systemClock,
    random,
    ids: seeded?.ids ?? createIds(clock, random),
    secrets,
    outbound,
    cnameLookup: createStoredCnameLookup(store),
    dns: null,
    pathProbe: null,
    oneClick: null,
    mailer: mails,
    billing: null,
    issuance: null,
    notices: createLocalNotices(),
    log,
    traffic,
  };
  const runner = createRunner(context, {
    handlers: countedHandlers(
      withSparseProbes(COMMON_HANDLERS, () => time.currentMove()?.to ?? null),
      (kind) => time.countDone(kind),
    ),
    // With a seed, one delivery at a time: with concurrent ones, it would change from run to run which delivery has which id.
    limits:
      seeded === null
        ? { inFlightMax: 100, inFlightPerAccountMax: 20 }
        : { inFlightMax: 1, inFlightPerAccountMax: 1 },
    pollMs: 1000,
    onAttempt: () => time.countDone('deliver'),
  });
  const time: TimeControl = createTimeControl({
    store,
    clock,
    runner,
    save: saveClock,
    onError: (error) => log.error({ error }, 'the clock could not be moved'),
  });
  const [errors, requests, { chaos }] = [createForcedErrors(), createSeenRequests(), outbound];
  let app = await transact(context, async (tx) => {
    if ((await findFact(tx.store, 'app_id')) === null) await createDefaultAccount(tx, targets);
    else await setDefaultAppUrls(tx, targets);
    await dropLeases(tx.store, clock.now());
    return readDefaultApp(tx);
  });
  context.notices.subscribe((notice) => {
    if (notice.kind === 'work') time.noteWork();
    if (notice.kind === 'secret' && notice.app_id === app.id) void readAppAgain();
  });
  runner.start();
  time.noteWork();

  let closed = false;

  function saveClock(): Promise<void> {
    return saveFact(autocommit(store), 'clock', clock.state);
  }

  async function readAppAgain(): Promise<void> {
    try {
      app = await readDefaultApp(context);
    } catch (error) {
      log.error({ error }, 'the default app could not be read');
    }
  }

  /** Writes the new state, all or nothing. Once it is committed, updates the clock and the state in memory. */
  async function replaceState(write: (tx: TxContext) => Promise<ClockState>): Promise<void> {
    await runner.exclusively(async () => {
      const before = await appIds(store);
      const written = await transact(context, async (tx) => {
        const clockState = await write(tx);
        await saveFact(tx.store, 'clock', clockState);
        return { clock_state: clockState, app: await readDefaultApp(tx) };
      });
      clock.restore(written.clock_state);
      app = written.app;
      for (const each of [errors, requests, traffic, mails, chaos]) each.clear();
      // Drops cached credentials of the previous state.
      for (const appId of before) context.notices.publish({ kind: 'credentials', app_id: appId });
    });
    time.noteWork();
  }

  return {
    context,
    clock,
    time,
    runner,
    chaos,
    errors,
    requests,
    traffic,
    mails,
    defaultApp: () => app,
    async reset(seed) {
      try {
        await replaceState(async (tx) => {
          const { mode } = clock.state;
          const fresh = new AdjustableClock(systemClock, startOfTime(mode, seeded));
          fresh.setMode(mode);
          await clearState(tx.store);
          await beginRun(tx.store, seeded, 0);
          const atStart = { ...tx, clock: fresh };
          await createDefaultAccount(atStart, targets);
          if (seed !== null) await applySeed(atStart, (await readDefaultApp(tx)).id, seed);
          return fresh.state;
        });
      } catch (error) {
        // The old state stays with its ids. A new run makes sure that they are not used twice.
        await beginRun(store, seeded);
        throw error;
      }
    },
    async applySeed(seed) {
      const seeded = await runner.exclusively(() => transact(context, (tx) => applySeed(tx, app.id, seed)));
      time.noteWork();
      return seeded;
    },
    async replace(work) {
      const { key } = secrets;
      try {
        await replaceState(async (tx) => {
          await work(tx.store);
          const kept = (await findFact(tx.store, 'clock')) ?? clock.state;
          await dropLeases(tx.store, new AdjustableClock(systemClock, kept).now());
          // Set before the commit, so that every secret sealed after it uses the key of the new state.
          secrets.key = await fileKey(tx.store, random);
          await beginRun(tx.store, seeded);
          return kept;
        });
      } catch (error) {
        secrets.key = key;
        throw error;
      }
    },
    isClosed: () => closed,
    async close() {
      closed = true;
      time.stop();
      // Closing the outbound client ends requests in flight, so a hanging receiver does not delay the close.
      const ended = await Promise.allSettled([runner.stop(), outbound.close(), traffic.close()]);
      await closeStore(store);
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** Drops all leases. The state belongs to this process alone, so every lease in it is left over from a process that ended. */
async function dropLeases(tx: Tx, now: Instant): Promise<void> {
  await dropJobLeases(tx, now);
  await dropLaneLeases(tx, now);
  await releaseAllIdempotencyKeys(tx);
}
