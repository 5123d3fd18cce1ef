import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { createEdgeCertificates } from '../../../service/edge/edge-certificates.ts';
import { openRouteFeed } from '../../../service/edge/route-feed.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { startNode } from '../../../service/node.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { holdHostname, releaseHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { updateApp } from '../../../shared/store/accounts/apps.ts';
import { autocommit, inTransaction, type Store } from '../../../shared/store/store.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { migratedDatabase } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';

const [HOST, OTHER] = ['careers.acme.com', 'jobs.acme.com'];
/** The number of visitors that request unknown test domains at once. */
const CROWD = 100;
const AWAY = 'could not read route changes; the edge serves the routes that it has';
const QUIET = createJsonLog('silent', { write: () => undefined });
/** The documented limit for how long a deleted domain may still respond. */
const SOON = { timeout: 5_000, interval: 20 };

describePostgres('the routes of an edge follow the feed of changes', () => {
  const ca = createThrowawayCa();
  afterAll(() => ca[Symbol.dispose]());

  async function world() {
    const database = await migratedDatabase();
    const logged: { fields: object; message: string }[] = [];
    const log = {
      info: () => undefined,
      warn: (fields: object, message: string) => logged.push({ fields, message }),
      error: (fields: object, message: string) => logged.push({ fields, message }),
    };
    const composition = await composeService(testConfig(database.url), log);
    onTestFinished(async () => {
      await composition.close();
      await database[Symbol.asyncDispose]();
    });
    return { context: composition.context, logged, url: database.url };
  }

  async function addApp(context: Context, name: string): Promise<Caller> {
    const { app, account } = await openAccount(context, 'ada', {
      name,
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
    });
    const caller: Caller = {
      app_id: app.id,
      account_id: account.id,
      key_id: context.ids('key'),
      mode: 'live',
      idempotency: null,
    };
    await moveOrigin(context, caller, 'https://one.example');
    return caller;
  }

  const addDomain = (context: Context, caller: Caller, hostname: string) =>
    addActiveDomain(context, caller, ca, { hostname });

  const moveOrigin = (context: Context, caller: Caller, originUrl: string) =>
    updateCurrentApp(context, caller, { body: { origin_url: originUrl } });

  async function follow(context: Context, rememberedMax?: number, pageSize?: number) {
    const table = new RouteTable();
    const certificates = createEdgeCertificates(context, table, rememberedMax);
    const changed: (string | null)[] = [];
    const feed = await openRouteFeed(context, {
      table,
      certificates,
      onChanged: (hostname) => changed.push(hostname),
      pollMs: 50,
      ...(pageSize === undefined ? {} : { pageSize }),
    });
    onTestFinished(feed.close);
    return {
      table,
      certificates,
      changed,
      catchUp: feed.catchUp,
      originOf(hostname: string): string | null {
        const found = table.find(hostname);
        if (found === null || found === 'held') return found;
        return found.origin?.kind === 'app' ? found.origin.url : null;
      },
    };
  }

  test('are dropped together with the certificates, for a deleted domain and its `www`', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    const id = await addActiveDomain(context, caller, ca, { hostname: 'acme.org', apex_redirect: 'www' });
    const { certificates, changed } = await follow(context, 1);
    const names = ['acme.org', 'www.acme.org'];
    for (const name of names) {
      expect(await certificates.findCertificate(name)).not.toBeNull();
      expect(certificates.isGone?.(name)).toBe(false);
    }
    expect(certificates.wants(OTHER)).toBe(false);
    changed.length = 0;
    await deleteDomain(context, caller, { params: { id } });
    await expect.poll(() => names.map((name) => certificates.isGone?.(name)), SOON).toEqual([true, true]);
    expect(changed).toEqual(expect.arrayContaining(names));
    expect(certificates.wants(OTHER)).toBe(true);
    for (const name of names) expect(await certificates.findCertificate(name)).toBeNull();
  });

  test('include holds under their own names, so that no route change removes a hold', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    await addDomain(context, caller, HOST);
    const { table, originOf } = await follow(context);
    const held = () =>
      [HOST, 'a.evil.example', 'evil.example'].map((hostname) => table.find(hostname) === 'held');
    for (const name of ['*.evil.example', HOST]) await holdHostname(context, name, null);
    await expect.poll(held, SOON).toEqual([true, true, false]);
    await addDomain(context, caller, OTHER);
    await moveOrigin(context, caller, 'https://two.example');
    await expect.poll(() => originOf(OTHER), SOON).toBe('https://two.example');
    expect(held()).toEqual([true, true, false]);
    await releaseHostname(context, HOST);
    await expect.poll(held, SOON).toEqual([false, true, false]);
    await releaseHostname(context, '*.evil.example');
    await expect.poll(held, SOON).toEqual([false, false, false]);
  });

  test('lose a deleted or held domain before a large app has been read again, and no later page restores the domain', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    const hosts = ['a', 'b', 'c', 'd', 'e', 'f'].map((label) => `${label}.acme.com`);
    const ids: DomainId[] = [];
    for (const hostname of hosts) ids.push(await addDomain(context, caller, hostname));
    const pages = heldReads(
      context.store,
      (node) => node.kind === 'SelectQueryNode' && Boolean(node.joins && node.limit),
    );
    const { originOf } = await follow({ ...context, store: pages.store }, 0, 2);
    const origins = () => hosts.map(originOf);
    const [one, two] = ['https://one.example', 'https://two.example'];
    expect(origins()).toEqual([one, one, one, one, one, one]);

    pages.hold();
    await moveOrigin(context, caller, two);
    // The edge has read the first page but not stored it. The changes below happen after that read.
    await pages.nextHeld();
    await deleteDomain(context, caller, { params: { id: ids[1] ?? '' } });
    await holdHostname(context, 'f.acme.com', null);
    pages.release();
    // The test delays the second page, so the edge can have these changes only from the list of changes.
    await pages.nextHeld();
    await expect.poll(origins, SOON).toEqual([two, null, one, one, one, 'held']);
    pages.releaseAll();
    await expect.poll(origins, SOON).toEqual([two, null, two, two, two, 'held']);
  });

  test('are up to date for a caller only after a read that began after the call', async () => {
    const { context } = await world();
    const caller = await addApp(context, 'Acme');
    const id = await addDomain(context, caller, HOST);
    const lists = heldReads(context.store, ({ kind }) => kind === 'RawNode');
    const { originOf, catchUp } = await follow({ ...context, store: lists.store });
    await catchUp();
    lists.hold();
    const first = catchUp();
    await lists.nextHeld();
    await deleteDomain(context, caller, { params: { id } });
    const second = catchUp();
    lists.releaseAll();
    await Promise.all([first, second]);
    expect(originOf(HOST)).toBeNull();
  });

  test('leave out an app whose secret cannot be decrypted, and include all other apps', async () => {
    const { context, logged } = await world();
    const [bad, good] = [await addApp(context, 'Bad'), await addApp(context, 'Good')];
    await addDomain(context, bad, HOST);
    await addDomain(context, good, OTHER);
    const { table, originOf } = await follow(context);
    expect(originOf(HOST)).toBe('https://one.example');
    await updateApp(autocommit(context.store), bad.app_id, { signing_secret: 'sealed under a lost key' });
    await moveOrigin(context, bad, 'https://two.example');
    await moveOrigin(context, good, 'https://two.example');
    await expect.poll(() => originOf(OTHER), SOON).toBe('https://two.example');
    expect(() => table.find(HOST)).toThrow('cannot be read');
    expect(table.unreadable).toBe(1);
    expect(new Set(logged.map(({ message }) => message))).toEqual(new Set(['a route cannot be read']));
    expect(logged[0]?.fields).toMatchObject({ app_id: bad.app_id });

    // An edge that starts now must get the same result.
    const started = await follow(context);
    expect(started.originOf(OTHER)).toBe('https://two.example');
    expect(started.table.unreadable).toBe(1);
  });

  test('are read from the start of the list of changes if the list was replaced, as after a restore', async () => {
    const { context, logged } = await world();
    const caller = await addApp(context, 'Acme');
    const gone = await addDomain(context, caller, HOST);
    await addDomain(context, caller, OTHER);
    const { originOf, certificates } = await follow(context, 2);
    // The first full read fails, so it must be repeated.
    await sql`alter table holds rename to holds_away`.execute(context.store.db);
    await restore(context, gone);
    await expect.poll(() => logged.map(({ message }) => message), SOON).toEqual([AWAY]);
    await sql`alter table holds_away rename to holds`.execute(context.store.db);
    await expect.poll(() => originOf(HOST), SOON).toBeNull();
    // This change has a lower number than the last change of the old list.
    await moveOrigin(context, caller, 'https://two.example');
    await expect.poll(() => originOf(OTHER), SOON).toBe('https://two.example');
    expect(certificates.wants('new.acme.com')).toBe(true);
  });

  test('are updated while the lookups of many visitors wait', async () => {
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
      answers.push(await visit(`dom-${n}.${sandboxZone}`));
    });
    await deleteDomain(context, caller, { params: { id } });
    await expect.poll(() => visit(HOST), SOON).toBe(404);
    hold.resolve();
    await Promise.all([held, ...crowd]);
    // The edge refuses a lookup that has waited for 5 seconds.
    expect([404, 503]).toEqual(expect.arrayContaining([...new Set(answers)]));
    await stop();
  });

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

  /** Restores a backup as `pg_restore --clean` does: a new `route_changes`, numbered from 1, without the domain added after the backup. */
  async function restore({ store }: Context, gone: DomainId): Promise<void> {
    await sql`begin; create table restored (like route_changes including all); create sequence restored_seq;
      alter table restored alter column seq set default nextval('restored_seq'); drop table route_changes;
      alter table restored rename to route_changes; delete from routes where domain_id = ${sql.lit(gone)}; commit`.execute(
      store.db,
    );
  }
});
