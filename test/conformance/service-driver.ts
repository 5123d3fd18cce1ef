import { durationSchema } from '../../emulator/control/bodies.ts';
import { createAdjustableClock } from '../../emulator/time/adjustable-clock.ts';
import { type Advance, createTimeControl } from '../../emulator/time/time-control.ts';
import { startNode } from '../../service/node.ts';
import { hostsLookup } from '../../shared/adapters/host-addresses.ts';
import { systemClock } from '../../shared/adapters/system.ts';
import { TRIGGERS } from '../../shared/core/domains/transitions.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { DAY_MS, type Instant } from '../../shared/core/instant.ts';
import type { AccountChange } from '../../shared/operations/domains/change-terms.ts';
import { hold, release } from '../../shared/operations/domains/hold-hostname.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import { changeAccount, openAccount } from '../../shared/operations/operator/accounts.ts';
import { retryJob } from '../../shared/operations/operator/jobs.ts';
import type { Log } from '../../shared/ports/system.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { migratedDatabase } from '../service/database/migrated-database.ts';
import { testConfig } from '../service/settings/test-config.ts';
import { emptyTables, tableNames } from '../store/open-store.ts';
import type { AccountTerms, Driver, Plan } from './driver.ts';

const OPERATOR = 'conformance';

/**
 * Starts a node of the hosted service on a real Postgres, with API and worker, and a driver that uses the operator's own operations. The
 * node differs from a deployment in four points. A test can move the clock, use receivers and origins on loopback, and set the results of
 * white-label lookups. The test timer also moves live domains, because a test cannot set their DNS and certificates.
 */
export async function startServiceDriver(log: Log = FAILURES): Promise<Driver> {
  const database = await migratedDatabase();
  const clock = createAdjustableClock(systemClock, { mode: 'real', offset_ms: 0, frozen_at: null });
  clock.setMode('frozen');
  const cnames = new Map<string, string | null>();
  const config = testConfig(database.url, {
    NAMEPLATE_ROLES: 'api,worker',
    NAMEPLATE_RETENTION_DAYS: '3650',
  });
  const settings = { ...config.settings, timerForLive: true };
  const node = await startNode({ ...config, settings }, log, {
    clock,
    lookup: hostsLookup,
    cnameLookup: {
      async chain(host) {
        const found = cnames.get(host) ?? null;
        return found === null ? [] : [found];
      },
    },
  });
  settings.baseUrl = `http://127.0.0.1:${node.addresses.api?.port}`;
  settings.docsUrl = `${settings.baseUrl}/docs`;
  const { context, runner } = node.composition;
  const tables = await tableNames(context.store);
  const time = createTimeControl({
    store: context.store,
    clock,
    runner,
    save: async () => undefined,
    onError: (error) => log.error({ error }, 'the clock could not be moved'),
  });

  async function open(name: string, plan: Plan = 'scale') {
    const createdAt = clock.now() - 30 * DAY_MS;
    const terms = { plan, trial_ends_at: null, card_on_file: true, created_at: createdAt };
    const { live_key, ...account } = await openAccount(context, OPERATOR, { name, terms });
    if (live_key === null) throw new Error(`${name} got no live key`);
    return { ...account, live_key };
  }

  async function advance(how: Advance): Promise<void> {
    await time.advance(how);
  }

  let opened = await open('Conformance');
  return {
    base_url: settings.baseUrl,
    get test_key() {
      return opened.test_key;
    },
    get live_key() {
      return opened.live_key;
    },
    get webhook_secret() {
      return opened.signing_secret;
    },
    async setAccount(change) {
      await changeAccount(context, OPERATOR, opened.account.id, readChange(change));
    },
    async createApp({ name, plan }) {
      const { app, test_key, live_key } = await open(name, plan);
      return { app_id: app.id, test_key, live_key };
    },
    advance: (by) => advance({ by_ms: durationSchema.parse(by) }),
    advanceUntilIdle: () => advance({ until: 'idle' }),
    now: async () => clock.now(),
    async hold(hostname) {
      await hold(context, OPERATOR, hostname, null);
    },
    release: (hostname) => release(context, OPERATOR, hostname),
    async trigger(domainId, trigger, reason) {
      const name = TRIGGERS.find((each) => each === trigger);
      if (name === undefined) throw new Error(`there is no trigger ${trigger}`);
      const outcome = await triggerDomain(context, domainId, name, reason);
      if (!outcome.ok) throw new Error(`${trigger} is impossible while ${outcome.problem.status}`);
    },
    async setWhitelabelFound(appId, found) {
      const { whitelabel_host } = await getApp(context.store, appId as AppId);
      if (whitelabel_host === null) throw new Error(`${appId} has no whitelabel_host`);
      cnames.set(whitelabel_host, found);
      await retryJob(context, OPERATOR, 'check_whitelabel', appId);
      await advance({ by_ms: 0 });
    },
    async reset() {
      await runner.exclusively(async () => {
        await emptyTables(context.store, tables);
        cnames.clear();
        clock.restore({ mode: 'real', offset_ms: 0, frozen_at: null });
        clock.setMode('frozen');
        opened = await open('Conformance');
      });
    },
    async close() {
      time.stop();
      await node.stop();
      await database[Symbol.asyncDispose]();
    },
  };
}

const FAILURES = { info: () => undefined, warn: () => undefined, error: console.error };

function readChange({ trial_ends_at, created_at, ...change }: Partial<AccountTerms>): AccountChange {
  return {
    ...change,
    ...(trial_ends_at !== undefined && { trial_ends_at: readInstant(trial_ends_at) }),
    ...(created_at !== undefined && { created_at: Date.parse(created_at) }),
  };
}

function readInstant(text: string | null): Instant | null {
  return text === null ? null : Date.parse(text);
}
