import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../shared/core/instant.ts';
import { PLANS } from '../shared/core/plan.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';
import { COMMON_HANDLERS } from '../shared/jobs/handlers.ts';
import { createRunner, type Runner } from '../shared/jobs/runner.ts';
import type { Context } from '../shared/operations/context.ts';
import { systemClock } from '../shared/ports/clock.ts';
import { createOutbound } from '../shared/ports/guarded-outbound.ts';
import { hostsLookup } from '../shared/ports/host-addresses.ts';
import type { Log } from '../shared/ports/log.ts';
import { createLocalNotices } from '../shared/ports/notices.ts';
import { createIds, systemRandom } from '../shared/ports/random.ts';
import { createSecretBox, type SecretBox } from '../shared/ports/secret-box.ts';
import { dropJobLeases } from '../shared/store/jobs.ts';
import { dropLaneLeases } from '../shared/store/lanes.ts';
import { migrate } from '../shared/store/migrate.ts';
import { openSqlite } from '../shared/store/sqlite.ts';
import { closeStore } from '../shared/store/store.ts';
import { AdjustableClock, type ClockMode } from './adjustable-clock.ts';
import { type ChaosControl, withChaos } from './chaos.ts';
import { createCnameFinds } from './cname-finds.ts';
import { createDefaultAccount, type DefaultAccount } from './default-account.ts';
import { type FactTable, openFacts } from './emulator-facts.ts';
import { createForcedErrors, type ForcedErrors } from './forced-errors.ts';
import { createSeenRequests, type SeenRequests } from './seen-requests.ts';
import { appIds, clearState } from './snapshot.ts';
import { createTimeControl, type TimeControl } from './time-control.ts';

export interface CompositionOptions extends DefaultAccount {
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
  facts: FactTable;
  chaos: ChaosControl;
  errors: ForcedErrors;
  requests: SeenRequests;
  appId(): Promise<string>;
  /** Everything back to a fresh account with the default keys, and the clock to the machine's time. */
  reset(): Promise<void>;
  /** Replaces the stored state by `work`; the clock goes on from the one that it brings. */
  replace(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const NAMES = serviceNames('Service');
const EDGE_ZONE = 'edge.nameplate.test';
const SANDBOX_ZONE = 'sandbox.nameplate.test';

/** The emulator's composition root: nothing else builds its adapters. */
export async function composeEmulator(options: CompositionOptions): Promise<Composition> {
  const store = openSqlite(options.file);
  await migrate(store);
  const facts = await openFacts(store);
  const clock = new AdjustableClock(
    systemClock,
    (await facts.get('clock')) ?? { mode: 'real', offset_ms: 0, frozen_at: null },
  );
  if (options.clock_mode !== null) clock.setMode(options.clock_mode);
  await facts.set('clock', clock.state);
  const outbound = withChaos(
    createOutbound({ allow_loopback: true, refused_addresses: [], lookup: hostsLookup }),
    NAMES.signature_header,
  );
  // An import brings the key that its secrets are sealed with.
  let box = createSecretBox(await keyRing(facts), systemRandom);
  const secrets: SecretBox = {
    seal: (text, bound_to) => box.seal(text, bound_to),
    open: (sealed, bound_to) => box.open(sealed, bound_to),
  };
  const context: Context = {
    settings: emulatorSettings(options.base_url),
    store,
    clock,
    wall_clock: systemClock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    secrets,
    outbound,
    cname_lookup: createCnameFinds(facts),
    notices: createLocalNotices(),
    log: options.log,
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
    save: () => facts.set('clock', clock.state),
    on_error: (error) => options.log.error({ error }, 'the clock could not be moved'),
  });

  async function freshAccount(): Promise<void> {
    await facts.set('app_id', await createDefaultAccount(context, options));
    await facts.set('cnames', {});
    await facts.set('clock', clock.state);
  }

  /** The state belongs to this process alone: whoever held a lease when it was written is gone. */
  async function dropLeases(): Promise<void> {
    await dropJobLeases(store, clock.now());
    await dropLaneLeases(store, clock.now());
  }

  if ((await facts.get('app_id')) === null) await freshAccount();
  await dropLeases();
  context.notices.subscribe((notice) => {
    if (notice.kind === 'work') time.noteWork();
  });
  runner.start();
  time.noteWork();

  /** What was cached about the credentials of before is forgotten. */
  async function replaceState(work: () => Promise<void>): Promise<void> {
    await runner.exclusively(async () => {
      const before = await appIds(store);
      await work();
      for (const app_id of before) context.notices.publish({ kind: 'credentials', app_id });
    });
    time.noteWork();
  }

  const composition: Composition = {
    context,
    clock,
    time,
    runner,
    facts,
    chaos: outbound.chaos,
    errors: createForcedErrors(),
    requests: createSeenRequests(),
    appId: async () => (await facts.get('app_id')) ?? '',
    reset: () =>
      replaceState(async () => {
        await clearState(store);
        clock.reset(clock.state.mode);
        composition.errors.clear();
        composition.requests.clear();
        composition.chaos.clear();
        await freshAccount();
      }),
    replace: (work) =>
      replaceState(async () => {
        await work();
        const kept = await facts.get('clock');
        if (kept !== null) clock.restore(kept);
        box = createSecretBox(await keyRing(facts), systemRandom);
        await dropLeases();
      }),
    async close() {
      time.stop();
      await runner.stop();
      await outbound.close();
      await closeStore(store);
    },
  };
  return composition;
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
  };
}

/** The key stands in the file that it guards: what is sealed there is safe from a copy of a table, not of the file. */
async function keyRing(facts: FactTable) {
  const kept = (await facts.get('encryption_key')) ?? randomBytes(32).toString('base64');
  await facts.set('encryption_key', kept);
  return { current: 'k1', keys: new Map([['k1', Buffer.from(kept, 'base64')]]) };
}
