import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { createValueBox } from '../../../shared/adapters/value-box.ts';
import { dnsChallengeKey, edgeKey, splitChain } from '../../../shared/core/edge/edge-value.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { rotateSigningSecret } from '../../../shared/operations/apps/rotate-signing-secret.ts';
import { openChallenge } from '../../../shared/operations/certificates/open-challenges.ts';
import { type Context, transact } from '../../../shared/operations/context.ts';
import { holdHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { drainEdge } from '../../../shared/operations/edge/edge-nodes.ts';
import { reconcileEdgeValues } from '../../../shared/operations/edge/reconcile-edge-values.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { claimEpoch, findEdgeValues, saveEdgeValues } from '../../../shared/store/edge/edge-values.ts';
import { saveReconciled } from '../../../shared/store/edge/reconciled.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { START } from '../../jobs/job-world.ts';
import { addActiveDomain } from '../../service/acme/live-domain.ts';
import { activeWorld, HOST, storedValue, versionsOf } from './published-values.ts';
import { challengeSource } from './stored-values.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

/**
 * A world with a value of each kind that a reconciliation derives: a host with a certificate, its chain, its app, a hold, a drain and a DNS-01
 * challenge.
 */
async function reconcilingWorld() {
  const active = await activeWorld();
  const { context, caller, id } = active;
  await addActiveDomain(context, caller, ca, { hostname: 'jobs.acme.com' });
  await holdHostname(context, '*.evil.example', null);
  await drainEdge(context, 'ada', 'fra-1');
  const challenge = { hostname: HOST, token: 't', domain_id: id, key_authorization: 't.k' };
  await transact(context, (tx) => openChallenge(tx, { ...challenge, method: 'dns-01' }));
  const host = await storedValue(context, 'host', 'jobs.acme.com');
  const keys = {
    host: edgeKey('host', 'jobs.acme.com'),
    app: edgeKey('app', caller.app_id),
    chain: edgeKey('chain', host?.certificate?.issuers ?? ''),
    hold: edgeKey('hold', '*.evil.example'),
    drain: edgeKey('drain', 'fra-1'),
    dns: dnsChallengeKey(id),
  };
  const counted: number[] = [];
  context.log = {
    ...context.log,
    warn: (fields) => counted.push((fields as { differences: number }).differences),
  };
  const openAll = async (within: Context = context) => {
    const values = await findEdgeValues(context.store, Object.values(keys));
    return Object.fromEntries(
      [...values].map(([key, sealed]) => [
        key,
        sealed.value && within.edges?.box.open({ ...sealed, value: sealed.value }),
      ]),
    );
  };
  /** Stores another value under a key, sealed and with the next number, as a fault would. */
  const replace = async (key: string, value: object | null) => {
    const number = ((await versionsOf(context)).get(key) ?? START) + 1;
    const at = { key, epoch: 1, number };
    const sealed = value && (context.edges?.box.seal(at, value) ?? null);
    await saveEdgeValues(autocommit(context.store), [{ ...at, value: sealed }], context.clock.now());
  };
  return { ...active, keys, counted, openAll, replace };
}

test('a reconciliation of values that are right writes nothing, and runs again the next day', async () => {
  const { context, counted, ...active } = await reconcilingWorld();
  await using _active = active;
  const before = await versionsOf(context);
  expect(await reconcileEdgeValues(context)).toBe(START + DAY_MS);
  expect(await versionsOf(context)).toEqual(before);
  expect(counted).toEqual([]);
});

test('a reconciliation writes no value again only because a moment that the value contains has passed', async () => {
  const { context, counted, world, caller, ...active } = await reconcilingWorld();
  await using _active = active;
  await rotateSigningSecret(context, caller);
  const trial = await createAccount(context, { name: 'trial', terms: { trial_ends_at: START + DAY_MS } });
  const { plans } = context.settings;
  context.settings.plans = { ...plans, growth: { ...plans.growth, per_domain_origin: true } };
  await transact(context, async ({ notices }) => notices.publish({ kind: 'routes', app_id: trial.app.id }));
  const before = await versionsOf(context);
  world.clock.move(2 * DAY_MS);
  await reconcileEdgeValues(context);
  expect(await versionsOf(context)).toEqual(before);
  expect(counted).toEqual([]);
});

test.each(['host', 'app', 'chain', 'hold', 'drain', 'dns'] as const)(
  'a reconciliation repairs a lost and a differing %s value, with a higher number, and counts them',
  async (kind) => {
    const { context, counted, keys, openAll, replace, ...active } = await reconcilingWorld();
    await using _active = active;
    const [key, right] = [keys[kind], await openAll()];
    const differing = { ...Object(right[key]), origin: 'https://wrong.example', chain: 'wrong' };
    for (const [n, wrong] of [null, differing].entries()) {
      await replace(key, wrong);
      const { [key]: number = 0 } = Object.fromEntries(await versionsOf(context));
      expect(await openAll()).not.toEqual(right);
      await reconcileEdgeValues(context);
      expect(await openAll()).toEqual(right);
      expect((await versionsOf(context)).get(key)).toBe(number + 1);
      expect(counted).toEqual(Array.from({ length: n + 1 }, () => 1));
    }
  },
);

test('a reconciliation deletes the values of hosts, holds and drains that the tables lack, and counts them', async () => {
  const { context, counted, openAll, replace, ...active } = await reconcilingWorld();
  await using _active = active;
  const right = await openAll();
  const host = await storedValue(context, 'host', HOST);
  await replace('host.gone.example', host);
  await replace('hold.gone.example', {});
  await replace('hold.*.gone.example', {});
  await replace('drain.gone', {});
  await reconcileEdgeValues(context);
  expect(await storedValue(context, 'host', 'gone.example')).toBeNull();
  expect(await storedValue(context, 'hold', 'gone.example')).toBeNull();
  expect(await storedValue(context, 'hold', '*.gone.example')).toBeNull();
  expect(await storedValue(context, 'drain', 'gone')).toBeNull();
  expect(await openAll()).toEqual(right);
  expect(counted).toEqual([4]);
});

test('a reconciliation deletes only chains and challenges that were unused for over a month, and does not count them', async () => {
  const { context, counted, keys, openAll, replace, world, id, ...active } = await reconcilingWorld();
  await using _active = active;
  const open = { hostname: HOST, token: 't', domain_id: id, key_authorization: 't.k' };
  await transact(context, (tx) => openChallenge(tx, { ...open, method: 'http-01' }));
  const right = await openAll();
  const unused = ['chain.unused', 'challenge.unused', 'dns.unused'] as const;
  for (const key of unused) await replace(key, { chain: key });
  const isStored = async () => {
    const found = await findEdgeValues(context.store, unused);
    return unused.map((key) => found.get(key)?.value !== null);
  };
  world.clock.move(20 * DAY_MS);
  for (let day = 0; day < 2; day++) {
    world.clock.move(DAY_MS);
    await reconcileEdgeValues(context);
  }
  expect(await isStored()).toEqual([true, true, true]);
  world.clock.move(10 * DAY_MS);
  for (let day = 0; day < 2; day++) {
    world.clock.move(DAY_MS);
    await reconcileEdgeValues(context);
  }
  expect(await isStored()).toEqual([false, false, false]);
  expect(await openAll()).toEqual(right);
  expect((await versionsOf(context)).get(keys.chain)).toBeGreaterThan(START + 30 * DAY_MS);
  expect(await challengeSource(context).findKeyAuthorization(HOST, 't')).toBe('t.k');
  expect(counted).toEqual([]);
});

test('a reconciliation that continues after a year keeps the chains that it found in use before', async () => {
  const { context, keys, openAll, world, ...active } = await reconcilingWorld();
  await using _active = active;
  const right = await openAll();
  const began = START + 10 * DAY_MS;
  await saveReconciled(autocommit(context.store), { of: 'chains', after: '', began });
  world.clock.move(365 * DAY_MS);
  await reconcileEdgeValues(context);
  expect(await openAll()).toEqual(right);
  expect((await versionsOf(context)).get(keys.chain)).toBeLessThan(began);
});

test('a reconciliation keeps the chain of a certificate whose key this process cannot open', async () => {
  const { context, keys, world, ...active } = await reconcilingWorld();
  await using _active = active;
  await sql`update certificates set private_key = 'lost'`.execute(context.store.db);
  for (let month = 0; month < 3; month++) {
    world.clock.move(31 * DAY_MS);
    await reconcileEdgeValues(context);
  }
  expect((await findEdgeValues(context.store, [keys.chain])).get(keys.chain)?.value).not.toBeNull();
});

test('a value that is written again after its row was lost has a higher number than before', async () => {
  const { context, keys, ...active } = await reconcilingWorld();
  await using _active = active;
  const before = await versionsOf(context);
  active.world.clock.move(DAY_MS);
  await sql`delete from edge_values`.execute(context.store.db);
  await reconcileEdgeValues(context);
  const after = await versionsOf(context);
  for (const key of Object.values(keys)) expect(after.get(key)).toBeGreaterThan(before.get(key) ?? 0);
});

test('a reconciliation seals all values again under a new key, so that the old key is no longer needed', async () => {
  const { context, counted, keys, openAll, replace, ...active } = await reconcilingWorld();
  await using _active = active;
  Object.assign(keys, { unused: 'chain.unused', answer: 'challenge.unused', text: 'dns.unused' });
  for (const key of ['chain.unused', 'challenge.unused', 'dns.unused']) await replace(key, { chain: key });
  const right = await openAll();
  const old = ['k1', new Uint8Array(32)] as const;
  const young = ['k2', new Uint8Array(32).fill(2)] as const;
  const withKeys = (current: string, ...ring: (readonly [string, Uint8Array])[]): Context => ({
    ...context,
    edges: { installation: 'test', box: createValueBox({ current, keys: new Map(ring) }, context.random) },
  });
  await reconcileEdgeValues(withKeys('k2', old, young));
  expect(await openAll(withKeys('k2', young))).toEqual(right);
  // The host of the world has a value too, besides the values of `keys`.
  expect(counted).toEqual([Object.keys(keys).length + 1]);
  await reconcileEdgeValues(withKeys('k2', young));
  expect(counted).toHaveLength(1);
});

test('a reconciliation writes values again that it cannot open', async () => {
  const { context, counted, keys, openAll, ...active } = await reconcilingWorld();
  await using _active = active;
  const right = await openAll();
  const damaged = [...(await findEdgeValues(context.store, Object.values(keys))).values()].map((each) => ({
    ...each,
    value: each.value && Buffer.from(each.value).fill(0, each.value.length - 4),
  }));
  await saveEdgeValues(autocommit(context.store), damaged, START);
  await reconcileEdgeValues(context);
  expect(await openAll()).toEqual(right);
  expect(counted).toEqual([Object.keys(keys).length]);
});

test('a reconciliation of an installation that has no value yet ends, and runs again the next day', async () => {
  await using active = await activeWorld();
  const { context, id } = active;
  await sql`delete from edge_values`.execute(context.store.db);
  await sql`delete from edge_source`.execute(context.store.db);
  await sql`delete from routes`.execute(context.store.db);
  for (let n = 0; n < 450; n++) await takeRoute(autocommit(context.store), `www.n${n}.example`, id, true);
  expect(await reconcileEdgeValues(context)).toBe(START + DAY_MS);
});

test('a reconciliation goes on where it stopped, and is due again at once until it has ended', async () => {
  const { context, counted, replace, ...active } = await reconcilingWorld();
  await using _active = active;
  await claimEpoch(autocommit(context.store), 'test');
  const lost = Array.from({ length: 10_500 }, (_, n) => `host.lost-${String(n).padStart(5, '0')}.example`);
  for (let from = 0; from < lost.length; from += 500) {
    const values = lost
      .slice(from, from + 500)
      .map((key) => ({ key, epoch: 1, number: 1, value: Buffer.from('x') }));
    await saveEdgeValues(autocommit(context.store), values, START);
  }
  expect(await reconcileEdgeValues(context)).toBe(START);
  const [first = 0] = counted;
  expect(first).toBeGreaterThan(5_000);
  expect(first).toBeLessThan(lost.length);
  expect(await reconcileEdgeValues(context)).toBe(START + DAY_MS);
  expect(counted).toEqual([first, lost.length - first]);
});

test('a program without values of edges reconciles nothing, and asks for no further run', async () => {
  await using active = await activeWorld();
  const { context } = active;
  await sql`delete from edge_values`.execute(context.store.db);
  expect(await reconcileEdgeValues({ ...context, edges: null })).toBeNull();
  expect((await versionsOf(context)).size).toBe(0);
});

test('the parts of a chain are its certificate and the rest, whose hash names the value of the issuers', () => {
  const { cert } = ca.issue('DNS:a.example');
  const { leaf, rest, issuers } = splitChain(`${cert}${ca.certificate}`);
  expect(leaf + rest).toBe(`${cert}${ca.certificate}`);
  expect(splitChain(`${ca.issue('DNS:b.example').cert}${ca.certificate}`).issuers).toBe(issuers);
  expect(splitChain(cert).issuers).not.toBe(issuers);
});
