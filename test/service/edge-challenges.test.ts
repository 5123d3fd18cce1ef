import { expect, test } from 'vitest';
import { ownedChallenges } from '../../service/edge-challenges.ts';
import { RouteTable } from '../../shared/edge/route-table.ts';
import type { Caller, Context } from '../../shared/operations/context.ts';
import { deleteChallenges, saveChallenge } from '../../shared/store/challenges.ts';
import { takeRoute } from '../../shared/store/routes.ts';
import { jobWorld } from '../jobs/job-world.ts';

const HOST = 'careers.acme.com';
/** Of a look-up: whose the hostname is, and what that one has open. */
const QUERIES = 2;
const TOKEN = 'a'.repeat(43);

/** The challenges of one hostname that a domain has, and how often the database was asked for them. */
async function world() {
  const made = await jobWorld();
  const caller: Caller = { ...(await made.addApp('acme')), mode: 'live' };
  const domain_id = await made.addDomain(caller, HOST);
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
  await takeRoute(store, HOST, domain_id);
  const table = new RouteTable();
  table.set(HOST, { route: null, redirects_www: false, changes_at: null });
  return {
    asked,
    challenges: ownedChallenges(context, table),
    open: (token: string) =>
      saveChallenge(store, {
        hostname: HOST,
        token,
        domain_id,
        method: 'http-01',
        key_authorization: `${token}.key`,
      }),
    end: () => deleteChallenges(store, domain_id),
    [Symbol.asyncDispose]: made[Symbol.asyncDispose],
  };
}

test('a token that is open has its answer, and no other has one', async () => {
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

test('tokens that are made up for a hostname cost no query each', async () => {
  await using under = await world();
  const askForMany = () =>
    Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        under.challenges.findKeyAuthorization(HOST, String(n).padStart(43, '0')),
      ),
    );
  await under.open(TOKEN);
  expect(new Set(await askForMany())).toEqual(new Set([null]));
  expect(under.asked.count).toBe(QUERIES);
  await under.end();
  for (let round = 0; round < 3; round++) await askForMany();
  expect(under.asked.count).toBe(2 * QUERIES);
});
