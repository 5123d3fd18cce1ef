import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment, type RunningNode } from '../run-service.ts';

/** The node drains for this time before it stops, so that the test can send requests to it. */
const DRAIN_DELAY_MS = 8_000;

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'The health checks of an edge node with nginx', () =>
  describePostgres('on one Postgres', edgeReadiness),
);

function edgeReadiness() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-readiness-'));
  let deployment: Deployment;

  beforeAll(async () => {
    deployment = await createDeployment();
  });
  afterAll(async () => {
    await deployment[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([1, 2])(
    'fail while %i of two nginx workers hang, and the metrics name the cause',
    async (hanging) => {
      await using node = await start('nginx');
      const edgeReady = () => statusOf(`${node.admin_url}/readyz/edge`);
      await expect.poll(edgeReady).toBe(200);
      const stopped = workers().slice(0, hanging);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      try {
        await expect.poll(edgeReady).toBe(503);
        expect(await ageSeconds(node)).toBeGreaterThan(5);
      } finally {
        for (const pid of stopped) process.kill(pid, 'SIGCONT');
      }
      await expect.poll(edgeReady).toBe(200);
    },
  );

  test.each(['node', 'nginx'])(
    'fail at both ports while a node with the edge engine %s drains',
    async (engine) => {
      const node = await start(engine, { NAMEPLATE_DRAIN_DELAY_MS: String(DRAIN_DELAY_MS) });
      const both = () =>
        Promise.all([node.admin_url, node.edge_url].map((url) => statusOf(`${url}/readyz/edge`)));
      await expect.poll(both).toEqual([200, 200]);
      const stopped = node[Symbol.asyncDispose]();
      await expect.poll(both).toEqual([503, 503]);
      await stopped;
    },
  );

  function start(engine: string, env: Record<string, string> = {}): Promise<RunningNode> {
    return deployment.start({
      env: {
        NAMEPLATE_ROLES: 'edge',
        NAMEPLATE_EDGE_ENGINE: engine,
        NAMEPLATE_EDGE_PROCESSES: '2',
        NAMEPLATE_EDGE_FOLDER: path.join(folder, 'edge'),
        ...env,
      },
    });
  }

  async function statusOf(url: string): Promise<number> {
    return (await fetch(url)).status;
  }

  async function ageSeconds({ admin_url }: RunningNode): Promise<number> {
    const metrics = await (await fetch(`${admin_url}/metrics`)).text();
    return Number(/^nameplate_edge_routes_age_seconds (\S+)$/m.exec(metrics)?.[1]);
  }

  /** Returns the process ids of nginx's workers. */
  function workers(): number[] {
    const { pid } = JSON.parse(readFileSync(path.join(folder, 'edge', 'current.json'), 'utf8'));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.trim().split(' ').map(Number);
  }
}
