import { readReadiness } from '../../../service/health/readiness.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { noTraffic } from '../../../shared/core/traffic/traffic-counts.ts';
import { startOf } from '../../../shared/core/traffic/traffic-range.ts';
import { getAppOverview } from '../../../shared/operations/apps/present-app.ts';
import { sealCertificateKey } from '../../../shared/operations/certificates/certificate-keys.ts';
import { transact } from '../../../shared/operations/context.ts';
import { currentMark } from '../../../shared/store/commit-order.ts';
import { listEdgeChanges, listEdgeValues, listEdgeVersions } from '../../../shared/store/edge/edge-values.ts';
import { readBacklogByApp } from '../../../shared/store/events/backlog.ts';
import { writeTraffic } from '../../../shared/store/traffic/write-traffic.ts';
import { FILLED_CHAIN, FILLED_KEY } from './fill-edge-values.ts';
import { idOf } from './fill-expressions.ts';
import type { Costs, MillionWorld, Part } from './world.ts';

/** The number of values in a read of the follower, and of versions in a read of a comparison (`follow-values.ts`). */
const VALUES = 2_000;
const VERSIONS = 20_000;
/** Number of changes that are published in one measurement. */
const PUBLISHED = 200;
/** Number of domains with requests in one batch of traffic counts. */
const ACTIVE = 1_000;

/** Measures reads of the API and the dashboard, the values of edges, and a write of traffic. */
export const measureReads: Part = async (world) => {
  const { context, served, meter } = world;
  const { store, clock } = context;
  const costs: Costs = await measureEdgeValues(world);
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

/** Measures what it costs to publish changed values, and the reads of an edge's follower. */
async function measureEdgeValues(world: MillionWorld): Promise<Costs> {
  const { context, client, fill, meter, served } = world;
  const { store } = context;
  const costs: Costs = {};
  const begun = await currentMark(store, 'edge_values');
  const changes = () => listEdgeChanges(store, { since: begun, until: null }, { after: '', limit: VALUES });
  const idle = async () => {
    const since = await currentMark(store, 'edge_values');
    return listEdgeChanges(store, { since, until: null }, { after: '', limit: VALUES });
  };
  await idle();
  costs['follower of an edge, nothing changed'] = await meter.measure(idle);
  if (fill.domains > 0) {
    const changed = await certifiedDomains(world, 2 * PUBLISHED);
    const publish = async (count: number) => {
      for (const { id, hostname } of changed.splice(0, count)) {
        await client.query(`update domains set origin_headers = '{"X-Tenant":"acme"}' where id = $1`, [id]);
        await transact(context, async ({ notices }) => notices.publish({ kind: 'route', hostname }));
      }
    };
    await publish(PUBLISHED);
    costs['value of a hostname published'] = await meter.measure(() => publish(PUBLISHED), PUBLISHED);
    await changes();
    const count = (await changes()).rows.length;
    costs['follower of an edge, for each changed value'] = await meter.measure(changes, Math.max(1, count));
  }
  const app = () =>
    transact(context, async ({ notices }) => notices.publish({ kind: 'routes', app_id: served.app.app_id }));
  await app();
  costs['value of the large app, unchanged'] = await meter.measure(app);
  const after = `host.careers.customer-${Math.floor(fill.domains / 2)}`;
  const page = () => listEdgeValues(store, { after, limit: VALUES });
  const versions = () => listEdgeVersions(store, { after, limit: VERSIONS });
  costs['first copy of an edge, for each value'] = await perRow(page);
  costs['comparison of an edge, for each version'] = await perRow(versions);
  return costs;

  async function perRow(read: () => Promise<readonly unknown[]>) {
    const { length } = await read();
    return meter.measure(read, Math.max(1, length));
  }
}

/** Returns domains of the fill, spread over the whole table, and gives them certificates whose private keys can be decrypted. */
async function certifiedDomains(
  { context, client, fill }: MillionWorld,
  count: number,
): Promise<{ id: DomainId; hostname: string }[]> {
  const ids = Array.from({ length: count }, (_, n) => {
    const d = Math.floor((n * fill.domains) / count);
    return idOf('dom', d % 100 < 96 ? d : d - 4);
  });
  const { rows } = await client.query(
    `select domains.id, hostname, serial from domains join certificates on domain_id = domains.id where domains.id = any($1)`,
    [ids],
  );
  for (const { id, serial } of rows) {
    const sealed = sealCertificateKey(context, { domain_id: id, serial }, FILLED_KEY);
    await client.query(
      'update certificates set chain = $1, private_key = $2, data_key = $3 where domain_id = $4',
      [FILLED_CHAIN, sealed.private_key, sealed.data_key, id],
    );
  }
  return rows;
}
