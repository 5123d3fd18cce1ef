import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { type EdgeCluster, type EdgeSource, startEdgeCluster } from '../edge/edge-cluster.ts';
import { edgeVisitor } from '../edge/edge-visitor.ts';
import { api } from '../run-service.ts';

/** Two apps of different accounts on three nodes. A test moves customers from one app to the other. */
export interface TwoApps extends AsyncDisposable {
  cluster: EdgeCluster;
  former: App;
  chosen: App;
  /** Replaces the records of a customer's zone, and clears the resolvers' caches. */
  setZone(zone: string, records: readonly string[]): Promise<void>;
  /**
   * Requests a check of a domain's DNS. Waits until a check has run after the last change of a zone or of the clock. The API accepts one
   * request per domain in 15 s.
   */
  check(domain: Shown): Promise<void>;
  read(domain: Shown): Promise<Shown>;
  becomes(domain: Shown, status: string): Promise<void>;
  moveClock(byMs: number): Promise<void>;
  /** Returns for each node the id of the app whose origin serves the hostname, or the failure. */
  servedBy(hostname: string): Promise<string[]>;
  /** Sends visitors to all nodes in turn until `stop`. Each visitor opens its own connection. */
  visit(hostnames: readonly string[]): Visitors;
}

export interface App {
  id: string;
  /** The CNAME target of the app's customers. */
  target: string;
  call(request: string, body?: object): ReturnType<typeof api>;
  add(hostname: string): Promise<Shown>;
}

/** The fields of a domain that the tests read. */
export interface Shown {
  id: string;
  app: App;
  hostname: string;
  status: string;
  status_reason: string | null;
  ready_to_switch: boolean;
  last_checked_at: string | null;
  dns: {
    cname: { value: string } | null;
    apex: { a: string[]; txt: { value: string } } | null;
    acme_challenge: { name: string; value: string } | null;
  };
}

export interface Visitors {
  /** The served visits, in order, each as hostname and id of the app whose origin served it: `careers.one.test app_1`. */
  served: string[];
  failures: string[];
  stop(): Promise<void>;
}

const VISITS_PER_SECOND = 20;
/** The time after which the API accepts the next request to check the same domain. */
export const VERIFY_LIMIT_MS = 16_000;
const DAY_MS = 86_400_000;

export async function startTwoApps(
  zones: readonly string[],
  engine: 'node' | 'nginx',
  source: EdgeSource,
): Promise<TwoApps> {
  const cluster = await startEdgeCluster(Object.fromEntries(zones.map((zone) => [zone, []])), {
    respond: (_, headers) => String(headers['x-service-app-id']),
    source,
    env: { NAMEPLATE_EDGE_ENGINE: engine },
  });
  const { edge_addresses: addresses, httpsPort: port } = cluster;
  /** When a zone or the clock last changed. */
  let changedAt = 0;
  // A new account may add only a few domains on its first day.
  await cluster.moveClock(DAY_MS);
  const terms = ['--plan', 'enterprise', '--card-on-file', '--trial-ends-at', 'none'];
  const { live_key } = await cluster.service('accounts', 'create', 'Chosen', ...terms);
  const former = await appOf(cluster.key);
  const chosen = await appOf(live_key);

  async function appOf(key: string): Promise<App> {
    const call: App['call'] = (request, body) =>
      api(cluster.nodes[0]?.addresses?.api_url ?? '', key, request, body);
    const { body } = await call('PATCH /apps/current', { origin_url: cluster.origin.url });
    const app: App = {
      id: body.id,
      target: String(body['whitelabel_target']),
      call,
      async add(hostname) {
        const { status, body: domain } = await call('POST /domains', { hostname });
        expect(status).toBe(201);
        return { ...(domain as unknown as Shown), app };
      },
    };
    return app;
  }

  async function moveClock(byMs: number): Promise<void> {
    await cluster.moveClock(byMs);
    changedAt = cluster.now();
  }

  async function read({ id, app }: Shown): Promise<Shown> {
    const { body } = await app.call(`GET /domains/${id}`);
    return { ...(body as unknown as Shown), app };
  }

  const nameOf = ({ app }: Shown) => (app === former ? 'the former app' : 'the chosen app');

  async function visitOne(hostname: string, index: number): Promise<string> {
    const host = addresses[index % addresses.length] ?? '';
    using visitor = edgeVisitor({ host, port }, cluster.root);
    const { status, body } = await visitor.visit(hostname);
    return status === 200 ? body : `${status} ${body.slice(0, 100)}`;
  }

  return {
    cluster,
    former,
    chosen,
    async setZone(zone, records) {
      await cluster.net.change(zone, records);
      await Promise.all(cluster.net.resolvers.map((resolver) => resolver.forget(zone)));
      changedAt = cluster.now();
    },
    async check(domain) {
      const before = await read(domain);
      const { status } = await domain.app.call(`POST /domains/${domain.id}/verify`);
      // The service does not check a domain whose certificate is being issued.
      if (before.status === 'issuing') return;
      expect(status).toBe(202);
      // If a check is about to end, a request for a check starts no second check.
      const isChecked = async () => {
        const { last_checked_at, status: now } = await read(domain);
        return Date.parse(last_checked_at ?? '') >= changedAt || now !== before.status;
      };
      const message = `whether ${domain.hostname} was checked for ${nameOf(domain)}`;
      await expect.poll(isChecked, { message }).toBe(true);
    },
    read,
    async becomes(domain, status) {
      const message = `the status of ${domain.hostname} for ${nameOf(domain)}`;
      await expect.poll(async () => (await read(domain)).status, { message }).toBe(status);
    },
    moveClock,
    servedBy: (hostname) =>
      Promise.all(addresses.map((_, index) => visitOne(hostname, index).catch((error) => String(error)))),
    visit(hostnames) {
      const served: string[] = [];
      const failures: string[] = [];
      const visits: Promise<void>[] = [];
      let isStopped = false;
      const visiting = (async () => {
        for (let turn = 0; !isStopped; turn++) {
          const hostname = hostnames[Math.floor(turn / addresses.length) % hostnames.length] ?? '';
          visits.push(
            visitOne(hostname, turn).then(
              (body) => {
                const list = body.startsWith('app_') ? served : failures;
                list.push(`${hostname} ${body}`);
              },
              (error) => void failures.push(`${hostname} at node ${turn % addresses.length}: ${error}`),
            ),
          );
          await delay(1000 / VISITS_PER_SECOND);
        }
      })();
      return {
        served,
        failures,
        async stop() {
          isStopped = true;
          await visiting;
          await Promise.all(visits);
        },
      };
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

export function delegationOf({ dns: { acme_challenge: record } }: Shown): string {
  return `${record?.name} CNAME ${record?.value}.`;
}

export function cnameOf({ hostname, dns: { cname } }: Shown): string {
  return `${hostname.split('.')[0]} CNAME ${cname?.value}.`;
}

export function addressesOf({ dns: { apex } }: Shown): string[] {
  return apex?.a.map((address) => `@ A ${address}`) ?? [];
}

export function txtOf({ dns: { apex } }: Shown): string {
  return `_service TXT "${apex?.txt.value}"`;
}
