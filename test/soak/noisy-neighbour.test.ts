import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { composeService } from '../../service/compose.ts';
import type { CreatedAccount } from '../../shared/operations/accounts/create-account.ts';
import { createKey } from '../../shared/operations/apps/api-keys.ts';
import type { Caller, Context } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/domains/create-domain.ts';
import { openAccount } from '../../shared/operations/operator/accounts.ts';
import { CLI, type MeasuredProcess, startProcess } from '../bench/measured-process.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { quantile } from '../service/cluster/hanging-app.ts';
import { migratedDatabase } from '../service/database/migrated-database.ts';
import { testConfig } from '../service/settings/test-config.ts';
import type { LoadPlan, LoadRequest, LoadResult } from './load-process.ts';

const DOMAINS = 100_000;
const NOISY = { keys: 40, connections: 500 };
/** The other apps. They use the rest of the node's capacity, and each stays within its rate limit. */
const EVEN = { apps: 40, keysEach: 2, connections: 200 };
const FOR_MS = 12_000;
/** How long the noisy app runs before the test measures. */
const HEAD_START_MS = 1_500;
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
/** The timeout is long, because the setup runs slow statements. */
const PATIENT_DATABASE = { NAMEPLATE_STATEMENT_TIMEOUT_MS: '600000' };
const LIMITLESS = { NAMEPLATE_RATE_PER_SECOND: '100000', NAMEPLATE_RATE_BURST: '1000000' };

interface AppUnderTest {
  keys: string[];
  domainId: string;
}

describePostgres('An app that hammers the API over 500 connections with 40 keys', () => {
  test('is slowed down, and leaves other apps at least half of their speed', async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await migratedDatabase());
    const { noisy, calm, even } = await openApps(database.url);
    const start = async (env: NodeJS.ProcessEnv = {}) => {
      const node = startProcess(
        [CLI, 'service', 'start', '--role', 'api', '--json'],
        envOf(database.url, env),
      );
      stack.defer(() => node.stop());
      const document = (await node.document()) as { api_url: string; admin_url: string; error?: unknown };
      if (document.error !== undefined) throw new Error('The node did not start', { cause: document.error });
      return { node, ...document };
    };
    const limited = await start();
    const worst: LoadRequest[] = [
      { method: 'GET', path: '/v1/domains?limit=100&metadata.team=nobody' },
      { method: 'GET', path: '/v1/domains?limit=100&hostname=n&status=expired' },
      { method: 'GET', path: '/v1/domains?limit=100' },
      { method: 'GET', path: '/v1/events?limit=100' },
    ];
    const noise = (): LoadPlan => ({
      url: limited.api_url,
      forMs: FOR_MS + 2 * HEAD_START_MS,
      connections: NOISY.connections,
      keys: noisy.keys,
      requests: worst,
      everyMs: 0,
    });
    const modest: LoadPlan = {
      url: limited.api_url,
      forMs: FOR_MS,
      connections: 4,
      keys: calm.keys,
      requests: [
        { method: 'GET', path: `/v1/domains/${calm.domainId}` },
        { method: 'POST', path: '/v1/domains', body: { hostname: 'd{n}.calm.example.com' } },
        { method: 'GET', path: `/v1/domains/${calm.domainId}` },
        { method: 'GET', path: '/v1/domains?limit=20' },
        { method: 'GET', path: '/v1/apps/current' },
      ],
      everyMs: 100,
    };
    const evenly = (url: string, connections: number): LoadPlan => ({
      url,
      forMs: FOR_MS,
      connections,
      keys: even.flatMap(({ keys }) => keys),
      requests: [{ method: 'GET', path: '/v1/apps/current' }],
      everyMs: 0,
    });

    const health = watchHealth(limited.admin_url);
    await runLoad({ ...modest, forMs: 2_000 });
    const before = await runLoad(modest);
    const hammering = runLoad(noise());
    await pause(HEAD_START_MS);
    const beside = await runLoad(modest);
    const hammered = await hammering;
    const after = await runLoad(modest);

    const limitless = await start(LIMITLESS);
    await runLoad({ ...evenly(limitless.api_url, NOISY.connections), forMs: 2_000 });
    const capacity = await useful(limitless.node, evenly(limitless.api_url, NOISY.connections));
    const noiseBeside = runLoad(noise());
    await pause(HEAD_START_MS);
    const left = await useful(limited.node, evenly(limited.api_url, EVEN.connections));
    const noisePart = (await noiseBeside).statuses;
    const { asked, failed, slowestMs } = await health.end();

    const aloneMs = [...before.tookMs, ...after.tookMs];
    for (const [name, share] of [
      ['median', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const [alone, noisyMs] = [quantile(aloneMs, share), quantile(beside.tookMs, share)];
      console.log(
        `${name}: alone ${alone.toFixed(1)} ms, during the noise ${noisyMs.toFixed(1)} ms, ratio ${(noisyMs / alone).toFixed(2)}`,
      );
    }
    console.log('calm app during the noise', beside.statuses, 'noisy app', hammered.statuses);
    console.log(
      `useful responses a second: capacity ${capacity.perSecond.toFixed(0)}, during the noise ${left.perSecond.toFixed(0)}, share ${(left.perSecond / capacity.perSecond).toFixed(2)}`,
    );
    console.log(
      `processor of the node: ${capacity.cpuShare.toFixed(2)} of a core at capacity, ${left.cpuShare.toFixed(2)} during the noise`,
      { even: left.statuses, noisy: noisePart },
    );
    console.log(`/readyz: asked ${asked} times, ${failed} not 200, slowest ${slowestMs.toFixed(0)} ms`);

    expect(refusalsOf(beside)).toEqual({});
    expect(quantile(beside.tookMs, 0.5) / quantile(aloneMs, 0.5)).toBeLessThanOrEqual(2);
    expect(refusalsOf(left)).toEqual({});
    expect(left.perSecond / capacity.perSecond).toBeGreaterThanOrEqual(0.5);
    expect(failed).toBe(0);
    expect(hammered.statuses['429']).toBeGreaterThan(0);
  });
});

function envOf(url: string, more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const port = '127.0.0.1:0';
  return {
    DATABASE_URL: url,
    NAMEPLATE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    NAMEPLATE_API_LISTEN: port,
    NAMEPLATE_ADMIN_LISTEN: port,
    NAMEPLATE_LOG_LEVEL: 'warn',
    ...more,
  };
}

async function openApps(url: string) {
  const { context, close } = await composeService(testConfig(url, PATIENT_DATABASE), QUIET);
  const open = async (name: string, keys: number): Promise<AppUnderTest> => {
    const created = await openAccount(context, 'soak', { name, terms: { plan: 'enterprise' } });
    const caller = callerOf(context, created);
    const { body } = await createDomain(context, caller, { body: { hostname: `n.${name}.example.com` } });
    const texts = [created.test_key];
    while (texts.length < keys) {
      const made = await createKey(context, caller, { body: { name: `${texts.length}`, mode: 'test' } });
      texts.push(made.body.key);
    }
    return { keys: texts, domainId: body.id };
  };
  const noisy = await open('noisy', NOISY.keys);
  await copyDomain(context, noisy.domainId, DOMAINS);
  const calm = await open('calm', 1);
  const even: AppUnderTest[] = [];
  while (even.length < EVEN.apps) even.push(await open(`even-${even.length}`, EVEN.keysEach));
  await sql`analyze`.execute(context.store.db);
  await close();
  return { noisy, calm, even };
}

function callerOf(context: Context, { app, account }: CreatedAccount): Caller {
  const keyId = context.ids('key');
  return { app_id: app.id, account_id: account.id, key_id: keyId, mode: 'test', idempotency: null };
}

/** Adds copies of a domain to its app. */
async function copyDomain({ store }: Context, id: string, count: number): Promise<void> {
  await sql`insert into domains select (jsonb_populate_record(domain, jsonb_build_object(
      'id', domain.id || n, 'hostname', 'n' || n || '.' || domain.hostname,
      'reversed_hostname', domain.reversed_hostname || '.n' || n, 'connect_token', domain.connect_token || n,
      'created_at', domain.created_at - n))).*
    from domains as domain, generate_series(1, ${count}::integer) as n where domain.id = ${id}`.execute(
    store.db,
  );
}

/** Runs clients in a separate process, so that their processor time does not count for the node. */
async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const clients = startProcess([path.join(import.meta.dirname, 'load-process.ts')], {
    PLAN: JSON.stringify(plan),
  });
  return (await clients.document()) as LoadResult;
}

async function useful(node: MeasuredProcess, plan: LoadPlan) {
  const cpuBeforeMs = await node.cpuMs();
  const startedAt = performance.now();
  const load = await runLoad(plan);
  const cpuMs = (await node.cpuMs()) - cpuBeforeMs;
  const count = load.statuses['200'] ?? 0;
  return {
    ...load,
    perSecond: (count / plan.forMs) * 1000,
    cpuShare: cpuMs / (performance.now() - startedAt),
  };
}

/** Returns the numbers of responses by status, without 200 and 201. */
function refusalsOf({ statuses }: LoadResult): Record<string, number> {
  return Object.fromEntries(Object.entries(statuses).filter(([status]) => Number(status) >= 300));
}

/** Checks four times a second whether the node is ready, until `end` is called. */
function watchHealth(adminUrl: string) {
  const seen = { asked: 0, failed: 0, slowestMs: 0 };
  let isEnding = false;
  const watching = (async () => {
    while (!isEnding) {
      const askedAt = performance.now();
      const { status } = await fetch(`${adminUrl}/readyz`);
      seen.asked += 1;
      if (status !== 200) seen.failed += 1;
      seen.slowestMs = Math.max(seen.slowestMs, performance.now() - askedAt);
      await pause(250);
    }
  })();
  return {
    async end() {
      isEnding = true;
      await watching;
      return seen;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
