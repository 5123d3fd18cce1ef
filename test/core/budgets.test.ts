import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRateLimiter } from '../../shared/adapters/rate-limiter.ts';
import type { Account } from '../../shared/core/accounts/account.ts';
import { BUDGETS, type Budget, type BudgetName, type BudgetNameOf } from '../../shared/core/budgets.ts';
import { type Ca, USUAL_LIMITS } from '../../shared/core/certificates/ca.ts';
import { newOrder } from '../../shared/core/certificates/certificate-order.ts';
import { slotsOf } from '../../shared/core/domains/job.ts';
import { FairSlots, fractionOfFree } from '../../shared/core/fairness/fair-slots.ts';
import { createTimeShare } from '../../shared/core/fairness/time-share.ts';
import type { AccountId } from '../../shared/core/ids.ts';
import { EDGE_LIMITS } from '../../shared/edge/edge-limits.ts';
import { OriginConnectionLimiter } from '../../shared/edge/forwarding/origin-connection-limiter.ts';
import { createInFlight } from '../../shared/jobs/in-flight.ts';
import { createAccount } from '../../shared/operations/accounts/create-account.ts';
import { takePlace } from '../../shared/operations/certificates/orders/authority-limits.ts';
import { type Caller, transact } from '../../shared/operations/context.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createOwnApp, signUp } from '../../shared/operations/members/own-accounts.ts';
import { startSession } from '../../shared/operations/members/sign-in.ts';
import { insertMember } from '../../shared/store/accounts/members.ts';
import { countSharedUse, countUse } from '../../shared/store/accounts/rate-windows.ts';
import { takeToken, tokenAt } from '../../shared/store/certificates/ca-limits.ts';
import { saveCertificateOrder } from '../../shared/store/certificates/certificate-orders.ts';
import { autocommit } from '../../shared/store/store.ts';
import { type JobWorld, jobWorld } from '../jobs/job-world.ts';

/** Tests the table of budgets. For each budget, one party takes all that it can, and another party must then still get its share. */
let world: JobWorld;
beforeEach(async () => {
  world = await jobWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

function namesOf<K extends Budget['kind']>(kind: K): BudgetNameOf<K>[] {
  const names = Object.keys(BUDGETS) as BudgetName[];
  return names.filter((name): name is BudgetNameOf<K> => BUDGETS[name].kind === kind);
}

describe('each party can do something a limited number of times in a sliding window', () => {
  test.each(namesOf('window'))(
    'the limit %s does not stop another party, and old uses expire one by one',
    async (name) => {
      const { store, clock } = world.context;
      const { limit, windowMs } = BUDGETS[name];
      const use = (party: string) => countUse(store, name, party, clock.now());
      // The first use comes half a window before the others, so that the uses expire at different times.
      expect(await use('greedy')).toBeNull();
      world.clock.move(windowMs / 2);
      for (let count = 1; count < limit; count++) expect(await use('greedy')).toBeNull();
      expect(await use('greedy')).not.toBeNull();
      expect(await use('other')).toBeNull();
      world.clock.move(windowMs / 2);
      expect([await use('greedy'), (await use('greedy')) === null]).toEqual([null, false]);
    },
  );
});

describe('several parties share a limit', () => {
  test.each(namesOf('shared'))(
    'the limit %s still allows one use to each party without earlier uses',
    async (name) => {
      const { store, clock } = world.context;
      const { each, limit } = BUDGETS[name];
      const use = (party: string) => countSharedUse(store, name, { subject: 'it', party }, clock.now());
      for (let count = 0; count < limit * 3; count++) await use(`greedy ${Math.floor(count / each)}`);
      expect((await use('greedy 0')).waitMs).not.toBeNull();
      expect(await use('other')).toEqual({ waitMs: null, isOpen: true });
    },
  );
});

describe('a rate limit applies to each party separately', () => {
  test.each(namesOf('rate'))('the limit %s does not stop another party', (name) => {
    const take = createRateLimiter(BUDGETS[name], world.clock);
    const greedy = Array.from({ length: BUDGETS[name].burst * 3 }, () => take('greedy').allowed);
    expect(greedy.filter(Boolean)).toHaveLength(BUDGETS[name].burst);
    expect(take('other').allowed).toBe(true);
  });
});

async function openAccount(): Promise<Account> {
  return (await createAccount(world.context, { name: 'Acme' })).account;
}

/** Lets one party ask for far more than its share of a budget. @returns whether another party is still served. */
type Walk = () => boolean | Promise<boolean>;

function slots(parts: number): Walk {
  return () => {
    const all = new FairSlots({
      slotsMax: 50,
      mayTake: fractionOfFree(parts),
      queuedMax: 5_000,
      queuedPerPartyMax: 500,
    });
    for (let count = 0; count < 10_000; count++) all.ask('greedy', () => undefined);
    return all.ask('other', () => undefined)?.waits === false;
  };
}

function work(name: Parameters<typeof slotsOf>[0]): Walk {
  return () => {
    const inFlight = createInFlight(slotsOf(name));
    const [greedy, other] = ['greedy', 'other'] as [AccountId, AccountId];
    for (let count = 0; count < 10_000 && inFlight.room(greedy) > 0; count++) inFlight.add(greedy, 1);
    return inFlight.room(greedy) === 0 && inFlight.room(other) > 0;
  };
}

const SHARES: Record<BudgetNameOf<'share'>, Walk> = {
  ca_orders: async () => {
    const { store, clock } = world.context;
    const { of, parts } = BUDGETS.ca_orders;
    const [orders, share] = [
      { name: 'orders', limit: of, window_ms: 3 * 3_600_000 },
      { name: 'share', limit: of / parts, window_ms: 3 * 3_600_000 },
    ];
    let taken = 0;
    for (let count = 0; count < of * 2; count++) {
      const isOver = (await tokenAt(store, share, clock.now())) !== null;
      if ((await takeToken(autocommit(store), orders, clock.now(), isOver ? 0.5 : 0)) !== null) break;
      if (!isOver) await takeToken(autocommit(store), share, clock.now());
      taken++;
    }
    return taken <= of / 2 + 1 && (await takeToken(autocommit(store), orders, clock.now())) === null;
  },
  ca_places: async () => {
    const { context } = world;
    const now = context.clock.now();
    const limits = { ...USUAL_LIMITS, orders: { limit: 10_000, window_ms: 3_600_000 } };
    const ca = { name: 'ca', directory_url: 'https://ca.example', limits } as Ca;
    const [greedy, other] = [await world.addApp('greedy'), await world.addApp('other')];
    const place = ({ account_id }: Caller) =>
      transact(context, (tx) =>
        takePlace(tx, ca, { names: ['a.example'], purpose: 'issue', account_id, exempt: false }),
      );
    let taken = 0;
    for (; taken <= BUDGETS.ca_places.of && (await place(greedy)) === null; taken++) {
      const domainId = await world.addDomain(greedy, `careers-${taken}.example.com`);
      await saveCertificateOrder(autocommit(context.store), {
        ...newOrder(domainId, 'issue', now),
        ca: ca.name,
      });
    }
    return taken < BUDGETS.ca_places.of && (await place(other)) === null;
  },
  requests: slots(BUDGETS.requests.parts),
  connections: slots(BUDGETS.connections.parts),
  lists: () => {
    const rules = { share: 1 / BUDGETS.lists.parts, burstMs: 500, waitMsMax: 5_000, presentMs: 10_000 };
    const lists = createTimeShare(rules);
    lists.note('other', 0);
    let delayMs: number | null = 0;
    for (let count = 0; count < 10_000 && delayMs !== null; count++) delayMs = lists.reserve('greedy', 0);
    return delayMs === null && lists.reserve('other', 0) === 0;
  },
  streams: slots(BUDGETS.streams.parts),
  edge_requests: slots(BUDGETS.edge_requests.parts),
  deliveries: work('deliveries'),
  jobs_dns: work('jobs_dns'),
  jobs_origins: work('jobs_origins'),
  jobs_certificates: work('jobs_certificates'),
  jobs_ours: work('jobs_ours'),
  jobs_mail: work('jobs_mail'),
};

describe('each party has a share of a common capacity', () => {
  test.each(namesOf('share'))('the limit %s leaves the shares of other parties free', async (name) => {
    expect(await SHARES[name]()).toBe(true);
  });
});

/** The test of a limit that needs sockets or a passkey, as `file: title`. */
type ShownBy = `test/${string}: ${string}`;

const AT_ONCE: Record<BudgetNameOf<'at_once'>, Walk | ShownBy> = {
  test_domains:
    'test/operations/domains/free-rows.test.ts: an account has at most 1000 test domains in all its apps, and other accounts have their own limit',
  keys: 'test/operations/domains/free-rows.test.ts: an account has at most 1000 keys in all its apps, and other accounts have their own limit',
  apps: async () => {
    const { context } = world;
    const [greedy, other] = [await openAccount(), await openAccount()];
    const add = (account: Account) => createOwnApp(context, 'ada', account, 'app');
    // The account already has one app.
    for (let count = 1; count < BUDGETS.apps.limit; count++) await add(greedy);
    await expect(add(greedy)).rejects.toMatchObject({ code: 'too_many' });
    return (await add(other)).app.account_id === other.id;
  },
  members: async () => {
    const { context } = world;
    const [greedy, other] = [await openAccount(), await openAccount()];
    for (let count = 0; count < BUDGETS.members.limit; count++) {
      const member = {
        id: context.ids('mem'),
        mail: `m${count}@example.com`,
        role: 'viewer',
        created_at: 0,
      } as const;
      await insertMember(autocommit(context.store), { ...member, account_id: greedy.id, joined_at: null });
    }
    const invite = ({ id }: Account) =>
      inviteMember(context, 'ada', id, { mail: 'bob@example.com', role: 'viewer' });
    await expect(invite(greedy)).rejects.toMatchObject({ code: 'too_many' });
    return (await invite(other)).mail === 'bob@example.com';
  },
  accounts: async () => {
    const context = { ...world.context, settings: { ...world.context.settings, signUp: 'open' as const } };
    const browser = { sessionToken: null, userAgent: 'test' };
    for (const mail of ['ada@example.com', 'bob@example.com'])
      await transact(context, (tx) => startSession(tx, mail, browser));
    for (let count = 0; count < BUDGETS.accounts.limit; count++)
      await signUp(context, 'ada@example.com', 'Acme');
    await expect(signUp(context, 'ada@example.com', 'Acme')).rejects.toMatchObject({ code: 'too_many' });
    return (await signUp(context, 'bob@example.com', 'Acme')).account.name === 'Acme';
  },
  passkeys: 'test/dashboard/passkeys.system.test.ts: a person has at most twenty passkeys',
  page_addresses:
    'test/operations/connect/mail-subscriptions.test.ts: is not visible on a page that accepts no more addresses',
  key_streams:
    'test/http/event-streams.test.ts: an account with 40 apps and 200 keys cannot take the event streams that other accounts need',
  app_streams:
    'test/http/event-streams.test.ts: an account with 40 apps and 200 keys cannot take the event streams that other accounts need',
  account_streams:
    'test/http/event-streams.test.ts: an account with 40 apps and 200 keys cannot take the event streams that other accounts need',
  api_connections:
    'test/http/bound-connections.test.ts: the API listener closes connections beyond the limit of a network, and accepts a connection again later',
  pipelined: 'test/http/bound-connections.test.ts: pipelin',
  edge_connections:
    'test/edge/listeners/edge-visitors.test.ts: gets a limited number of connections, and another one once one has ended',
  edge_streams:
    'test/edge/wire/edge-http2-visitors.test.ts: slows down the origin of a stream that the visitor does not read, and no other stream',
  edge_pipelined:
    'test/edge/listeners/edge-visitors.test.ts: is disconnected if it pipelines too many requests',
  origin_tunnels: 'test/edge/forwarding/edge-websocket.test.ts: origin_tunnels_per_network_max',
  dns_connections:
    'test/dns/server/dns-server.system.test.ts: closes the third connection of one network, and the oldest connection when all are taken',
  waiting_requests: () => {
    const all = new FairSlots({
      slotsMax: 0,
      mayTake: () => true,
      queuedMax: 5_000,
      queuedPerPartyMax: BUDGETS.waiting_requests.limit,
    });
    const waiting = Array.from({ length: 1_000 }, () => all.ask('greedy', () => undefined)).filter(
      (slot) => slot !== null,
    );
    return waiting.length === BUDGETS.waiting_requests.limit && all.ask('other', () => undefined) !== null;
  },
  origin_connections: () => originOf().ask('other', () => undefined)?.waits === false,
  origin_queue: () => {
    const limiter = originOf();
    for (let network = 0; network < 3; network++) {
      for (let count = 0; count < 64; count++) limiter.ask(`full ${network}`, () => undefined);
    }
    return limiter.ask('other', () => undefined) !== null;
  },
};

/** Returns the limiter of an origin's connections after one network has taken its maximum of connections and filled its queue. */
function originOf(): OriginConnectionLimiter {
  const limits = {
    perNetworkMax: BUDGETS.origin_connections.limit,
    queuedPerNetworkMax: BUDGETS.origin_queue.limit,
  };
  const limiter = new OriginConnectionLimiter({
    ...limits,
    slotsMax: 256,
    sharedFrom: 128,
    queuedMax: EDGE_LIMITS.origin_queued_max,
  });
  for (let count = 0; count < 10_000; count++) limiter.ask('greedy', () => undefined);
  return limiter;
}

describe('each party can have a limited number of things at the same time', () => {
  test.each(namesOf('at_once'))('the limit %s does not reduce the number of another party', async (name) => {
    const walk = AT_ONCE[name];
    if (typeof walk !== 'string') expect(await walk()).toBe(true);
    else {
      const [file = '', title = ''] = walk.split(': ');
      expect(readFileSync(file, 'utf8')).toContain(title);
    }
  });
});
