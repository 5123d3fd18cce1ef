import { createOutbound } from '../shared/adapters/guarded-outbound.ts';
import { hostsLookup } from '../shared/adapters/host-addresses.ts';
import { createIds, createLocalNotices, systemClock, systemRandom } from '../shared/adapters/system.ts';
import type { Settings } from '../shared/core/settings.ts';
import { COMMON_HANDLERS } from '../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../shared/jobs/runner.ts';
import type { Context } from '../shared/operations/context.ts';
import type { Log } from '../shared/ports/system.ts';
import { createSchema, migrateSchema } from '../shared/store/migrations/migrate.ts';
import { openSqlite } from '../shared/store/sqlite.ts';
import { autocommit, closeStore, type Store } from '../shared/store/store.ts';
import { type ChaosControl, createSignAt, withChaos } from './chaos/chaos.ts';
import { createForcedErrors, type ForcedErrorQueue } from './chaos/forced-errors.ts';
import { withClosing, withoutClosing } from './closing.ts';
import { type CountedTraffic, countTraffic } from './edge/start-edge.ts';
import { emulatorSettings } from './emulator-settings.ts';
import { type CapturedMails, createCapturedMails } from './state/captured-mail.ts';
import { type DefaultTargets, readTargets } from './state/default-account.ts';
import { createFactTable, createStoredCnameLookup, findFact, saveFact } from './state/emulator-facts.ts';
import { createFileSecrets, fileKey } from './state/file-secrets.ts';
import { beginRun, createSeededRandom } from './state/seeded-random.ts';
import { createSeenRequests, type SeenRequests } from './state/seen-calls.ts';
import { openState, type StoredState } from './state/stored-state.ts';
import {
  type AdjustableClock,
  type ClockMode,
  createAdjustableClock,
  startOfTime,
} from './time/adjustable-clock.ts';
import { createTimeControl, type TimeControl } from './time/time-control.ts';
import { countedHandlers, timedByClock, withSparseProbes } from './time/timed-work.ts';

export interface CompositionOptions extends DefaultTargets {
  /** SQLite file with the state; null keeps the state in memory. */
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
export interface EmulatorComposition extends StoredState {
  context: Context;
  clock: AdjustableClock;
  time: TimeControl;
  runner: Runner;
  chaos: ChaosControl;
  errors: ForcedErrorQueue;
  requests: SeenRequests;
  traffic: CountedTraffic;
  mails: CapturedMails;
  isClosed(): boolean;
  /** Closes immediately. A webhook delivery in flight is repeated after the next start. */
  close(): Promise<void>;
}

/**
 * Creates the emulator's adapters and its job runner, and opens the state.
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
  options: Pick<CompositionOptions, 'file' | 'clockMode' | 'idSeed' | 'log'>,
): Promise<EmulatorComposition> {
  await (options.file === null ? createSchema(store) : migrateSchema(store));
  await createFactTable(store);
  const seeded = options.idSeed === null ? null : createSeededRandom(options.idSeed);
  const random = seeded?.random ?? systemRandom;
  const keptClock = await findFact(store, 'clock');
  const clock = createAdjustableClock(systemClock, keptClock ?? startOfTime(options.clockMode, seeded));
  if (options.clockMode !== null) clock.setMode(options.clockMode);
  await saveClock();
  // Create the encryption key before the run of seeded ids begins: a reset begins a new run, but keeps the key.
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
    edges: null,
    log,
    traffic,
  };
  const runner = createRunner(context, {
    handlers: countedHandlers(
      withSparseProbes(COMMON_HANDLERS, () => time.currentMove()?.to ?? null),
      (kind) => time.countDone(kind),
    ),
    // With seeded ids, make one delivery at a time. Concurrent deliveries would get different ids in each run.
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
  const memories = [errors, requests, traffic, mails, chaos];
  const state = await openState({ context, clock, runner, time, secrets, seeded, targets, memories });
  context.notices.subscribe((notice) => {
    if (notice.kind === 'work') time.noteWork();
  });
  runner.start();
  time.noteWork();

  let closed = false;

  function saveClock(): Promise<void> {
    return saveFact(autocommit(store), 'clock', clock.state);
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
    ...state,
    isClosed: () => closed,
    async close() {
      closed = true;
      time.stop();
      // Close the outbound client at the same time, so that a receiver that does not respond does not delay the close.
      const ended = await Promise.allSettled([runner.stop(), outbound.close(), traffic.close()]);
      await closeStore(store);
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
}
