import { randomBytes } from 'node:crypto';
import { DAY_MS, type Instant } from '../shared/core/instant.ts';
import { PLANS } from '../shared/core/plan.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';
import { COMMON_HANDLERS } from '../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../shared/jobs/runner.ts';
import { type Context, transact } from '../shared/operations/context.ts';
import { systemClock } from '../shared/ports/clock.ts';
import { createOutbound } from '../shared/ports/guarded-outbound.ts';
import { hostsLookup } from '../shared/ports/host-addresses.ts';
import type { Log } from '../shared/ports/log.ts';
import { createLocalNotices } from '../shared/ports/notices.ts';
import { createIds, systemRandom } from '../shared/ports/random.ts';
import { dropJobLeases } from '../shared/store/jobs.ts';
import { dropLaneLeases } from '../shared/store/lanes.ts';
import { migrate } from '../shared/store/migrate.ts';
import { openSqlite } from '../shared/store/sqlite.ts';
import { closeStore, type Store } from '../shared/store/store.ts';
import { AdjustableClock, type ClockMode, type ClockState } from './adjustable-clock.ts';
import { type ChaosControl, withChaos } from './chaos.ts';
import { withClosing, withoutClosing } from './closing.ts';
import { createCnameFinds } from './cname-finds.ts';
import {
  createDefaultAccount,
  type DefaultApp,
  type DefaultTargets,
  directDefaultApp,
  readDefaultApp,
  readTargets,
} from './default-account.ts';
import { createFactTable, findFact, keepFact } from './emulator-facts.ts';
import { createFileSecrets } from './file-secrets.ts';
import { createForcedErrors, type ForcedErrors } from './forced-errors.ts';
import { createSeenRequests, type SeenRequests } from './seen-requests.ts';
import { appIds, clearState } from './snapshot.ts';
import { createTimeControl, type TimeControl } from './time-control.ts';

export interface CompositionOptions extends DefaultTargets {
  /** Null keeps everything in memory. */
  file: string | null;
  /** Null goes on with what the file says. */
  clock_mode: ClockMode | null;
  /** Of the API, once it listens. */
  base_url: string;
  log: Log;
}

/** The emulator without its listeners: adapters, runner, and what the control surface acts on. */
export interface Composition {
  context: Context;
  clock: AdjustableClock;
  time: TimeControl;
  runner: Runner;
  chaos: ChaosControl;
  errors: ForcedErrors;
  requests: SeenRequests;
  /** As it is now: a reset, an import and a rotation change it. */
  defaultApp(): DefaultApp;
  /** Everything back to a fresh account with the default keys, and the clock to the machine's time. */
  reset(): Promise<void>;
  /** Replaces the stored state by what `work` writes, its clock included. Faults, chaos and seen requests are cleared, as by a reset. */
  replace(work: (store: Store) => Promise<void>): Promise<void>;
  /** Ends at once: a webhook under way is made again after the next start. */
  close(): Promise<void>;
}

const NAMES = serviceNames('Service');
const EDGE_ZONE = 'edge.nameplate.test';
const SANDBOX_ZONE = 'sandbox.nameplate.test';

/**
 * The emulator's composition root: nothing else builds its adapters.
 * @throws ServiceError where the API would refuse the origin or the webhook.
 */
export async function composeEmulator(options: CompositionOptions): Promise<Composition> {
  const settings = emulatorSettings(options.base_url);
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
  options: Pick<CompositionOptions, 'clock_mode' | 'log'>,
): Promise<Composition> {
  await migrate(store);
  await createFactTable(store);
  const clock = new AdjustableClock(systemClock, (await findFact(store, 'clock')) ?? MACHINE_TIME);
  if (options.clock_mode !== null) clock.setMode(options.clock_mode);
  await saveClock();
  const secrets = createFileSecrets(await fileKey(store));
  const log = withoutClosing(options.log);
  const outbound = withClosing(
    withChaos(
      createOutbound({ allow_loopback: true, refused_addresses: [], lookup: hostsLookup }),
      NAMES.signature_header,
    ),
  );
  const context: Context = {
    settings,
    store,
    clock,
    wall_clock: systemClock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    secrets,
    outbound,
    cname_lookup: createCnameFinds(store),
    notices: createLocalNotices(),
    log,
  };
  const runner = createRunner(context, {
    handlers: COMMON_HANDLERS,
    limits: { in_flight_max: 100, in_flight_per_app_max: 20 },
    poll_ms: 1000,
  });
  const time = createTimeControl({
    store,
    clock,
    runner,
    save: saveClock,
    on_error: (error) => log.error({ error }, 'the clock could not be moved'),
  });
  const [errors, requests, { chaos }] = [createForcedErrors(), createSeenRequests(), outbound];

  let app = await transact(context, async (tx) => {
    if ((await findFact(tx.store, 'app_id')) === null) await createDefaultAccount(tx, targets);
    else await directDefaultApp(tx, targets);
    await dropLeases(tx.store, clock.now());
    return readDefaultApp(tx);
  });
  context.notices.subscribe((notice) => {
    if (notice.kind === 'work') time.noteWork();
    if (notice.kind === 'secret' && notice.app_id === app.id) void readAppAgain();
  });
  runner.start();
  time.noteWork();

  function saveClock(): Promise<void> {
    return keepFact(store, 'clock', clock.state);
  }

  async function readAppAgain(): Promise<void> {
    try {
      app = await readDefaultApp(context);
    } catch (error) {
      log.error({ error }, 'the default app could not be read');
    }
  }

  /** All or nothing. The clock, and all that only memory holds, follow when the new state is committed. */
  async function replaceState(write: (tx: Context) => Promise<ClockState>): Promise<void> {
    await runner.exclusively(async () => {
      const before = await appIds(store);
      const written = await transact(context, async (tx) => {
        const clock_state = await write(tx);
        await keepFact(tx.store, 'clock', clock_state);
        return { clock_state, app: await readDefaultApp(tx) };
      });
      clock.restore(written.clock_state);
      app = written.app;
      for (const each of [errors, requests, chaos]) each.clear();
      // What was cached about the credentials of before is forgotten.
      for (const app_id of before) context.notices.publish({ kind: 'credentials', app_id });
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
    defaultApp: () => app,
    reset: () =>
      replaceState(async (tx) => {
        const fresh = new AdjustableClock(systemClock, MACHINE_TIME);
        fresh.setMode(clock.state.mode);
        await clearState(tx.store);
        await createDefaultAccount({ ...tx, clock: fresh }, targets);
        return fresh.state;
      }),
    async replace(work) {
      const { key } = secrets;
      try {
        await replaceState(async (tx) => {
          await work(tx.store);
          const kept = (await findFact(tx.store, 'clock')) ?? clock.state;
          await dropLeases(tx.store, new AdjustableClock(systemClock, kept).now());
          // Before the commit: whoever seals next writes into the new state.
          secrets.key = await fileKey(tx.store);
          return kept;
        });
      } catch (error) {
        secrets.key = key;
        throw error;
      }
    },
    async close() {
      time.stop();
      const stopped = runner.stop();
      // What is under way ends with it: a receiver that hangs is not waited for.
      await outbound.close();
      await stopped;
      await closeStore(store);
    },
  };
}

const MACHINE_TIME: ClockState = { mode: 'real', offset_ms: 0, frozen_at: null };

/** The state belongs to this process alone: whoever held a lease when it was written is gone. */
async function dropLeases(store: Store, now: Instant): Promise<void> {
  await dropJobLeases(store, now);
  await dropLaneLeases(store, now);
}

/** The key that the file's secrets are sealed with, made where it has none yet. */
async function fileKey(store: Store): Promise<string> {
  const key = (await findFact(store, 'encryption_key')) ?? randomBytes(32).toString('base64');
  await keepFact(store, 'encryption_key', key);
  return key;
}

function emulatorSettings(base_url: string): Settings {
  return {
    names: NAMES,
    base_url,
    docs_url: `${base_url}/docs`,
    edge_zone: EDGE_ZONE,
    sandbox_zone: SANDBOX_ZONE,
    edge_ipv4: ['127.0.0.1'],
    edge_ipv6: ['::1'],
    service_zones: ['nameplate.test'],
    plans: PLANS,
    rate: { per_second: 100, burst: 200 },
    // A clock that is moved by months must not take the events along that a test looks for.
    retention_ms: 3650 * DAY_MS,
    timer_for_live: true,
    allow_loopback: true,
    single_process: true,
  };
}
