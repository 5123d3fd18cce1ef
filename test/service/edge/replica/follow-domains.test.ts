import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { composeService } from '../../../../service/compose.ts';
import { createJsonLog } from '../../../../service/health/json-log.ts';
import { startNode } from '../../../../service/node.ts';
import type { DomainId } from '../../../../shared/core/ids.ts';
import { updateCurrentApp } from '../../../../shared/operations/apps/update-app.ts';
import type { Caller, Context } from '../../../../shared/operations/context.ts';
import { holdHostname, releaseHostname } from '../../../../shared/operations/domains/hold-hostname.ts';
import { deleteDomain } from '../../../../shared/operations/domains/update-domain.ts';
import { createEdgeReader } from '../../../../shared/operations/edge/edge-reader.ts';
import { openAccount } from '../../../../shared/operations/operator/accounts.ts';
import { inTransaction, type Store } from '../../../../shared/store/store.ts';
import { createThrowawayCa } from '../../../fixtures/acme/throwaway-ca.ts';
import { describePostgres } from '../../../fixtures/postgres/postgres.ts';
import { addActiveDomain } from '../../acme/live-domain.ts';
import { migratedDatabase } from '../../database/migrated-database.ts';
import { testConfig } from '../../settings/test-config.ts';
import { openedEdge } from './opened-edge.ts';
import { newFolder, tamper } from './sample-values.ts';

const [HOST, OTHER] = ['careers.acme.com', 'jobs.acme.com'];
const [FIRST, SECOND] = ['https://one.example', 'https://two.example'];
/** The number of visitors that request unknown test domains at once. */
const CROWD = 100;
const QUIET = createJsonLog('silent', { write: () => undefined });
/** The documented limit for how long a deleted domain may still respond. */
const SOON = { timeout: 5_000, interval: 20 };

describePostgres('an edge machine that follows the domains of a service', () => {
  const ca = createThrowawayCa();
  afterAll(() => ca[Symbol.dispose]());

  async function world() {
    const database = await migratedDatabase();
    const composition = await composeService(testConfig(database.url), QUIET);
    onTestFinished(async () => {
      await composition.close();
      await database[Symbol.asyncDispose]();
    });
    return { context: composition.context, url: database.url };
  }

  async function addApp(context: Context, name: string): Promise<Caller> {
    const terms = { plan: 'scale', card_on_file: true, trial_ends_at: null } as const;
    const { app, account } = await openAccount(context, 'ada', { name, terms });
    const ids = { app_id: app.id, account_id: account.id, key_id: context.ids('key') };
    const caller: Caller = { ...ids, mode: 'live', idempotency: null };
    await moveOrigin(context, caller, FIRST);
    return caller;
  }

  const addDomain = (context: Context, caller: Caller, hostname: string) =>
    addActiveDomain(context, caller, ca, { hostname });

  const moveOrigin = (context: Context, caller: Caller, originUrl: string) =>
    updateCurrentApp(context, caller, { body: { origin_url: originUrl } });

  async function edgeOf(
    context: Context,
    { folder = newFolder(), ...more }: { folder?: string; page?: number } = {},
  ) {
    const { store, clock, notices, edges } = context;
    if (edges === null) throw new Error('the service publishes no values');
    const edge = await openedEdge({ folder, box: edges.box, store, clock, notices, ...more });
    const { findRoute, certificates } = createEdgeReader(edge, clock);
    return {
      ...edge,
      folder,
      certificates,
      originOf(hostname: string): string | null {
        const found = findRoute(hostname);
        if (found === null || found === 'held') return found;
        return found.origin?.kind === 'app' ? found.origin.url : null;
      },
    };
  }

  test('drops the route and the certificate of a deleted domain and of its `www` name, and says that both changed', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    const id = await addActiveDomain(context, caller, ca, { hostname: 'acme.org', apex_redirect: 'www' });
    const { certificates, changed } = await edgeOf(context);
    const names = ['acme.org', 'www.acme.org'];
    for (const name of names) {
      expect(await certificates.findCertificate(name)).not.toBeNull();
      expect(certificates.isGone?.(name)).toBe(false);
    }
    changed.length = 0;
    await deleteDomain(context, caller, { params: { id } });
    await expect.poll(() => names.map((name) => certificates.isGone?.(name)), SOON).toEqual([true, true]);
    expect(changed).toEqual(expect.arrayContaining(names));
    for (const name of names) expect(await certificates.findCertificate(name)).toBeNull();
  });

  test('keeps holds under their own names, so that no change of a route removes a hold', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    await addDomain(context, caller, HOST);
    const { originOf } = await edgeOf(context);
    const held = () => [HOST, 'a.evil.example', 'evil.example'].map((name) => originOf(name) === 'held');
    for (const name of ['*.evil.example', HOST]) await holdHostname(context, name, null);
    await expect.poll(held, SOON).toEqual([true, true, false]);
    await addDomain(context, caller, OTHER);
    await moveOrigin(context, caller, SECOND);
    await expect.poll(() => originOf(OTHER), SOON).toBe(SECOND);
    expect(held()).toEqual([true, true, false]);
    await releaseHostname(context, HOST);
    await expect.poll(held, SOON).toEqual([false, true, false]);
    await releaseHostname(context, '*.evil.example');
    await expect.poll(held, SOON).toEqual([false, false, false]);
  });

  test('moves all hostnames of an app to its new origin, and no hostname of another app', async () => {
    const { context } = await world();
    const [acme, rival] = [await addApp(context, 'Acme'), await addApp(context, 'Rival')];
    for (const name of [HOST, OTHER]) await addDomain(context, acme, name);
    await addDomain(context, rival, 'rival.example.net');
    const { originOf } = await edgeOf(context);
    const origins = () => [HOST, OTHER, 'rival.example.net'].map(originOf);
    expect(origins()).toEqual([FIRST, FIRST, FIRST]);
    await moveOrigin(context, acme, SECOND);
    await expect.poll(origins, SOON).toEqual([SECOND, SECOND, FIRST]);
  });

  test('drops a deleted or held domain before a long comparison has ended, and no later page restores the domain', async () => {
    const { context } = await world();
    // A new account may add ten domains.
    const callers = [await addApp(context, 'Acme'), await addApp(context, 'Rival')] as const;
    const hosts = Array.from({ length: 12 }, (_, n) => `h${String.fromCharCode(97 + n)}.acme.com`);
    const ids: DomainId[] = [];
    for (const [n, hostname] of hosts.entries())
      ids.push(await addDomain(context, n < 6 ? callers[0] : callers[1], hostname));
    const first = await edgeOf(context);
    await first.close();
    tamper(first.folder, `update facts set value = json_set(value, '$.source', 'another server')`);
    const pages = heldReads(context.store, isPageOfVersions);
    pages.hold();
    const { originOf, comparisons } = await edgeOf(
      { ...context, store: pages.store },
      { folder: first.folder, page: 1 },
    );
    // The edge has read a page of versions, but not compared it. The changes below happen after that read.
    await pages.nextHeld();
    await deleteDomain(context, callers[0], { params: { id: ids[1] ?? '' } });
    await deleteDomain(context, callers[1], { params: { id: ids[11] ?? '' } });
    await holdHostname(context, hosts[5] ?? '', null);
    pages.release();
    // The test holds the next page, so the edge can have these changes only from the changes of the table.
    await pages.nextHeld();
    const changed = () => [1, 11, 5, 2].map((n) => originOf(hosts[n] ?? ''));
    await expect.poll(changed, SOON).toEqual([null, null, 'held', FIRST]);
    expect(comparisons()).toEqual([]);
    pages.releaseAll();
    await expect.poll(comparisons, SOON).toHaveLength(1);
    expect(changed()).toEqual([null, null, 'held', FIRST]);
  });

  test('the edge drops domains that were deleted or held while it was away before it compares the first page of its values', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    const ids: DomainId[] = [];
    const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.acme.com`);
    for (const hostname of hosts) ids.push(await addDomain(context, caller, hostname));
    const first = await edgeOf(context);
    await first.close();
    for (const n of [0, 3]) await deleteDomain(context, caller, { params: { id: ids[n] ?? '' } });
    for (const name of [hosts[1], '*.evil.example']) await holdHostname(context, name ?? '', null);
    tamper(first.folder, `update facts set value = json_set(value, '$.source', 'another server')`);
    const pages = heldReads(context.store, isPageOfVersions);
    pages.hold();
    const { originOf, comparisons } = await edgeOf(
      { ...context, store: pages.store },
      { folder: first.folder, page: 1 },
    );
    await pages.nextHeld();
    const served = () => [...hosts, 'a.evil.example'].map(originOf);
    await expect.poll(served, SOON).toEqual([null, 'held', FIRST, null, 'held']);
    expect(comparisons()).toEqual([]);
    pages.releaseAll();
    await expect.poll(comparisons, SOON).toHaveLength(1);
    expect(served()).toEqual([null, 'held', FIRST, null, 'held']);
  });

  test('compares its values if the tables were replaced while it runs, as by a restore, and follows the new tables', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    await addDomain(context, caller, OTHER);
    await sql`create table dump as select * from edge_values`.execute(context.store.db);
    await addDomain(context, caller, HOST);
    await moveOrigin(context, caller, SECOND);
    const { originOf, comparisons } = await edgeOf(context);
    expect([HOST, OTHER].map(originOf)).toEqual([SECOND, SECOND]);
    // Restores the values as `pg_restore --clean` does, without the domain and the change that came after the dump.
    await sql`begin; create table restored (like edge_values including all); insert into restored select * from dump;
      drop table edge_values; alter table restored rename to edge_values; commit`.execute(context.store.db);
    await expect.poll(() => [HOST, OTHER].map(originOf), SOON).toEqual([null, FIRST]);
    await expect.poll(comparisons, SOON).toHaveLength(1);
    // This change has the number of the lost change.
    await moveOrigin(context, caller, 'https://three.example');
    await expect.poll(() => originOf(OTHER), SOON).toBe('https://three.example');
  });

  test('serves changes while the lookups of many visitors wait for the database', async () => {
    const { context, url } = await world();
    const caller = await addApp(context, 'Acme');
    const id = await addDomain(context, caller, HOST);
    const config = testConfig(url, { NAMEPLATE_ROLES: 'edge', NAMEPLATE_EDGE_DATABASE_CONNECTIONS: '1' });
    const { addresses, composition, stop } = await startNode(config, QUIET);
    const { sandboxZone } = config.settings;
    const visit = (hostname: string) => statusOf(addresses.edgeHttp?.port ?? 0, hostname);
    expect(await visit(HOST)).toBe(308);
    const hold = Promise.withResolvers<void>();
    const held = inTransaction(composition.database.edgeStore, () => hold.promise);
    const answers: number[] = [];
    const crowd = Array.from({ length: CROWD }, async (_, n) => {
      answers.push(await visit(`dom_${String(n).padStart(26, '0')}.${sandboxZone}`));
    });
    await deleteDomain(context, caller, { params: { id } });
    await expect.poll(() => visit(HOST), SOON).toBe(404);
    hold.resolve();
    await Promise.all([held, ...crowd]);
    // The edge refuses a lookup that has waited for 5 seconds.
    expect([404, 503]).toEqual(expect.arrayContaining([...new Set(answers)]));
    await stop();
  });
});

/** Returns whether a query reads a page of versions for a comparison. */
function isPageOfVersions(node: RootOperationNode): boolean {
  return node.kind === 'SelectQueryNode' && Boolean(node.limit) && node.selections?.length === 3;
}

/** Creates a store that can delay the results of matching queries after the database has returned them. */
function heldReads(store: Store, isOfThese: (query: RootOperationNode) => boolean) {
  const pages = new WeakSet<object>();
  const held: PromiseWithResolvers<void>[] = [];
  let isHolding = false;
  let arrived = Promise.withResolvers<void>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (isOfThese(node)) pages.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (!isHolding || !pages.has(queryId)) return result;
      const page = Promise.withResolvers<void>();
      held.push(page);
      arrived.resolve();
      await page.promise;
      return result;
    },
  };
  return {
    store: { ...store, db: store.db.withPlugin(plugin) },
    hold() {
      isHolding = true;
    },
    async nextHeld() {
      await arrived.promise;
      arrived = Promise.withResolvers<void>();
    },
    release: () => held.shift()?.resolve(),
    releaseAll() {
      isHolding = false;
      for (const page of held.splice(0)) page.resolve();
    },
  };
}

async function statusOf(port: number, hostname: string): Promise<number> {
  const asked = get({ host: '127.0.0.1', port, headers: { Host: hostname }, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}
