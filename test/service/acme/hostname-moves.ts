import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { describePebble } from '../../fixtures/acme/pebble.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import type { EdgeSource } from '../edge/edge-cluster.ts';
import {
  addressesOf,
  cnameOf,
  delegationOf,
  type Shown,
  startTwoApps,
  type TwoApps,
  txtOf,
  VERIFY_LIMIT_MS,
} from './two-apps.ts';

const OLD_HOST = '@ A 203.0.113.80';
const OLD_CNAME = 'careers CNAME old-host.example.';
const HOUR_MS = 3_600_000;
/** From this age, the service checks an unconnected domain only once a minute, so the test can decide which domain is checked first. */
const RARELY_CHECKED_MS = 6 * 60_000;
/** A move is done once the new app has served this number of visits in a row. */
const SETTLED_VISITS = 20;
/** Number of checks of each domain after a change of the zone, an hour apart. */
const ROUNDS = 3;

/**
 * A proof of ownership that still names the former app, and the zone's records before, during and after the customer's choice of the other
 * app.
 */
interface Leftover {
  title: string;
  zone: string;
  hostname: string;
  /** Whether the former app adds its domain first. If the records name both apps, the domain that was added first gets the hostname. */
  isFormerFirst: boolean;
  /** Records before the customer chooses. With a delegation, the former app's domain gets its certificate. */
  before(former: Shown): string[];
  /** Records with which the other app's domain becomes active. */
  choosing(former: Shown, chosen: Shown): string[];
  /** Records that could give the hostname back to the former app. */
  after(former: Shown, chosen: Shown): string[];
}

const KINDS: readonly Omit<Leftover, 'zone' | 'hostname'>[] = [
  {
    title: 'an apex whose TXT record is removed while the delegation to the former app stands',
    isFormerFirst: true,
    before: (former) => [OLD_HOST, delegationOf(former)],
    choosing: (former, chosen) => [...addressesOf(chosen), txtOf(chosen), delegationOf(former)],
    after: (former, chosen) => [...addressesOf(chosen), delegationOf(former)],
  },
  {
    title: 'a subdomain whose delegation to the former app is gone',
    isFormerFirst: true,
    before: (former) => [OLD_CNAME, delegationOf(former)],
    choosing: (_, chosen) => [cnameOf(chosen)],
    after: (_, chosen) => [cnameOf(chosen)],
  },
  {
    title: 'a subdomain whose delegation to the former app stands',
    isFormerFirst: true,
    before: (former) => [OLD_CNAME, delegationOf(former)],
    choosing: (former, chosen) => [cnameOf(chosen), delegationOf(former)],
    after: (former, chosen) => [cnameOf(chosen), delegationOf(former)],
  },
  {
    title: "an apex whose TXT record is removed while the former app's old one stands",
    isFormerFirst: false,
    before: (former) => [OLD_HOST, txtOf(former)],
    choosing: (former, chosen) => [...addressesOf(chosen), txtOf(former), txtOf(chosen)],
    after: (former, chosen) => [...addressesOf(chosen), txtOf(former)],
  },
  {
    title: "an apex whose TXT record is replaced by the former app's old one",
    isFormerFirst: true,
    before: (former) => [OLD_HOST, txtOf(former)],
    choosing: (_, chosen) => [...addressesOf(chosen), txtOf(chosen)],
    after: (former, chosen) => [...addressesOf(chosen), txtOf(former)],
  },
];

/** Each kind of old proof twice: with the former app's domain checked first, and with the chosen app's domain checked first. */
const LEFTOVERS = KINDS.flatMap((kind, index) =>
  ['former', 'chosen'].map((first): Leftover & { first: string } => {
    const zone = `${first}${index}.test`;
    return { ...kind, first, zone, hostname: kind.title.startsWith('an apex') ? zone : `careers.${zone}` };
  }),
);
const MOVED = ['elsewhere.test', 'nobody.test'] as const;
const MOVING = ['subdomain.test', 'apex.test'] as const;

/**
 * Tests that DNS alone decides which of two apps has a hostname.
 * @param engine the engine of the three edges.
 * @param source where they read their values.
 */
export function describeHostnameMoves(engine: 'node' | 'nginx', source: EdgeSource = 'postgres'): void {
  describeRealInternet(
    `A hostname of two apps on three nodes whose edges run on ${engine} and read from ${source}`,
    () => {
      describePebble('by Pebble', () => {
        describePostgres('on Postgres', () => hostnameMoves(engine, source));
      });
    },
  );
}

function hostnameMoves(engine: 'node' | 'nginx', source: EdgeSource): void {
  let apps: TwoApps;
  beforeAll(async () => {
    apps = await startTwoApps([...LEFTOVERS.map(({ zone }) => zone), ...MOVED, ...MOVING], engine, source);
  });
  beforeEach(() => onTestFailed(() => console.log(apps.cluster.nodes.map(({ said }) => said).join('\n'))));
  afterAll(() => apps[Symbol.asyncDispose]());

  // All hostnames take each step together, because most of the time goes into waiting for certificates.
  test('stays with the chosen app, whatever proof of the former app is left, and no request fails', async () => {
    const cases = await Promise.all(
      LEFTOVERS.map(async (each) => {
        const adding = [apps.former, apps.chosen];
        const added: Shown[] = [];
        for (const app of each.isFormerFirst ? adding : adding.toReversed())
          added.push(await app.add(each.hostname));
        const [former, chosen] = each.isFormerFirst ? added : added.toReversed();
        if (former === undefined || chosen === undefined) throw new Error('a domain is missing');
        return { ...each, former, chosen, seen: new Set<string>() };
      }),
    );
    const all = (step: (each: (typeof cases)[number]) => Promise<void>) => Promise.all(cases.map(step));
    await all(({ zone, before, former }) => apps.setZone(zone, before(former)));
    await apps.moveClock(RARELY_CHECKED_MS);
    await all(async ({ former, before }) => {
      if (!before(former).includes(delegationOf(former))) return;
      await expect.poll(async () => (await apps.read(former)).ready_to_switch).toBe(true);
    });
    await all(({ zone, former, chosen, choosing }) => apps.setZone(zone, choosing(former, chosen)));
    await all(({ chosen }) => apps.check(chosen));
    await all(({ chosen }) => apps.becomes(chosen, 'active'));
    const visitors = apps.visit(LEFTOVERS.map(({ hostname }) => hostname));
    await apps.moveClock(VERIFY_LIMIT_MS);
    await all(({ zone, former, chosen, after }) => apps.setZone(zone, after(former, chosen)));
    for (let round = 0; round < ROUNDS; round++) {
      await all(async ({ first, former, chosen, seen }) => {
        for (const domain of first === 'former' ? [former, chosen] : [chosen, former]) {
          await apps.check(domain);
          seen.add((await apps.read(chosen)).status);
        }
      });
      await apps.moveClock(HOUR_MS);
    }
    const found = await Promise.all(
      cases.map(async ({ title, first, hostname, former, seen }) => {
        const { status } = await apps.read(former);
        const nodes = new Set(await apps.servedBy(hostname));
        return { [`${title}, ${first} first`]: { seen, former: status, nodes } };
      }),
    );
    await visitors.stop();
    const stays = {
      seen: new Set(['active']),
      former: expect.stringMatching(/^(?:pending_dns|verifying)$/),
      nodes: new Set([apps.chosen.id]),
    };
    expect(Object.assign({}, ...found)).toEqual(
      Object.fromEntries(cases.map(({ title, first }) => [`${title}, ${first} first`, stays])),
    );
    expect(visitors.failures).toEqual([]);
    const served = new Set(LEFTOVERS.map(({ hostname }) => `${hostname} ${apps.chosen.id}`));
    expect(new Set(visitors.served)).toEqual(served);
  });

  test('breaks with the second check after its CNAME moves to the label of an app without it, or of nobody', async () => {
    const cases = await Promise.all(
      MOVED.map(async (zone) => {
        const domain = await apps.chosen.add(`careers.${zone}`);
        await goLive(zone, domain, [cnameOf(domain)]);
        return { zone, domain };
      }),
    );
    const visitors = apps.visit(cases.map(({ domain }) => domain.hostname));
    // No check is due while the zones change, so the next two checks are the first with the new records.
    await apps.setZone(MOVED[0], [`careers CNAME ${apps.former.target}.`]);
    await apps.setZone(MOVED[1], ['careers CNAME nobody.edge.test.']);
    await apps.moveClock(HOUR_MS);
    const checkAll = () => Promise.all(cases.map(({ domain }) => apps.check(domain)));
    await checkAll();
    for (const { domain } of cases) expect((await apps.read(domain)).status).toBe('active');
    await apps.moveClock(HOUR_MS);
    for (const { domain } of cases) {
      await apps.becomes(domain, 'dns_broken');
      expect(await apps.read(domain)).toMatchObject({ status_reason: 'dns_record_mismatch' });
    }
    // No other app has a domain with this hostname, so the edge still serves the visitors of a broken domain.
    for (const { domain } of cases)
      expect(new Set(await apps.servedBy(domain.hostname))).toEqual(new Set([apps.chosen.id]));
    await visitors.stop();
    expect(visitors.failures).toEqual([]);
    for (const { zone, domain } of cases) {
      await apps.setZone(zone, [cnameOf(domain)]);
      await apps.moveClock(VERIFY_LIMIT_MS);
      await apps.check(domain);
      await apps.becomes(domain, 'active');
    }
  });

  test('moves to the other app and back with one record each time, and no request fails', async () => {
    const [subdomain, apex] = await Promise.all([bothOf(`careers.${MOVING[0]}`), bothOf(MOVING[1])]);
    const [zoneOfSubdomain, zoneOfApex] = MOVING;
    const recordsOf = async (app: 'former' | 'chosen') => {
      // The customer reads the TXT value right before the move, because each move changes the value of the domain that loses the hostname.
      const there = await apps.read(apex[app]);
      await apps.setZone(zoneOfSubdomain, [cnameOf(subdomain[app])]);
      await apps.setZone(zoneOfApex, [...addressesOf(there), txtOf(there)]);
    };
    await recordsOf('former');
    for (const each of [subdomain, apex]) {
      await apps.check(each.former);
      await apps.becomes(each.former, 'active');
    }
    const visitors = apps.visit([subdomain.former.hostname, apex.former.hostname]);
    for (const [from, to] of [
      ['former', 'chosen'],
      ['chosen', 'former'],
      ['former', 'chosen'],
      ['chosen', 'former'],
    ] as const) {
      await apps.moveClock(VERIFY_LIMIT_MS);
      await recordsOf(to);
      await Promise.all(
        [subdomain, apex].map(async (each, index) => {
          // A check of either app's domain moves the hostname. The test checks the new app's domain for the subdomain, the former app's for
          // the apex.
          await apps.check(each[index === 0 ? to : from]);
          await apps.becomes(each[to], 'active');
          expect(await apps.read(each[from])).toMatchObject({
            status: 'dns_broken',
            status_reason: 'hostname_routed_elsewhere',
          });
          const nodes = async () => new Set(await apps.servedBy(each[to].hostname));
          await expect.poll(nodes).toEqual(new Set([apps[to].id]));
          const { hostname } = each[to];
          const latest = () =>
            visitors.served.filter((visit) => visit.startsWith(`${hostname} `)).slice(-SETTLED_VISITS);
          await expect.poll(latest).toEqual(Array(SETTLED_VISITS).fill(`${hostname} ${apps[to].id}`));
        }),
      );
    }
    await visitors.stop();
    console.log({ engine, served: visitors.served.length, failures: visitors.failures.length });
    expect(visitors.failures).toEqual([]);
  });

  interface Both {
    former: Shown;
    chosen: Shown;
  }

  async function bothOf(hostname: string): Promise<Both> {
    return { former: await apps.former.add(hostname), chosen: await apps.chosen.add(hostname) };
  }

  async function goLive(zone: string, domain: Shown, records: readonly string[]): Promise<void> {
    await apps.setZone(zone, records);
    await apps.check(domain);
    await apps.becomes(domain, 'active');
  }
}
