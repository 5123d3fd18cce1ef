import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { delegationLabel } from '../../../shared/core/certificates/acme-challenge.ts';
import { edgeKey } from '../../../shared/core/edge/edge-value.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { openChallenge } from '../../../shared/operations/certificates/open-challenges.ts';
import { type Context, type TxContext, transact } from '../../../shared/operations/context.ts';
import {
  type EdgePublishing,
  publishEdgeValues,
  subjectsOf,
} from '../../../shared/operations/edge/publish-edge-values.ts';
import { reconcileEdgeValues } from '../../../shared/operations/edge/reconcile-edge-values.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { lockEdgeKeys, saveEdgeValues } from '../../../shared/store/edge/edge-values.ts';
import { saveReconciled } from '../../../shared/store/edge/reconciled.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { jobWorld, START } from '../../jobs/job-world.ts';
import { addActiveDomain } from '../../service/acme/live-domain.ts';
import { migratedDatabase } from '../../service/database/migrated-database.ts';
import { addActive, HOST, storedValue, versionsOf } from './published-values.ts';
import { challengeSource, storedReader } from './stored-values.ts';

describePostgres('transactions that change the same values of edges at once', () => {
  const ca = createThrowawayCa();
  afterAll(() => ca[Symbol.dispose]());

  async function world() {
    const database = await migratedDatabase();
    const { store, close } = openPostgresStore({
      connectionString: database.url,
      onIdleError: () => undefined,
    });
    const jobs = await jobWorld(undefined, store);
    onTestFinished(async () => {
      await close();
      await database[Symbol.asyncDispose]();
    });
    const { context } = jobs;
    const caller = { ...(await jobs.addApp('acme')), mode: 'live' } as const;
    const id = await addActive(jobs, caller, HOST);
    return { jobs, context, caller, id };
  }

  /** Waits until a transaction waits for the lock of a key. */
  const waiting = ({ store }: Context) =>
    expect
      .poll(async () => {
        const { rows } =
          await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(store.db);
        return rows.length;
      })
      .toBe(1);

  /** Runs a transaction that stays open after its work until the returned function is called. */
  async function held(context: Context, work: Parameters<typeof transact<unknown>>[1]) {
    const [done, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = transact(context, async (tx) => {
      await work(tx);
      done.resolve();
      await end.promise;
    });
    await done.promise;
    return () => {
      end.resolve();
      return ended;
    };
  }

  test('never lower the number of an app value that both found missing', async () => {
    const { context, caller } = await world();
    const key = edgeKey('app', caller.app_id);
    const right = await storedValue(context, 'app', caller.app_id);
    await sql`delete from edge_values where key = ${key}`.execute(context.store.db);
    const commit = await held(context, async ({ store, edges }) => {
      await lockEdgeKeys(store, [key]);
      const at = { key, epoch: 1, number: 3 * START };
      await saveEdgeValues(store, [{ ...at, value: edges?.box.seal(at, { origin: 'old' }) ?? null }], START);
    });
    const published = transact(context, async ({ notices }) =>
      notices.publish({ kind: 'route', hostname: HOST }),
    );
    await waiting(context);
    await commit();
    await published;
    expect((await versionsOf(context)).get(key)).toBe(3 * START + 1);
    expect(await storedValue(context, 'app', caller.app_id)).toEqual(right);
  });

  test('leave the right challenge at a hostname that moves to the domain of the challenge meanwhile', async () => {
    const { jobs, context } = await world();
    const domainId = await jobs.addDomain({ ...(await jobs.addApp('rival')), mode: 'live' }, HOST);
    const commit = await held(context, async (tx) => {
      await takeRoute(tx.store, HOST, domainId, true);
      if (tx.edges === null) throw new Error('no values are published');
      await publishEdgeValues(tx, tx.edges, subjectsOf([{ kind: 'route', hostname: HOST }]));
    });
    const challenge = { hostname: HOST, token: 't', domain_id: domainId, key_authorization: 't.k' };
    const opened = transact(context, (tx) => openChallenge(tx, { ...challenge, method: 'http-01' }));
    await waiting(context);
    await commit();
    await opened;
    expect(await challengeSource(context).findKeyAuthorization(HOST, 't')).toBe('t.k');
  });

  test('two transactions that open DNS-01 challenges of one domain at once leave the texts of both', async () => {
    const { context, id: domainId } = await world();
    const challengeOf = (hostname: string) => ({ hostname, token: 't', domain_id: domainId });
    const open = (tx: TxContext, hostname: string) =>
      openChallenge(tx, { ...challengeOf(hostname), method: 'dns-01', key_authorization: `t.${hostname}` });
    const commit = await held(context, async (tx) => {
      if (tx.edges === null) throw new Error('no values are published');
      await open(tx, HOST);
      await publishEdgeValues(tx, tx.edges, subjectsOf([{ kind: 'challenge', ...challengeOf(HOST) }]));
    });
    const opened = transact(context, (tx) => open(tx, `www.${HOST}`));
    await waiting(context);
    await commit();
    await opened;
    const { findDnsTexts } = await storedReader(context);
    expect(findDnsTexts(delegationLabel(domainId))).toHaveLength(2);
  });

  test('a reconciliation that waits for keys does not lock the row of the epoch', async () => {
    const { context } = await world();
    const { db } = context.store;
    await sql`update edge_source set server = 'the server of the dump'`.execute(db);
    const commit = await held(context, ({ store }) => lockEdgeKeys(store, [edgeKey('host', HOST)]));
    const reconciled = reconcileEdgeValues(context);
    await waiting(context);
    await sql`select 1 from edge_source for update nowait`.execute(db);
    await commit();
    await reconciled;
    const { rows } = await sql<{ epoch: number }>`select epoch from edge_source`.execute(db);
    expect(rows).toEqual([{ epoch: 2 }]);
  });

  test('a transaction keeps a chain that a reconciliation is about to delete, and writes a deleted chain again', async () => {
    const { jobs, context, caller } = await world();
    const hostname = 'jobs.acme.com';
    await addActiveDomain(context, caller, ca, { hostname });
    const { issuers = '' } = (await storedValue(context, 'host', hostname))?.certificate ?? {};
    const right = await storedValue(context, 'chain', issuers);
    jobs.clock.move(40 * DAY_MS);
    const sweep = async () => {
      const began = jobs.clock.now();
      await saveReconciled(autocommit(context.store), { of: 'chains', after: '', began });
      await reconcileEdgeValues(context);
    };
    const use = (tx: TxContext) =>
      publishEdgeValues(tx, tx.edges as EdgePublishing, subjectsOf([{ kind: 'route', hostname }]));
    const commit = await held(context, use);
    const swept = sweep();
    await waiting(context);
    await commit();
    await swept;
    expect(await storedValue(context, 'chain', issuers)).toEqual(right);
    jobs.clock.move(40 * DAY_MS);
    await sweep();
    expect(await storedValue(context, 'chain', issuers)).toBeNull();
    await transact(context, use);
    expect(await storedValue(context, 'chain', issuers)).toEqual(right);
  });

  test('add many hostnames of one new app, each with its value, and one value of the app', async () => {
    const { jobs, context } = await world();
    const caller = { ...(await jobs.addApp('other')), mode: 'live' } as const;
    const names = Array.from({ length: 12 }, (_, n) => `n${n}.example.com`);
    await Promise.all(names.map((name) => addActive(jobs, caller, name)));
    const versions = await versionsOf(context);
    expect(names.filter((name) => !versions.has(edgeKey('host', name)))).toEqual([]);
    expect(await storedValue(context, 'app', caller.app_id)).toMatchObject({ origin: null });
  });
});
