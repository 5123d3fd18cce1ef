import { expect, test } from 'vitest';
import { ownedChallenges } from '../../../service/edge/edge-challenges.ts';
import { RouteTable } from '../../../shared/edge/routing/route-table.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { deleteChallenges, saveChallenge } from '../../../shared/store/certificates/challenges.ts';
import { takeRoute } from '../../../shared/store/domains/routes.ts';
import { jobWorld } from '../../jobs/job-world.ts';

const HOST = 'careers.acme.com';
/** Number of queries for all open challenges, for the domain of a hostname, and for that domain's challenges. */
const [READ, LOOKUP] = [1, 2];
const TOKEN = 'a'.repeat(43);

/** A challenge source for one hostname of a domain, with counted queries. */
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
  await takeRoute(store, HOST, domainId);
  const table = new RouteTable();
  table.set(HOST, { route: null, redirectsWww: false, changesAt: null });
  return {
    asked,
    table,
    challenges: ownedChallenges(context, table, { everyMs: 1, ...options }),
    passOn: async () => takeRoute(store, HOST, await made.addDomain(caller, `new.${HOST}`)),
    open: (token: string) =>
      saveChallenge(store, {
        hostname: HOST,
        token,
        domain_id: domainId,
        method: 'http-01',
        key_authorization: `${token}.key`,
      }),
    end: () => deleteChallenges(store, domainId),
    [Symbol.asyncDispose]: made[Symbol.asyncDispose],
  };
}

test('answers an open token and no other', async () => {
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

test('answers thousands of made-up names and tokens with one query, and still finds a real token', async () => {
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
  expect(under.asked.count).toBe(2 * READ + LOOKUP);
});

test('answers a challenge only of the domain that has the hostname now', async () => {
  await using under = await world();
  await under.open(TOKEN);
  await under.passOn();
  expect(await under.challenges.findKeyAuthorization(HOST, TOKEN)).toBeNull();
});

test('looks up each name separately if more challenges are open than one read returns', async () => {
  await using under = await world({ openMax: 1 });
  const tokens = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
  for (const token of tokens) await under.open(token);
  for (const token of tokens) {
    expect(await under.challenges.findKeyAuthorization(HOST, token)).toBe(`${token}.key`);
  }
  expect(under.asked.count).toBe(3 * (READ + LOOKUP));
});
