import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { type OriginUnderTest, originWith } from '../../edge/edge-under-test.ts';
import { handshake } from '../../edge/tls/tls-visitor.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { natsSettings, startNats } from '../../fixtures/nats/nats-server.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import {
  type RestartablePostgres,
  startRestartablePostgres,
} from '../../fixtures/postgres/restartable-postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { createIsolatedDatabase } from '../cluster/cluster.ts';
import { migrateAt } from '../database/migrated-database.ts';
import { api } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';
import type { EdgeSource } from './edge-cluster.ts';
import { type EdgeVisitor, edgeVisitor } from './edge-visitor.ts';

const QUIET = createJsonLog('silent', { write: () => undefined });
/** The documented limit for how long a deleted domain may still respond. */
const GONE = { timeout: 5_000, interval: 50 };

/**
 * Tests that two edges serve visitors while Postgres is away.
 * @param awayMs minimum time without Postgres. At least 40 rounds of visits happen in this time.
 * @param engine the engine of both edges.
 * @param source the source of the values of both edges.
 */
export function describeOutage(
  awayMs: number,
  engine: 'node' | 'nginx' = 'node',
  source: EdgeSource = 'postgres',
): void {
  describePostgres(`Two edges on ${engine} that read from ${source}, one of which hears no notice`, () =>
    outageTests(awayMs, engine, source),
  );
}

const ROUNDS_MIN = 40;

function outageTests(awayMs: number, engine: string, source: EdgeSource): void {
  const ca = createThrowawayCa();
  let postgres: RestartablePostgres;
  let nodes: ServiceNode[];
  let origin: OriginUnderTest;
  let other: OriginUnderTest;
  let key: string;
  let hot: DomainId;
  const visitors: EdgeVisitor[] = [];
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    postgres = await startRestartablePostgres();
    await migrateAt(postgres.url);
    origin = await originWith((_, response) => response.end('one'));
    other = await originWith((_, response) => response.end('two'));
    const nats = source === 'nats' && natsSettings(await startNats('', { atEnd: (end) => ends.push(end) }));
    nodes = [
      await start({ NAMEPLATE_ROLES: nats ? 'api,edge,relay' : 'api,edge', ...nats }),
      await start({
        NAMEPLATE_ROLES: 'edge',
        NAMEPLATE_EDGE_NODE: 'edge-2',
        DATABASE_LISTEN_URL: await createIsolatedDatabase(postgres.url, 0),
        ...nats,
      }),
    ];
    const context = nodeAt(0).composition.context;
    const opened = await openAccount(context, 'ada', {
      name: 'Acme',
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
    });
    key = opened.live_key ?? '';
    await call('PATCH /apps/current', { origin_url: origin.url });
    const caller = {
      app_id: opened.app.id,
      account_id: opened.account.id,
      key_id: context.ids('key'),
      mode: 'live' as const,
      idempotency: null,
    };
    hot = await addActiveDomain(context, caller, ca, { hostname: 'careers.acme.com' });
    await addActiveDomain(context, caller, ca, { hostname: 'cold.acme.com' });
    await addActiveDomain(context, caller, ca, { hostname: 'acme.org', apex_redirect: 'www' });
    await bothKnow(3);
    // An edge reads each change with its route and certificate, in order. So an edge with the route of this domain has all earlier
    // certificates.
    await addActiveDomain(context, caller, ca, { hostname: 'last.acme.com' });
    await bothKnow(4);
  });
  afterAll(async () => {
    for (const visitor of visitors) visitor[Symbol.dispose]();
    for (const node of nodes) await node.stop();
    for (const end of ends) await end();
    for (const each of [origin, other, postgres]) await each[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
  });

  test('both serve a new domain with its certificate, and refuse handshakes for unknown hostnames', async () => {
    for (const index of [0, 1]) {
      expect(await seen(index, 'careers.acme.com')).toBe('200 one');
      using refused = await handshake(portOf(index), 'unknown.acme.com');
      expect(refused.error).not.toBeNull();
    }
  });

  test('a visitor can resume the TLS session of one edge on the other', async () => {
    const options = { ca: ca.certificate, maxVersion: 'TLSv1.2' } as const;
    using first = await handshake(portOf(0), 'careers.acme.com', options);
    const session = first.socket.getSession();
    expect(first.resumed).toBe(false);
    using second = await handshake(portOf(1), 'careers.acme.com', {
      ...options,
      ...(session && { session }),
    });
    expect(second.resumed).toBe(true);
  });

  test('both serve known hostnames while Postgres is away, and receive changes when it is back', async () => {
    const kept = [0, 1].map((index) => visitorOf(index, true));
    for (const visitor of kept) await visitor.visit('careers.acme.com');
    await postgres.stop();
    const answers = new Map<string, number>();
    const until = performance.now() + awayMs;
    let rounds = 0;
    for (; rounds < ROUNDS_MIN || performance.now() < until; rounds++) {
      for (const index of [0, 1]) {
        const made = [
          kept[index]?.visit('careers.acme.com'),
          visitorOf(index).visit('careers.acme.com'),
          // This hostname has had no visitor yet, so no edge has the certificate in memory.
          visitorOf(index).visit('cold.acme.com'),
          visitorOf(index).visit('www.acme.org', '/jobs?q=1'),
        ];
        for (const visit of await Promise.all(made)) {
          const answer = `${visit?.status} ${visit?.location ?? visit?.body}`;
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
        }
      }
    }
    expect(Object.fromEntries(answers)).toEqual({
      '200 one': rounds * 6,
      '308 https://acme.org/jobs?q=1': rounds * 2,
    });
    console.log(`while Postgres was away: ${rounds * 8} requests, all with the right response`);
    using refused = await handshake(portOf(0), 'unknown.acme.com');
    expect(refused.error).not.toBeNull();
    expect(await health(0, '/readyz')).toBe(503);
    for (const index of [0, 1]) {
      expect(await health(index, '/readyz/edge')).toBe(200);
      expect(await metrics(index)).not.toMatch(/^nameplate_edge_handshake_failures_total\{.*\} [1-9]/m);
    }

    await postgres.start();
    await expect
      .poll(() => call('PATCH /apps/current', { origin_url: other.url }), { timeout: 20_000 })
      .toBe(200);
    for (const index of [0, 1]) {
      await expect.poll(() => seen(index, 'careers.acme.com'), GONE).toBe('200 two');
    }
  });

  test('a deleted domain stops on both within 5 s, on open connections too', async () => {
    const kept = [0, 1].map((index) => visitorOf(index, true));
    for (const visitor of kept) expect((await visitor.visit('careers.acme.com')).status).toBe(200);
    expect(await call(`DELETE /domains/${hot}`)).toBe(204);
    for (const [index, visitor] of kept.entries()) {
      const overKept = async () => (await visitor.visit('careers.acme.com')).status;
      await expect.poll(overKept, GONE).toBe(404);
      await expect.poll(() => seen(index, 'careers.acme.com'), GONE).toBe('refused');
      expect(await seen(index, 'cold.acme.com')).toBe('200 two');
    }
  });

  async function start(env: Record<string, string>): Promise<ServiceNode> {
    return startNode(testConfig(postgres.url, { NAMEPLATE_EDGE_ENGINE: engine, ...env }), QUIET);
  }

  function nodeAt(index: number): ServiceNode {
    const node = nodes[index];
    if (!node) throw new Error(`there is no node ${index}`);
    return node;
  }

  function portOf(index: number): number {
    return nodeAt(index).addresses.edge?.port ?? 0;
  }

  function visitorOf(index: number, keep = false): EdgeVisitor {
    const visitor = edgeVisitor({ host: '127.0.0.1', port: portOf(index) }, ca.certificate, { keep });
    visitors.push(visitor);
    return visitor;
  }

  /** Sends a request over a new connection. */
  async function seen(index: number, hostname: string): Promise<string> {
    const visit = await visitorOf(index)
      .visit(hostname)
      .catch(() => null);
    return visit === null ? 'refused' : `${visit.status} ${visit.body}`;
  }

  async function call(request: string, body?: object): Promise<number> {
    const answer = await api(`http://127.0.0.1:${nodeAt(0).addresses.api?.port}`, key, request, body);
    return answer.status;
  }

  async function health(index: number, path: string): Promise<number> {
    return (await fetch(`http://127.0.0.1:${nodeAt(index).addresses.admin.port}${path}`)).status;
  }

  async function bothKnow(hostnames: number): Promise<void> {
    const line = new RegExp(`^nameplate_edge_hostnames ${hostnames}$`, 'm');
    for (const index of [0, 1]) while (!line.test(await metrics(index))) await delay(50);
  }

  async function metrics(index: number): Promise<string> {
    return (await fetch(`http://127.0.0.1:${nodeAt(index).addresses.admin.port}/metrics`)).text();
  }
}
