import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Domain } from '../../shared/core/domains/domain.ts';
import { HOUR_MS } from '../../shared/core/instant.ts';
import { COMMON_HANDLERS } from '../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../shared/jobs/job-worker.ts';
import type { Caller } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/domains/create-domain.ts';
import { holdHostname, releaseHostname } from '../../shared/operations/domains/hold-hostname.ts';
import { triggerDomain } from '../../shared/operations/domains/trigger-domain.ts';
import { deleteDomain, updateDomain } from '../../shared/operations/domains/update-domain.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { findDomainsAt } from '../../shared/store/domains/domains-of-hostname.ts';
import { findRouteOwner } from '../../shared/store/domains/routes.ts';
import { makeJobDue } from '../../shared/store/jobs/jobs.ts';
import { autocommit } from '../../shared/store/store.ts';
import { V4 } from '../core/dns/survey-builder.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { type DnsWorld, dnsWorld, EDGE_ZONE, everywhere } from '../operations/dns/dns-world.ts';
import { openDatabase } from '../store/open-postgres.ts';

const OPERATIONS = Number(process.env['OWNERSHIP_OPERATIONS'] ?? 2_000);
const SEED = Number(process.env['OWNERSHIP_SEED'] ?? 11);
const ACTORS = 8;
const WORKERS = 2;
const ROUNDS_AT_REST = 8;
const HOSTNAMES = ['acme.com', 'www.acme.com', 'careers.acme.com', 'other.org', 'www.other.org'];
const WILDCARD = '*.acme.com';
/** The error codes with which the service may refuse a request of this test. */
const REFUSALS = new Set(['hostname_held', 'not_found', 'validation_failed']);

interface Zone {
  label: string | null;
  txt: readonly string[];
}

describePostgres('Three apps with the same hostnames, which two workers check concurrently', () => {
  test('cause no failed job and no deadlock, and only the app that the customer chooses gets each hostname', async () => {
    await using opened = await openDatabase();
    await using world = await dnsWorld(opened.store);
    const { context, clock } = world;
    const { store } = context;
    const random = seededRandom(SEED);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const apps: { caller: Caller; label: string }[] = [];
    for (const name of ['one', 'two', 'three']) {
      const caller = await world.addLiveApp(name);
      const { target_label } = await getApp(store, caller.app_id);
      apps.push({ caller, label: `${target_label}.${EDGE_ZONE}` });
    }
    const zones = serveZones(world);
    const failures: string[] = [];
    const workers = Array.from({ length: WORKERS }, () =>
      createJobWorker(context, COMMON_HANDLERS, () => undefined),
    );
    const actions: ((own: Domain, caller: Caller, label: string) => unknown)[] = [
      (own, caller) => deleteDomain(context, caller, { params: { id: own.id } }),
      (own, _, label) => {
        const isByTxt = own.is_apex || random() < 0.5;
        zones.set(own.hostname, { label: isByTxt ? null : label, txt: isByTxt ? [own.txt_value] : [] });
      },
      (own, caller) =>
        updateDomain(context, caller, { params: { id: own.id }, body: { metadata: { at: random() } } }),
      (own, caller) =>
        own.is_apex
          ? updateDomain(context, caller, {
              params: { id: own.id },
              body: { apex_redirect: pick(['www', 'none'] as const) },
            })
          : undefined,
      (own) => (own.status === 'issuing' ? triggerDomain(context, own.id, 'certificate_issued') : undefined),
      (own) => (random() < 0.2 ? holdHostname(context, pick([WILDCARD, own.hostname]), null) : undefined),
      releaseAll,
      checkAll,
      checkAll,
    ];

    async function releaseAll(): Promise<void> {
      for (const name of [WILDCARD, ...HOSTNAMES]) {
        await releaseHostname(context, name).catch((error) => {
          if (error.code !== 'not_found') throw error;
        });
      }
    }

    async function checkAll(): Promise<void> {
      clock.move(HOUR_MS);
      for (const domain of await domainsOf(world)) {
        await makeJobDue(autocommit(store), 'check_dns', domain.id, clock.now());
      }
    }

    async function act(): Promise<void> {
      const { caller, label } = pick(apps);
      const hostname = pick(HOSTNAMES);
      const own = (await findDomainsAt(store, hostname)).find(({ app_id }) => app_id === caller.app_id);
      if (own !== undefined) return void (await pick(actions)(own, caller, label));
      await add(caller, hostname);
    }

    async function add(caller: Caller, hostname: string): Promise<void> {
      const redirect = HOSTNAMES.includes(`www.${hostname}`) ? { apex_redirect: 'www' as const } : {};
      const { body } = await createDomain(context, caller, { body: { hostname, ...redirect } });
      await updateDomain(context, caller, { params: { id: body.id }, body: redirect });
    }

    let left = OPERATIONS;
    const acting = Array.from({ length: ACTORS }, async () => {
      while (left-- > 0)
        await act().catch((error) => {
          if (!REFUSALS.has(error.code)) failures.push(String(error));
        });
    });
    const working = workers.map(async (worker) => {
      while (left > 0) {
        await worker.claim();
        await worker.idle();
      }
    });
    await Promise.all([...acting, ...working]);
    await releaseAll();

    // Each app has a domain for each hostname, and each apex redirects `www`. The customer points every hostname to the same app.
    const [chosen] = apps as [(typeof apps)[number]];
    for (const hostname of HOSTNAMES) {
      for (const { caller } of apps) await add(caller, hostname);
      const own = (await findDomainsAt(store, hostname)).find(
        ({ app_id }) => app_id === chosen.caller.app_id,
      );
      if (own === undefined) throw new Error(`the chosen app has no ${hostname}`);
      zones.set(hostname, {
        label: own.is_apex ? null : chosen.label,
        txt: own.is_apex ? [own.txt_value] : [],
      });
    }

    const seen: string[] = [];
    for (let round = 0; round < ROUNDS_AT_REST; round++) {
      clock.move(HOUR_MS);
      for (const worker of workers) {
        await worker.claim();
        await worker.idle();
      }
      const domains = await domainsOf(world);
      for (const { id, status } of domains)
        if (status === 'issuing') await triggerDomain(context, id, 'certificate_issued');
      seen.push(JSON.stringify(domains.map(({ id, status }) => [id, status])));
    }
    expect(new Set(seen.slice(ROUNDS_AT_REST / 2)).size).toBe(1);
    for (const hostname of HOSTNAMES) {
      const live = (await findDomainsAt(store, hostname)).filter(({ status }) => status === 'active');
      expect(live.map(({ app_id }) => app_id)).toEqual([chosen.caller.app_id]);
      expect(await findRouteOwner(store, hostname)).toBe(live[0]?.id);
    }
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks::int as deadlocks from pg_stat_database where datname = current_database()`.execute(
      store.db,
    );
    console.log({ seed: SEED, operations: OPERATIONS, failures: failures.length, ...rows[0] });
    expect({ failures, logged: world.logged }).toEqual({ failures: [], logged: [] });
  });
});

/** Makes DNS return the contents of the zones. All hostnames resolve to our address. */
function serveZones(world: DnsWorld): Map<string, Zone> {
  const zones = new Map<string, Zone>();
  world.says = (expectation) => {
    const { label, txt } = zones.get(expectation.hostname) ?? { label: null, txt: [] };
    const a = [...(label === null ? [] : [`CNAME ${label}`]), `A ${V4}`];
    return everywhere(() => ({
      a,
      aaaa: 'nodata',
      txt: txt.length === 0 ? 'nodata' : txt.map((value) => `TXT ${value}`),
    }))(expectation);
  };
  return zones;
}

async function domainsOf({ context }: DnsWorld): Promise<Domain[]> {
  const found = await Promise.all(HOSTNAMES.map((hostname) => findDomainsAt(context.store, hostname)));
  return found.flat();
}
