import { readReadiness } from '../../../service/health/readiness.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { noTraffic } from '../../../shared/core/traffic/traffic-counts.ts';
import { startOf } from '../../../shared/core/traffic/traffic-range.ts';
import { getAppOverview } from '../../../shared/operations/apps/present-app.ts';
import { listChallenges } from '../../../shared/store/certificates/challenges.ts';
import { readBacklogByApp } from '../../../shared/store/events/backlog.ts';
import { writeTraffic } from '../../../shared/store/traffic/write-traffic.ts';
import { idOf, sqlId } from './fill-expressions.ts';
import { withEmptyStatistics } from './statistics.ts';
import type { Costs, MillionWorld, Part } from './world.ts';

/** The edge lists at most this many challenges. */
const CHALLENGES_MAX = 2_001;
const OPEN = 200;
/** Number of domains with requests in one batch of traffic counts. */
const ACTIVE = 1_000;

/** Measures reads of the API, the dashboard and the edge, and a write of traffic. */
export const measureReads: Part = async (world) => {
  const { context, served, meter } = world;
  const { store, clock } = context;
  const costs: Costs = await measureChallenges(world);
  const twice = async (name: string, work: () => Promise<unknown>, units = 1) => {
    await work();
    costs[name] = await meter.measure(work, units);
  };
  await twice('traffic of the large app by hour', () => served.send('GET', '/v1/traffic?interval=hour'));
  await twice('traffic of the large app, 30 days', () => served.send('GET', '/v1/traffic?interval=day'));
  await twice('overview of the large app', () => getAppOverview(context, served.app.app_id));
  let number = 0;
  const domains = new Map(activeDomains(world).map((id) => [id, noTraffic().fill(1)]));
  const write = () => {
    const hour = startOf(clock.now(), HOUR_MS);
    const batch = { writer: 'bench', number: ++number, hour, domains, apps: new Map() };
    return writeTraffic(store, batch, clock.now());
  };
  await twice('traffic written for a domain', write, Math.max(1, domains.size));
  return costs;
};

/** Measures a scrape of `/metrics` and the backlog by app. `service status` runs the same queries as a scrape. */
export async function measureScrape(
  { context, composition, meter }: MillionWorld,
  when: string,
): Promise<Costs> {
  const { store, clock } = context;
  const scrape = () => readReadiness({ store: composition.database.healthStore, clock }, false);
  const byApp = () => readBacklogByApp(store, clock.now(), 20);
  await scrape();
  await byApp();
  return {
    [`scrape or status${when}`]: await meter.measure(scrape),
    [`backlog by app${when}`]: await meter.measure(byApp),
  };
}

/** Returns domains with traffic, spread over all apps as visits are. */
function activeDomains({ fill: { domains } }: MillionWorld): string[] {
  const count = Math.min(ACTIVE, domains);
  return Array.from({ length: count }, (_, n) => idOf('dom', Math.floor((n * domains) / count)));
}

async function measureChallenges({ context, client, fill, meter }: MillionWorld): Promise<Costs> {
  const list = () => listChallenges(context.store, CHALLENGES_MAX);
  await client.query(`
    insert into challenges (hostname, token, domain_id, method, key_authorization)
    select 'challenge-' || d || '.example', 'token', ${sqlId('dom', 'd')}, 'http-01', 'token.thumbprint'
    from generate_series(0, ${Math.min(OPEN, fill.domains) - 1}) d`);
  await client.query('analyze challenges');
  await list();
  const fresh = await meter.measure(list);
  const old = await withEmptyStatistics(client, ['challenges', 'domains', 'apps'], async () => {
    await list();
    return meter.measure(list);
  });
  await client.query('delete from challenges');
  return {
    'listChallenges, fresh statistics': fresh,
    'listChallenges, statistics of an empty table': old,
  };
}
