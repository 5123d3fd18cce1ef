import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { askOver, handshake } from '../../edge/tls/tls-visitor.ts';
import { isAlive } from '../../emulator/running/many-emulators.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { type NodeUnderFaults, startNodeUnderFaults } from '../processes/node-under-faults.ts';
import { createDeployment, type Deployment } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';

/** The edge redirects this name to its apex by itself, so a visit needs no origin. */
const HOST = 'www.acme.com';
const REQUEST = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
const REDIRECTED = '308';
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
const VISITORS = 4;
const PATIENT = { timeout: 60_000, interval: 50 };

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'nginx, while its node is started again', () =>
  describePostgres('on one Postgres', nginxRestarts),
);

function nginxRestarts() {
  const ca = createThrowawayCa();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-restarts-'));
  let deployment: Deployment;
  let port: number;
  let httpPort: number;
  const nodes: NodeUnderFaults[] = [];

  beforeAll(async () => {
    deployment = await createDeployment();
    [port, httpPort] = [await freePort(), await freePort()];
    await addDomain();
  });
  afterEach(async () => {
    const nginx = nginxPid();
    for (const node of nodes.splice(0)) await node[Symbol.asyncDispose]();
    if (nginx !== null) process.kill(nginx, 'SIGTERM');
    await expect.poll(() => isAlive(nginx ?? 0), PATIENT).toBe(false);
  });
  afterAll(async () => {
    await deployment[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['its parent process', 2],
    ['its only process', 1],
  ])('serves every visitor while %s is killed and started again', async (_, edgeProcesses) => {
    const { bin, processes } = await start(edgeProcesses);
    // The control half of nginx runs in this process.
    const edge = (await processes())?.find(({ name }) => name === 'edge-1')?.pid ?? bin.child.pid ?? 0;
    const nginx = nginxPid();
    await expect.poll(visit, PATIENT).toBe(REDIRECTED);
    await using visits = visitUntilStopped();
    bin.child.kill('SIGKILL');
    await bin.ended;
    await expect.poll(() => isAlive(edge), PATIENT).toBe(false);
    await start(edgeProcesses);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
    expect(nginxPid()).toBe(nginx);
  });

  test.each([
    ['parent', 2],
    ['only', 1],
  ])('serves every visitor while a bug in the %s process ends its node', async (_, edgeProcesses) => {
    const node = await start(edgeProcesses);
    const nginx = nginxPid();
    await expect.poll(visit, PATIENT).toBe(REDIRECTED);
    await using visits = visitUntilStopped();
    node.fail('bug', node.bin.child.pid);
    expect(await node.bin.ended).toBe(1);
    await start(edgeProcesses);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
    expect(nginxPid()).toBe(nginx);
  });

  test.each([1, 2])('ends when a node with %i workers is stopped', async (edgeProcesses) => {
    const { bin } = await start(edgeProcesses);
    const nginx = nginxPid();
    bin.child.kill('SIGTERM');
    expect(await bin.ended).toBe(0);
    expect(nginx !== null && isAlive(nginx)).toBe(false);
  });

  async function start(edgeProcesses: number): Promise<NodeUnderFaults> {
    const node = await startNodeUnderFaults({
      ...deployment.env,
      NAMEPLATE_ROLES: 'edge',
      NAMEPLATE_EDGE_ENGINE: 'nginx',
      NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${port}`,
      NAMEPLATE_EDGE_HTTP_LISTEN: `127.0.0.1:${httpPort}`,
      NAMEPLATE_EDGE_FOLDER: path.join(folder, 'edge'),
      NAMEPLATE_EDGE_PROCESSES: String(edgeProcesses),
    });
    nodes.push(node);
    return node;
  }

  /** Returns the process id of the running nginx; null if the last node ended it. */
  function nginxPid(): number | null {
    const file = path.join(folder, 'edge', 'current.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).pid : null;
  }

  /** Sends a request over a new connection. */
  async function visit(): Promise<string> {
    using made = await handshake(port, HOST, { ca: ca.certificate });
    if (made.error) return `${made.error}`;
    const response = await askOver(made.socket, REQUEST).catch(String);
    return /^HTTP\/1.1 (\d+)/.exec(response)?.[1] ?? `no response: ${response}`;
  }

  function visitUntilStopped() {
    const results = new Set<string>();
    let isOver = false;
    const visitors = Array.from({ length: VISITORS }, async () => {
      while (!isOver) results.add(await visit());
    });
    const stop = async () => {
      isOver = true;
      await Promise.all(visitors);
      return results;
    };
    return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
  }

  async function addDomain(): Promise<void> {
    const { context, close } = await composeService(
      testConfig(deployment.database.url, deployment.env),
      QUIET,
    );
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
    await addActiveDomain(context, caller, ca, { hostname: 'acme.com', apex_redirect: 'www' });
    await close();
  }
}
