import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment, type RunningNode } from '../run-service.ts';

const PATIENT = { timeout: 60_000, interval: 50 };

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'The health check of a node on nginx', () =>
  describePostgres('on one Postgres', nginxReadiness),
);

function nginxReadiness() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-readiness-'));
  let deployment: Deployment;
  let node: RunningNode;

  beforeAll(async () => {
    deployment = await createDeployment();
    node = await deployment.start({
      env: {
        NAMEPLATE_ROLES: 'edge',
        NAMEPLATE_EDGE_ENGINE: 'nginx',
        NAMEPLATE_EDGE_PROCESSES: '2',
        NAMEPLATE_EDGE_FOLDER: path.join(folder, 'edge'),
      },
    });
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await deployment[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([1, 2])('fails while %i of the two workers hang, and the metrics show their age', async (hanging) => {
    await expect.poll(edgeReady, PATIENT).toBe(200);
    const stopped = workers().slice(0, hanging);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      await expect.poll(edgeReady, PATIENT).toBe(503);
      expect(await ageSeconds()).toBeGreaterThan(5);
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await expect.poll(edgeReady, PATIENT).toBe(200);
  });

  async function edgeReady(): Promise<number> {
    return (await fetch(`${node.admin_url}/readyz/edge`)).status;
  }

  async function ageSeconds(): Promise<number> {
    const metrics = await (await fetch(`${node.admin_url}/metrics`)).text();
    return Number(/^nameplate_edge_routes_age_seconds (\S+)$/m.exec(metrics)?.[1]);
  }

  /** Returns the process ids of nginx's workers. */
  function workers(): number[] {
    const { pid } = JSON.parse(readFileSync(path.join(folder, 'edge', 'current.json'), 'utf8'));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.trim().split(' ').map(Number);
  }
}
