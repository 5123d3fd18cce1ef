import { expect, test } from 'vitest';
import { ownedChallenges } from '../../../service/edge/edge-challenges.ts';
import { cnameTarget } from '../../../shared/core/apps/app.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { findApp } from '../../../shared/store/accounts/apps.ts';
import { deleteChallenges, saveChallenge } from '../../../shared/store/certificates/challenges.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { jobWorld } from '../../jobs/job-world.ts';

const HOST = 'careers.acme.com';
/** Number of queries: one reads all open challenges, and two look up one hostname (its domain, then the challenges of the domain). */
const [READ, LOOKUP] = [1, 2];
const TOKEN = 'a'.repeat(43);

/** Creates a challenge source with one domain, and counts the source's queries. */
async function world(options: { openMax?: number } = {}) {
  const made = await jobWorld();
  const caller: Caller = { ...(await made.addApp('acme')), mode: 'live' };
  const domainId = await made.addDomain(caller, HOST);
  const { store } = made.context;
  const asked = { count: 0 };
  const context: Context = {
    ...made.context,
    store: {
      ...store,
      get db() {
        asked.count += 1;
        return store.db;
      },
    },
  };
  const apps = { acme: caller, rival: await made.addApp('rival') };
  await takeRoute(autocommit(store), HOST, domainId, true);
  const table = new RouteTable();
  table.set(HOST, { route: null, redirectsWww: false, changesAt: null });
  return {
    asked,
    settings: context.settings,
    async targetOf(name: keyof typeof apps): Promise<string> {
      const app = await findApp(store, apps[name].app_id);
      if (app === null) throw new Error(`no app ${name}`);
      return cnameTarget(app, context.settings.edgeZone);
    },
    table,
    challenges: ownedChallenges(context, table, { everyMs: 1, ...options }),
    passOn: async () => takeRoute(autocommit(store), HOST, await made.addDomain(caller, `new.${HOST}`), true),
    open: (token: string) =>
      saveChallenge(autocommit(store), {
        hostname: HOST,
        token,
        domain_id: domainId,
        method: 'http-01',
        key_authorization: `${token}.key`,
      }),
    end: () => deleteChallenges(autocommit(store), domainId),
    [Symbol.asyncDispose]: made[Symbol.asyncDispose],
  };
}

test('the edge serves the response to an open challenge token, and to no other token', async () => {
  await using under = await world();
  const other = 'b'.repeat(43);
  await under.open(TOKEN);
  await under.open(other);
  expect(await under.challenges.findKeyAuthorization(HOST, TOKEN)).toBe(`${TOKEN}.key`);
  expect(await under.challenges.findKeyAuthorization(HOST, other)).toBe(`${other}.key`);
  expect(await under.challenges.findKeyAuthorization(HOST, 'c'.repeat(43))).toBeNull();
  await under.end();
  expect(await under.challenges.findKeyAuthorization(HOST, TOKEN)).toBeNull();
});

test('the edge needs one query for thousands of made-up names and tokens, and still finds a real token', async () => {
  await using under = await world();
  const owned = Array.from({ length: 3_000 }, (_, n) => `h${n}.acme.com`);
  for (const hostname of owned)
    under.table.set(hostname, { route: null, redirectsWww: false, changesAt: null });
  await under.open(TOKEN);
  const { findKeyAuthorization, findChallengeCertificate } = under.challenges;
  const flood = [
    ...owned.map((hostname) => findKeyAuthorization(hostname, TOKEN)),
    ...owned.map((_, n) => findKeyAuthorization(HOST, String(n).padStart(43, '0'))),
    ...owned.map((hostname) => findChallengeCertificate(hostname)),
  ];
  expect(new Set(await Promise.all(flood))).toEqual(new Set([null]));
  expect(under.asked.count).toBe(READ);
  const [answer] = await Promise.all([
    findKeyAuthorization(HOST, TOKEN),
    ...owned.map((hostname) => findKeyAuthorization(hostname, TOKEN)),
  ]);
  expect(answer).toBe(`${TOKEN}.key`);
  expect(under.asked.count).toBe(2 * READ);
});

test('the edge serves the responses to a thousand challenges at once after one query', async () => {
  await using under = await world();
  const tokens = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(43, '0'));
  for (const token of tokens) await under.open(token);
  const answers = await Promise.all(
    tokens.map((token) => under.challenges.findKeyAuthorization(HOST, token)),
  );
  expect(answers).toEqual(tokens.map((token) => `${token}.key`));
  expect(under.asked.count).toBe(READ);
});

test('the edge serves a challenge response only of the domain that has the hostname now', async () => {
  await using under = await world();
  await under.open(TOKEN);
  await under.passOn();
  expect(await under.challenges.findKeyAuthorization(HOST, TOKEN)).toBeNull();
});

test('the edge looks up each name separately if more challenges are open than one read returns', async () => {
  await using under = await world({ openMax: 1 });
  const tokens = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
  for (const token of tokens) await under.open(token);
  for (const token of tokens) {
    expect(await under.challenges.findKeyAuthorization(HOST, token)).toBe(`${token}.key`);
  }
  expect(under.asked.count).toBe(3 * (READ + LOOKUP));
});

test("the edge serves challenge responses at an app's CNAME target, but only for domains of that app", async () => {
  await using under = await world();
  await under.open(TOKEN);
  const [own, other] = [await under.targetOf('acme'), await under.targetOf('rival')];
  expect(await under.challenges.findKeyAuthorization(own, TOKEN)).toBe(`${TOKEN}.key`);
  expect(await under.challenges.findKeyAuthorization(own, 'c'.repeat(43))).toBeNull();
  expect(await under.challenges.findKeyAuthorization(other, TOKEN)).toBeNull();
  expect(await under.challenges.findKeyAuthorization(`x.${own}`, TOKEN)).toBeNull();
  await under.end();
  expect(await under.challenges.findKeyAuthorization(own, TOKEN)).toBeNull();
});

test('the edge serves challenge responses at CNAME targets even if more challenges are open than one read returns', async () => {
  await using under = await world({ openMax: 1 });
  for (const token of [TOKEN, 'b'.repeat(43)]) await under.open(token);
  expect(await under.challenges.findKeyAuthorization(await under.targetOf('acme'), TOKEN)).toBe(
    `${TOKEN}.key`,
  );
  expect(await under.challenges.findKeyAuthorization(await under.targetOf('rival'), TOKEN)).toBeNull();
});

test('the edge needs one query for made-up names below the edge zone', async () => {
  await using under = await world();
  await under.open(TOKEN);
  const { edgeZone } = under.settings;
  const names = Array.from({ length: 3_000 }, (_, n) => `made-up-${n}.${edgeZone}`);
  const found = await Promise.all(names.map((name) => under.challenges.findKeyAuthorization(name, TOKEN)));
  expect(new Set(found)).toEqual(new Set([null]));
  expect(under.asked.count).toBe(READ);
});
