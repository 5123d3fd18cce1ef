import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../service/database/postgres-store.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { COUNTER_INDEX } from '../../shared/core/traffic/traffic-counts.ts';
import { TRAFFIC_WRITE_EVERY_MS } from '../../shared/edge/traffic/traffic-writer.ts';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import type { Store } from '../../shared/store/store.ts';
import { readTraffic } from '../../shared/store/traffic/traffic.ts';
import { keepAsking } from '../edge/counting/keep-asking.ts';
import { type OriginUnderTest, originWith } from '../edge/edge-under-test.ts';
import { NGINX_PACKAGES } from '../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { freePort } from '../fixtures/free-port.ts';
import { createDatabase, describePostgres, type TestDatabase } from '../fixtures/postgres/postgres.ts';
import { aDomain, newId } from '../store/rows.ts';
import { insertDomain } from '../store/writes.ts';

const REQUESTS = Number(process.env['TRAFFIC_REQUESTS'] ?? 1_000_000);
const KILLS = Number(process.env['TRAFFIC_KILLS'] ?? 20);
const CONNECTIONS = 32;
const PROGRAM = fileURLToPath(import.meta.resolve('../edge/counting/counting-process.ts'));
const MINUTES = 60_000;

describePostgres('The traffic counts of the edge', () => {
  const appId = newId('app');
  const domains = Array.from({ length: 50 }, (_, n) =>
    aDomain({ app_id: appId, mode: 'live', hostname: `d${n}.acme.com` }),
  );
  const hosts = domains.map(({ hostname }) => hostname);
  let database: TestDatabase;
  let store: Store;
  let origin: OriginUnderTest;
  let port: number;

  beforeAll(async () => {
    database = await createDatabase();
    ({ store } = openPostgresStore({
      connectionString: database.url,
      connectionsMax: 2,
      onIdleError: () => undefined,
    }));
    await migrateSchema(store);
    for (const domain of domains) await insertDomain(store, domain);
    origin = await originWith((_, res) => res.end('ok'));
    port = await freePort();
  }, MINUTES);
  afterAll(async () => {
    await store?.db.destroy();
    await origin?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  /** Returns the stored numbers of requests of the app and of its domains, over all hours. */
  async function stored(): Promise<{ app: number; domains: number }> {
    const range = { interval: 'day', since: 0, until: Date.now() + DAY_MS } as const;
    const of = async (subject: Parameters<typeof readTraffic>[1]) => {
      const found = await readTraffic(store, subject, { mode: 'live' }, range);
      return [...found.values()].reduce((sum, counts) => sum + (counts[COUNTER_INDEX.requests] ?? 0), 0);
    };
    const each = await Promise.all(domains.map(({ id }) => of(id)));
    return { app: await of(appId), domains: each.reduce((sum, count) => sum + count, 0) };
  }

  async function start(engine: string, folder: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, [PROGRAM], {
      env: {
        ...process.env,
        ENGINE: engine,
        PORT: String(port),
        FOLDER: folder,
        ORIGIN: origin.url,
        DATABASE: database.url,
        HOSTS: JSON.stringify(
          Object.fromEntries(domains.map(({ hostname, id }) => [hostname, { id, app_id: appId }])),
        ),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(createInterface(child.stdout as NonNullable<typeof child.stdout>), 'line');
    return child;
  }

  async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  const engines = ['node', ...(whyMissing(NGINX_PACKAGES) === null ? ['nginx'] : [])];
  describe.each(engines)('on the engine %s', (engine) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'np-traffic-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test(
      `contain exactly ${REQUESTS} requests, by domain and by app`,
      async () => {
        const before = await stored();
        const child = await start(engine, folder);
        const asked = await keepAsking(port, hosts, {
          connections: CONNECTIONS,
          enough: (begun) => begun >= REQUESTS,
        });
        // Waits, because nginx logs a request after its last byte, and our process collects nginx's counts every second.
        await delay(3_000);
        await stop(child, 'SIGTERM');
        const after = await stored();
        console.log(`${engine}: ${JSON.stringify(asked)}, counted ${after.app - before.app}`);
        expect(asked).toEqual({ answered: REQUESTS, broken: 0 });
        expect(after.app - before.app).toBe(REQUESTS);
        expect(after.domains - before.domains).toBe(REQUESTS);
      },
      30 * MINUTES,
    );

    test(
      `lose in ${KILLS} kills at most the requests since the last write`,
      async () => {
        const before = await stored();
        let answered = 0;
        /** The maximum number of requests whose counts may be lost, according to the documented interval between writes. */
        let lossMax = 0;
        for (let kills = 0; kills < KILLS; kills++) {
          const child = await start(engine, folder);
          const until = performance.now() + TRAFFIC_WRITE_EVERY_MS + 2_000 + 500 * kills;
          const asked = await keepAsking(port, hosts, {
            connections: 4,
            enough: () => performance.now() > until,
          });
          const perMs = asked.answered / (TRAFFIC_WRITE_EVERY_MS + 2_000 + 500 * kills);
          answered += asked.answered;
          lossMax += perMs * (TRAFFIC_WRITE_EVERY_MS + 1_500);
          await stop(child, 'SIGKILL');
        }
        // A last process takes over nginx, and writes the requests that nginx has counted since.
        const last = await start(engine, folder);
        await delay(2_000);
        await stop(last, 'SIGTERM');
        const after = await stored();
        const counted = after.app - before.app;
        console.log(
          `${engine}: ${KILLS} kills, ${answered} answered, ${counted} counted, at most ${Math.ceil(lossMax)} lost`,
        );
        expect(counted).toBeLessThanOrEqual(answered + 4 * KILLS);
        expect(counted).toBeGreaterThanOrEqual(answered - lossMax);
        expect(after.domains - before.domains).toBe(counted);
      },
      30 * MINUTES,
    );
  });
});
