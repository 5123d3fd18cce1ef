import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../fixtures/free-port.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment } from '../run-service.ts';
import { launchNode, type NodeUnderFaults, startNodeUnderFaults } from './node-under-faults.ts';
import { addVisitedDomain, REDIRECTED, type Visitors } from './visitors.ts';

/** How long a client waits for the health check. The parent process may take longer, because it waits for its other processes. */
const PATIENCE_MS = 3_000;

describePostgres('A service node of several processes continues if one is away', () => {
  let deployment: Deployment;
  let visitors: Visitors;

  beforeAll(async () => {
    deployment = await createDeployment();
    visitors = await addVisitedDomain(deployment);
  });
  afterAll(async () => {
    visitors[Symbol.dispose]();
    await deployment[Symbol.asyncDispose]();
  });

  const envOf = async (more: Record<string, string> = {}) => ({
    ...deployment.env,
    NAMEPLATE_EDGE_PROCESSES: '2',
    NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
    NAMEPLATE_API_LISTEN: `127.0.0.1:${await freePort()}`,
    NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${await freePort()}`,
    NAMEPLATE_EDGE_HTTP_LISTEN: `127.0.0.1:${await freePort()}`,
    ...more,
  });

  async function get({ adminUrl }: NodeUnderFaults, path: string): Promise<{ status: number; text: string }> {
    const response = await fetch(adminUrl + path, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: response.status, text: await response.text() };
  }

  async function readyz(node: NodeUnderFaults): Promise<[number, unknown]> {
    const { status, text } = await get(node, '/readyz');
    return [status, JSON.parse(text)];
  }

  test('serves visitors while another edge process cannot start, and starts that process once it can', async () => {
    await using node = launchNode(await envOf({ NAMEPLATE_ROLES: 'edge' }), 'hold');
    const isServing = () => get(node, '/readyz/edge').then(({ status }) => status, String);
    await expect.poll(isServing).toBe(200);
    node.fail('no_start');
    await using visits = visitors.keepVisiting(node.edgePort);
    await expect.poll(() => node.logged(/a process of the node is replaced/).length).toBeGreaterThan(0);
    expect(await get(node, '/readyz/edge')).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^ok\nedge-[12] is (starting|waiting)\n$/),
    });
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
    node.fail('none');
    await expect.poll(() => get(node, '/readyz/edge')).toEqual({ status: 200, text: 'ok\n' });
  });

  test('stops cleanly while one of its processes is starting', async () => {
    await using node = launchNode(await envOf({ NAMEPLATE_ROLES: 'edge' }), 'hold');
    await expect.poll(() => get(node, '/readyz/edge').then(({ status }) => status, String)).toBe(200);
    const made = await visitors.connect(node.edgePort);
    node.bin.child.kill('SIGTERM');
    expect(await visitors.ask(made)).toBe(REDIRECTED);
    expect(await node.bin.ended).toBe(0);
  });

  test('serves visitors while the API cannot listen, and starts the API once its port is free', async () => {
    const taken = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const env = await envOf({ NAMEPLATE_API_LISTEN: new URL(taken.api_url).host });
    await using node = await startNodeUnderFaults(env);
    expect(await visitors.visit(node.edgePort)).toBe(REDIRECTED);
    expect(node.logged(/NAMEPLATE_API_LISTEN: \S+ is not available to listen on/)).not.toEqual([]);
    expect(await readyz(node)).toMatchObject([
      503,
      { database: expect.stringMatching(/^unknown: no report from api-worker \((starting|waiting)\)$/) },
    ]);
    await taken[Symbol.asyncDispose]();
    await expect.poll(() => readyz(node)).toMatchObject([200, { ready: true }]);
  });

  test('starts once the processes of its killed predecessor have freed the ports', async () => {
    const env = await envOf();
    await using killed = await startNodeUnderFaults({ ...env, NAMEPLATE_DRAIN_DELAY_MS: '60000' });
    const left = await killed.processes();
    const exited = once(killed.bin.child, 'exit');
    killed.bin.child.kill('SIGKILL');
    await exited;
    await using node = launchNode(env);
    for (const setting of ['NAMEPLATE_API_LISTEN', 'NAMEPLATE_EDGE_LISTEN']) {
      const taken = new RegExp(`${setting}: \\S+ is not available to listen on`);
      await expect.poll(() => node.logged(taken)).not.toEqual([]);
    }
    // They would end by themselves after the delay.
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    const states = async () => (await node.processes()).map(({ state }) => state);
    await expect.poll(states).toEqual(['ready', 'ready', 'ready']);
    expect(await visitors.visit(node.edgePort)).toBe(REDIRECTED);
  });

  test('exits if none of its processes can start', async () => {
    const taken = await deployment.start({ env: { NAMEPLATE_ROLES: 'edge' } });
    onTestFinished(() => taken[Symbol.asyncDispose]());
    const { host } = new URL(taken.edge_url);
    await expect(
      startNodeUnderFaults(await envOf({ NAMEPLATE_ROLES: 'edge', NAMEPLATE_EDGE_HTTP_LISTEN: host })),
    ).rejects.toThrow(
      /NAMEPLATE_EDGE_HTTP_LISTEN: \S+ is not available to listen on[\s\S]*No process of the node starts: edge-\d ended with code 1/,
    );
  });

  test('serves all visitors while one edge process hangs, and names that process', async () => {
    await using node = await startNodeUnderFaults(await envOf());
    using _frozen = await node.freeze('edge-2');
    const opened = await visitors.connectMany(node.edgePort);
    expect(new Set(await Promise.all(opened.map(visitors.ask)))).toEqual(new Set([REDIRECTED]));
    await expect
      .poll(() => get(node, '/readyz/edge'))
      .toEqual({ status: 200, text: 'ok\nedge-2 is unresponsive\n' });
    await expect.poll(() => readyz(node)).toMatchObject([200, { ready: true, database: 'ok' }]);
    await expect.poll(() => node.shown('edge-2')).toMatchObject({ state: 'unresponsive', restarts: 0 });
    await expect.poll(() => node.shown('edge-1')).toMatchObject({ state: 'ready' });
    await expect
      .poll(() => node.metrics())
      .toEqual(
        expect.arrayContaining([
          'nameplate_process_up{process="edge-2"} 0',
          'nameplate_process_up{process="edge-1"} 1',
        ]),
      );
  });

  test('is unready only for the API while the process with the API hangs', async () => {
    await using node = await startNodeUnderFaults(await envOf());
    using _frozen = await node.freeze('api-worker');
    await expect
      .poll(() => readyz(node))
      .toEqual([
        503,
        expect.objectContaining({
          ready: false,
          database: 'unknown: no report from api-worker (unresponsive)',
          edge_engine: expect.objectContaining({ name: 'node' }),
        }),
      ]);
    await expect.poll(() => get(node, '/readyz/edge')).toEqual({ status: 200, text: 'ok\n' });
    expect(await visitors.visit(node.edgePort)).toBe(REDIRECTED);
  });

  test('does not accept visitors while all edge processes hang', async () => {
    await using node = await startNodeUnderFaults(await envOf());
    using _first = await node.freeze('edge-1');
    using _second = await node.freeze('edge-2');
    await expect
      .poll(() => get(node, '/readyz/edge'))
      .toEqual({
        status: 503,
        text: 'not ready\nedge-1 is unresponsive\nedge-2 is unresponsive\n',
      });
    await expect.poll(() => readyz(node)).toMatchObject([200, { ready: true }]);
  });
});
