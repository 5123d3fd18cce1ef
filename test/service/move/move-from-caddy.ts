import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { startBin } from '../../cli/bin-process.ts';
import { emptyFolder, keyFor } from '../../cli/run-cli.ts';
import { seededRandom } from '../../fixtures/seeded-random.ts';
import { firstArrivals } from '../../fixtures/webhook-receiver.ts';
import { type EdgeCluster, type EdgeClusterOptions, startEdgeCluster } from '../edge/edge-cluster.ts';
import { startOldHost } from './old-host.ts';
import { startVisitors, type VisitCounts, type Visitors } from './visitors.ts';

export interface MoveOptions {
  hostnames: number;
  /** Number of nodes that are killed while the domains are prepared and switched. */
  kills: number;
  requestsPerSecond: number;
  seed: number;
  /** Further options of the nodes that the hostnames move to. */
  nodes?: Pick<EdgeClusterOptions, 'source' | 'env'>;
}

export interface Move {
  visits: VisitCounts;
  kills: number;
  /** Number of requests that the old host served. */
  servedByOldHost: number;
  /** The duration of each phase and of the visits, in seconds. */
  seconds: Record<'import' | 'prepare' | 'switch' | 'visits', number>;
  orders: number;
  /** Events of each hostname, in order and without repetitions. An event arrives twice if a node was killed after it sent the event. */
  events: Map<string, string[]>;
}

const OLD_HOST = '127.0.0.31';
/** The TTL of the hostnames' records. As before a real move, it is short, so that resolvers soon have the new records. */
const TTL_S = 5;
const ZONE_SIZE = 100;
const ZONES_MIN = 4;
/** After this time without progress, the clock jumps ahead, because the service repeats an interrupted attempt only after a minute. */
const STALLED_MS = 10_000;
const EVENTS = 3;

/**
 * Moves hostnames from a Caddy to three nodes as `docs/moving-in.md` describes. Visitors send requests all the time, and nodes are killed.
 */
export async function moveFromCaddy(options: MoveOptions): Promise<Move> {
  await using stack = new AsyncDisposableStack();
  const zones = zonesOf(options.hostnames);
  const hostnames = zones.flatMap((zone) => zone.labels.map((label) => `${label}.${zone.name}`));
  const respond = (host: string) => `for ${host}`;
  const oldRecords = ({ labels }: Zone) =>
    labels.map((label) => `${label} ${TTL_S} CNAME old.platform.test.`);
  const cluster = stack.use(
    await startEdgeCluster(
      Object.fromEntries([
        ['platform.test', [`old ${TTL_S} A ${OLD_HOST}`]],
        ...zones.map((zone) => [zone.name, oldRecords(zone)] as const),
      ]),
      { respond, ...options.nodes },
    ),
  );
  const app = await startApp(respond);
  stack.defer(() => void app.close());
  const { port } = app.address() as AddressInfo;
  const oldHost = stack.use(await startOldHost({ address: OLD_HOST, port: cluster.httpsPort }, port));
  // A new account may add only a few domains on its first day.
  await cluster.moveClock(DAY_MS);
  const move = new Moving(cluster, zones, options);

  await oldHost.haveCertificates(hostnames);
  const startedAt = performance.now();
  const visitors = startVisitors({
    hostnames,
    port: cluster.httpsPort,
    roots: [oldHost.root, cluster.root],
    resolvers: cluster.net.resolverAddresses,
    requestsPerSecond: options.requestsPerSecond,
    seed: options.seed,
    mayCloseKept: options.nodes?.env?.['NAMEPLATE_EDGE_ENGINE'] === 'nginx',
  });
  const seconds = {
    import: await secondsOf(() => move.import(hostnames)),
    prepare: await secondsOf(() => move.prepare(visitors)),
    switch: await secondsOf(() => move.switch(visitors)),
    visits: 0,
  };
  // After this time, no cache has the old records.
  await delay(2 * TTL_S * 1000);
  const oldBefore = visitors.counts.servedBy.get(OLD_HOST) ?? 0;
  await delay(TTL_S * 1000);
  await visitors.stop();
  if ((visitors.counts.servedBy.get(OLD_HOST) ?? 0) > oldBefore) {
    visitors.counts.failures.push('the old host still had visitors after the move');
  }
  seconds.visits = (performance.now() - startedAt) / 1000;
  await move.deliver(EVENTS * hostnames.length);
  return {
    visits: visitors.counts,
    kills: cluster.nodes.reduce((sum, node) => sum + node.kills, 0),
    servedByOldHost: oldBefore,
    seconds,
    orders: cluster.proxy.counts.orders,
    events: eventsOf(cluster),
  };
}

function eventsOf({ receiver }: EdgeCluster): Map<string, string[]> {
  const arrivals = Map.groupBy(firstArrivals(receiver.arrivals), ({ hostname }) => hostname);
  return new Map([...arrivals].map(([hostname, all]) => [hostname, all.map(({ type }) => type)]));
}

interface Zone {
  name: string;
  labels: string[];
}

function zonesOf(hostnames: number): Zone[] {
  const count = Math.max(ZONES_MIN, Math.ceil(hostnames / ZONE_SIZE));
  return Array.from({ length: count }, (_, zone) => ({
    name: `c${zone}.test`,
    labels: Array.from({ length: hostnames }, (_, index) => index)
      .filter((index) => index % count === zone)
      .map((index) => `h${index}`),
  }));
}

/** Starts the app to which the old host forwards requests. */
async function startApp(respond: (host: string) => string): Promise<Server> {
  const app = createServer((asked, answer) => answer.end(respond(asked.headers.host ?? '')));
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  return app;
}

/** The steps of one move, and the kills between them. */
class Moving {
  readonly #cluster: EdgeCluster;
  readonly #zones: readonly Zone[];
  readonly #count: number;
  /** The planned kills, in order: the node to kill, and the fraction of the work to do before. */
  readonly #plannedKills: { after: number; node: number }[];
  #domains = new Map<string, DomainResource>();

  constructor(cluster: EdgeCluster, zones: readonly Zone[], { hostnames, kills, seed }: MoveOptions) {
    this.#cluster = cluster;
    this.#zones = zones;
    this.#count = hostnames;
    const random = seededRandom(seed);
    this.#plannedKills = Array.from({ length: kills }, () => ({
      after: random() * 0.95,
      node: Math.floor(random() * cluster.nodes.length),
    })).toSorted((one, other) => one.after - other.after);
  }

  /** Adds the hostnames with the `nameplate` command. */
  async import(hostnames: readonly string[]): Promise<void> {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'hosts.csv'), `hostname\n${hostnames.join('\n')}\n`);
    const url = this.#cluster.nodes[0]?.addresses?.api_url ?? '';
    const command = startBin(['domains', 'import', 'hosts.csv'], keyFor(url, this.#cluster.key), cwd);
    const exit = await command.ended;
    if (exit !== 0) throw new Error(`the import ended with ${exit}: ${command.stderr()}`);
    this.#domains = new Map((await this.#list()).map((domain) => [domain.hostname, domain]));
  }

  /** Delegates the challenges, and waits until each domain has its certificate. */
  async prepare(visitors: Visitors): Promise<void> {
    await this.#setRecords((domain, label) => {
      const { name, value } = domain.dns.acme_challenge ?? { name: '', value: '' };
      return [`${label} ${TTL_S} CNAME old.platform.test.`, `${name} CNAME ${value}.`];
    });
    // Resolvers may have cached that the delegation was missing.
    await Promise.all(
      this.#zones.flatMap(({ name }) => this.#cluster.net.resolvers.map((resolver) => resolver.forget(name))),
    );
    await this.#verifyAll();
    await this.#until(visitors, 0, ({ ready_to_switch, status }) => ready_to_switch || status === 'active');
  }

  /** Changes each hostname's DNS records to point to the service, and waits until each domain is active. */
  async switch(visitors: Visitors): Promise<void> {
    await this.#setRecords((domain, label) => {
      const { name, value } = domain.dns.acme_challenge ?? { name: '', value: '' };
      return [`${label} ${TTL_S} CNAME ${domain.dns.cname?.value}.`, `${name} CNAME ${value}.`];
    });
    await delay(TTL_S * 1000);
    await this.#verifyAll();
    await this.#until(visitors, 0.5, ({ status }) => status === 'active');
  }

  /** Waits for the events. The clock jumps past the leases of deliveries that a kill interrupted. */
  async deliver(events: number): Promise<void> {
    while (firstArrivals(this.#cluster.receiver.arrivals).length < events) {
      await this.#cluster.moveClock(MINUTE_MS);
      await delay(1_000);
    }
  }

  async #setRecords(recordsOf: (domain: DomainResource, label: string) => string[]): Promise<void> {
    for (const { name, labels } of this.#zones) {
      const records = labels.flatMap((label) => {
        const domain = this.#domains.get(`${label}.${name}`);
        return domain === undefined ? [] : recordsOf(domain, label);
      });
      await this.#cluster.net.change(name, records);
    }
  }

  async #verifyAll(): Promise<void> {
    await this.#cluster.moveClock(BUDGETS.verify.windowMs);
    for (const { id } of this.#domains.values()) {
      for (;;) {
        const { status, headers } = await this.#call(`POST /domains/${id}/verify`);
        if (status !== 429) break;
        await delay(Number(headers.get('retry-after') ?? 1) * 1000);
      }
    }
  }

  /**
   * Polls until every domain satisfies `isDone`. Runs each planned kill when the move has reached the kill's fraction.
   * @param from the fraction of the move that is complete when this begins.
   */
  async #until(visitors: Visitors, from: number, isDone: (domain: DomainResource) => boolean): Promise<void> {
    let progress = { done: -1, atMs: performance.now() };
    for (;;) {
      const done = (await this.#list()).filter(isDone).length;
      await this.#killPlanned(visitors, from + done / this.#count / 2);
      if (done === this.#count) return;
      if (done > progress.done) progress = { done, atMs: performance.now() };
      else if (performance.now() - progress.atMs > STALLED_MS) {
        await this.#cluster.moveClock(MINUTE_MS);
        progress.atMs = performance.now();
      }
      await delay(500);
    }
  }

  async #killPlanned(visitors: Visitors, share: number): Promise<void> {
    for (
      let next = this.#plannedKills[0];
      next !== undefined && next.after < share;
      next = this.#plannedKills[0]
    ) {
      this.#plannedKills.shift();
      const node = this.#cluster.nodes[next.node];
      if (node === undefined) continue;
      await visitors.whileKilled(this.#cluster.edge_addresses[next.node] ?? '', () => node.kill());
      await this.#cluster.restart(node);
    }
  }

  async #list(): Promise<DomainResource[]> {
    const all: DomainResource[] = [];
    let after = '';
    do {
      const { body } = await this.#call(`GET /domains?limit=100${after}`);
      all.push(...(body['data'] as DomainResource[]));
      const cursor = body['next_cursor'];
      after = typeof cursor === 'string' ? `&cursor=${cursor}` : '';
    } while (after !== '');
    return all;
  }

  /** Calls the API. Repeats the call a second later if the node is restarting or the rate limit is reached. */
  async #call(request: string): ReturnType<EdgeCluster['call']> {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await this.#cluster.call(request);
        if (answer.status !== 429 || request.endsWith('/verify')) return answer;
      } catch (error) {
        if (tries > 30) throw error;
      }
      await delay(1_000);
    }
  }
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1000;
}
