import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { isAlive } from '../../emulator/running/many-emulators.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type NodeUnderFaults, startNodeUnderFaults } from '../processes/node-under-faults.ts';
import { addVisitedDomain, REDIRECTED, type Visitors } from '../processes/visitors.ts';
import { createDeployment, type Deployment } from '../run-service.ts';

describeUnlessMissing(whyMissing(NGINX_PACKAGES), "the edge's nginx runs on while its node restarts", () =>
  describePostgres('on one Postgres', nginxRestarts),
);

function nginxRestarts() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-restarts-'));
  let deployment: Deployment;
  let visitors: Visitors;
  let port: number;
  let httpPort: number;
  const nodes: NodeUnderFaults[] = [];

  beforeAll(async () => {
    deployment = await createDeployment();
    [port, httpPort] = [await freePort(), await freePort()];
    visitors = await addVisitedDomain(deployment);
  });
  afterEach(async () => {
    const nginx = nginxPid();
    for (const node of nodes.splice(0)) await node[Symbol.asyncDispose]();
    if (nginx !== null) process.kill(nginx, 'SIGTERM');
    await expect.poll(() => isAlive(nginx ?? 0)).toBe(false);
  });
  afterAll(async () => {
    await deployment[Symbol.asyncDispose]();
    visitors[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['its parent process', 2],
    ['its only process', 1],
  ])('serves every visitor while %s is killed and started again', async (_, edgeProcesses) => {
    const { bin, processes } = await start(edgeProcesses);
    // The process that controls nginx: an edge process, or the node itself if it is the only process.
    const edge = (await processes())?.find(({ name }) => name === 'edge-1')?.pid ?? bin.child.pid ?? 0;
    const nginx = nginxPid();
    await expect.poll(() => visitors.visit(port)).toBe(REDIRECTED);
    await using visits = visitors.keepVisiting(port);
    bin.child.kill('SIGKILL');
    await bin.ended;
    await expect.poll(() => isAlive(edge)).toBe(false);
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
    await expect.poll(() => visitors.visit(port)).toBe(REDIRECTED);
    await using visits = visitors.keepVisiting(port);
    node.fail('bug', node.bin.child.pid);
    expect(await node.bin.ended).toBe(1);
    await start(edgeProcesses);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
    expect(nginxPid()).toBe(nginx);
  });

  test('nginx serves every visitor while only the process that controls it is killed, and the parent replaces the process', async () => {
    const { shown } = await start(2);
    const nginx = nginxPid();
    const { pid } = await shown('edge-1');
    await expect.poll(() => visitors.visit(port)).toBe(REDIRECTED);
    await using visits = visitors.keepVisiting(port);
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await shown('edge-1')).restarts).toBe(1);
    await expect.poll(async () => (await shown('edge-1')).state).toBe('ready');
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
    expect(nginxPid()).toBe(nginx);
  });

  test.each([1, 2])('ends when its node with %i workers is stopped', async (edgeProcesses) => {
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
}
