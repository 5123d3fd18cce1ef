import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { type OriginUnderTest, originWith } from '../../edge/edge-under-test.ts';
import { askOver, handshake, type TlsHandshake } from '../../edge/tls/tls-visitor.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { describePostgres, type TestDatabase } from '../../fixtures/postgres/postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { RunningNode } from '../cluster/cluster.ts';
import { migratedDatabase } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';

const HOST = 'careers.acme.com';
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
/** The chance that this many connections all reach the same one of two processes is one in 2^39. */
const VISITS = 40;
const VISITORS = 8;
const TRIES = 10;
const PATIENT = { timeout: 10_000 };

const missing = process.platform === 'linux' ? null : 'only Linux parts connections among those who listen';

describeUnlessMissing(missing, 'Two edges that share a port', () =>
  describePostgres('on one Postgres', sharingEdges),
);

function sharingEdges() {
  const ca = createThrowawayCa();
  const nodes: RunningNode[] = [];
  let database: TestDatabase;
  let origin: OriginUnderTest;
  let port = 0;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await migratedDatabase();
    origin = await originWith((_, response) => response.end('hello'));
    await addDomain();
    env = {
      DATABASE_URL: database.url,
      NAMEPLATE_ROLES: 'edge',
      NAMEPLATE_EDGE_REUSE_PORT: 'true',
    };
    const first = await startNode();
    port = first.addresses?.edge_port ?? 0;
    env['NAMEPLATE_EDGE_LISTEN'] = `127.0.0.1:${port}`;
    env['NAMEPLATE_EDGE_HTTP_LISTEN'] = `127.0.0.1:${first.addresses?.edge_http_port}`;
    await startNode();
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await origin[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
  });

  test('both receive visitors', async () => {
    for (let n = 0; n < VISITS; n++) expect(await visit()).toBe('200 hello');
    const answered = await Promise.all(nodes.map(requestsOf));
    expect(Math.min(...answered)).toBeGreaterThan(0);
    expect(answered.reduce((sum, each) => sum + each)).toBe(VISITS);
  });

  test('resumes a session of one process in the other', async () => {
    using first = await handshake(port, HOST, { ca: ca.certificate });
    const [session] = await once(first.socket, 'session');
    for (let n = 0; n < VISITS; n++) {
      using next = await handshake(port, HOST, { ca: ca.certificate, session });
      expect(next).toMatchObject({ protocol: 'TLSv1.3', resumed: true });
    }
  });

  test('responds to visitors that connected before a process stops', async () => {
    const made = await Promise.all(Array.from({ length: VISITS }, connectTo));
    const [first] = nodes;
    const url = `${first?.addresses?.admin_url}/readyz/edge`;
    const stopped = first?.stop();
    await expect.poll(async () => (await fetch(url)).status, PATIENT).toBe(503);
    expect(new Set(await Promise.all(made.map(ask)))).toEqual(new Set(['200 hello']));
    await stopped;
    await first?.start();
  });

  test('can be replaced one after the other under load without losing a request', async () => {
    const answers = new Set<string>();
    let over = false;
    const visitors = Array.from({ length: VISITORS }, async () => {
      while (!over) answers.add(await visit());
    });
    for (const node of nodes) {
      await node.stop();
      await node.start();
      const before = await requestsOf(node);
      await expect.poll(() => requestsOf(node), PATIENT).toBeGreaterThan(before);
    }
    over = true;
    await Promise.all(visitors);
    expect(answers).toEqual(new Set(['200 hello']));
  });

  /** Sends a request over a new connection. */
  async function visit(): Promise<string> {
    return ask(await connectTo());
  }

  /**
   * Retries a reset connection. When a process closes its listener, the kernel resets connections that the process has not accepted, unless
   * `net.ipv4.tcp_migrate_req` is set. No byte has come back then, and the other process accepts the next connection.
   */
  async function connectTo(): Promise<TlsHandshake> {
    for (let tries = 0; tries < TRIES; tries++) {
      const made = await handshake(port, HOST, { ca: ca.certificate });
      if (made.error === null || made.socket.bytesRead > 0) return made;
    }
    throw new Error('nothing is listening');
  }

  async function ask({ socket, error }: TlsHandshake): Promise<string> {
    if (error) return `${error}`;
    const request = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
    const answer = await askOver(socket, request).catch(String);
    return `${/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]} ${answer.split('\r\n').at(-1)}`;
  }

  async function requestsOf({ addresses }: RunningNode): Promise<number> {
    const text = await (await fetch(`${addresses?.admin_url}/metrics`)).text();
    return Number(/^nameplate_edge_requests_total\{status="200"\} (\d+)/m.exec(text)?.[1] ?? 0);
  }

  async function startNode(): Promise<RunningNode> {
    const node = new RunningNode(env);
    nodes.push(node);
    await node.start();
    return node;
  }

  async function addDomain(): Promise<void> {
    const { context, close } = await composeService(testConfig(database.url), QUIET);
    const { app, account } = await openAccount(context, 'ada', {
      name: 'Acme',
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
    });
    const caller = {
      app_id: app.id,
      account_id: account.id,
      key_id: context.ids('key'),
      mode: 'live' as const,
      idempotency: null,
    };
    await updateCurrentApp(context, caller, { body: { origin_url: origin.url } });
    await addActiveDomain(context, caller, ca, { hostname: HOST });
    await close();
  }
}
