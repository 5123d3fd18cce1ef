import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TlsHandshake } from '../../edge/tls/tls-visitor.ts';
import { isAlive } from '../../emulator/running/many-emulators.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment, type Deployment, runService } from '../run-service.ts';
import { type NodeUnderFaults, startNodeUnderFaults } from './node-under-faults.ts';
import { addVisitedDomain, REDIRECTED, type Visitors } from './visitors.ts';

const PATIENT = { interval: 100 };

describePostgres('A service node of several processes replaces failed processes', () => {
  let visitors: Visitors;
  let deployment: Deployment;
  /** A node for all tests that do not stop it. The first of these tests starts the node. */
  let node: NodeUnderFaults;

  beforeAll(async () => {
    deployment = await createDeployment();
    visitors = await addVisitedDomain(deployment);
    node = await start();
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await deployment[Symbol.asyncDispose]();
    visitors[Symbol.dispose]();
  });

  const start = (env: Record<string, string> = {}) =>
    startNodeUnderFaults({ ...deployment.env, NAMEPLATE_EDGE_PROCESSES: '2', ...env });

  test('shows its processes, and the metrics of each process under its name', async () => {
    const processes = await node.processes();
    expect(processes.map(({ name, state, restarts }) => [name, state, restarts])).toEqual([
      ['api-worker', 'ready', 0],
      ['edge-1', 'ready', 0],
      ['edge-2', 'ready', 0],
    ]);
    const metrics = await node.metrics();
    expect(metrics).toEqual(
      expect.arrayContaining([
        'nameplate_process_up{process="edge-2"} 1',
        'nameplate_process_restarts_total{process="api-worker"} 0',
        'nameplate_contained_errors_total{process="parent",of="socket"} 0',
        'nameplate_ready{process="edge-1"} 1',
        'nameplate_ready{process="api-worker"} 1',
      ]),
    );
    const heads = metrics.filter((line) => line.startsWith('# TYPE'));
    expect(new Set(heads).size).toBe(heads.length);
    const admin = new URL(node.adminUrl).host;
    const status = await runService(['status'], { ...deployment.env, NAMEPLATE_ADMIN_LISTEN: admin });
    expect(status.exit).toBe(0);
    expect(status.stdout).toMatch(/process edge-1 +ready, pid \d+, restarted 0 times/);
  });

  test('counts an error of one connection, logs it once, and continues', async () => {
    const before = await node.shown('edge-1');
    for (let n = 1; n <= 3; n++) {
      node.fail('reset', before.pid);
      await expect
        .poll(() => node.metrics(), PATIENT)
        .toContain(`nameplate_contained_errors_total{process="edge-1",of="socket"} ${n}`);
    }
    expect(await node.shown('edge-1')).toEqual(before);
    const lines = node.logged(/unhandled error of one connection/);
    // The log has one line a minute for such errors, and the three errors may fall into two minutes.
    expect([1, 2]).toContain(lines.length);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      pid: before.pid,
      error: { code: 'ECONNRESET' },
    });
    expect(await visitors.visit(node.edgePort)).toBe(REDIRECTED);
  });

  test.each(['bug', 'rejection'] as const)(
    'drains and replaces a process after an uncaught %s, and visitors notice nothing',
    async (fault) => {
      const before = await node.shown('edge-2');
      const open = await connectToBoth();
      await using visits = visitors.keepVisiting(node.edgePort);
      node.fail(fault, before.pid);
      // The process drains: it gives a connected visitor five seconds to send a first request.
      await expect.poll(async () => (await node.shown('edge-2')).restarts, PATIENT).toBe(before.restarts + 1);
      expect(new Set(await Promise.all(open.map(visitors.ask)))).toEqual(new Set([REDIRECTED]));
      await untilReplaced('edge-2', before);
      expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
      await expect.poll(() => isAlive(before.pid), PATIENT).toBe(false);
      expect(node.logged(new RegExp(`"level":"error".*an injected ${fault}`))).toHaveLength(1);
    },
  );

  test('loses only the connections of a killed process, and replaces that process', async () => {
    const before = await node.shown('edge-1');
    const open = await connectToBoth();
    process.kill(before.pid, 'SIGKILL');
    await expect.poll(() => isAlive(before.pid), PATIENT).toBe(false);
    await using visits = visitors.keepVisiting(node.edgePort);
    const results = await Promise.all(open.map(visitors.ask));
    // The other process served half of the connections.
    expect(results.filter((result) => result === REDIRECTED)).toHaveLength(open.length / 2);
    await untilReplaced('edge-1', before);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
  });

  test('serves visitors while the process with the other roles restarts', async () => {
    const before = await node.shown('api-worker');
    await using visits = visitors.keepVisiting(node.edgePort);
    node.fail('bug', before.pid);
    await untilReplaced('api-worker', before);
    await expect.poll(async () => (await fetch(`${node.adminUrl}/readyz`)).status, PATIENT).toBe(200);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
  });

  test('restarts its edge processes one after the other without losing a visitor', async () => {
    await using visits = visitors.keepVisiting(node.edgePort);
    for (const name of ['edge-1', 'edge-2']) {
      const before = await node.shown(name);
      process.kill(before.pid, 'SIGTERM');
      await untilReplaced(name, before);
      await expect.poll(() => isAlive(before.pid), PATIENT).toBe(false);
    }
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
  });

  test('resumes a TLS session of one edge process in another edge process', async () => {
    const session = await sessionOf('edge-1');
    for (const next of await connectTo('edge-2', session)) {
      expect(next).toMatchObject({ protocol: 'TLSv1.3', resumed: true });
    }
  });

  test('ends all processes cleanly on SIGTERM', async () => {
    const pids = (await node.processes()).map(({ pid }) => pid);
    const open = await connectToBoth();
    node.bin.child.kill('SIGTERM');
    expect(new Set(await Promise.all(open.map(visitors.ask)))).toEqual(new Set([REDIRECTED]));
    expect(await node.bin.ended).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('leaves no process behind when it is killed, and its processes still respond on open connections', async () => {
    await using killed = await start();
    const pids = (await killed.processes()).map(({ pid }) => pid);
    expect(pids.filter(isAlive)).toHaveLength(3);
    const open = await visitors.connectMany(killed.edgePort);
    killed.bin.child.kill('SIGKILL');
    await expect.poll(() => killed.logged(/the node drains/), PATIENT).not.toEqual([]);
    expect(new Set(await Promise.all(open.map(visitors.ask)))).toEqual(new Set([REDIRECTED]));
    await expect.poll(() => pids.filter(isAlive), PATIENT).toEqual([]);
  });

  test('exits once no process can start', async () => {
    await using hopeless = await start({ NAMEPLATE_ROLES: 'edge' });
    hopeless.fail('no_start');
    for (const { pid } of await hopeless.processes()) process.kill(pid, 'SIGKILL');
    expect(await hopeless.bin.ended).toBe(1);
    expect(hopeless.bin.stdout()).toMatch(
      /No process of the node starts: edge-\d ended with code 3 before it listened/,
    );
    const replaced = hopeless.logged(/a process of the node is replaced/);
    expect(replaced.length).toBeGreaterThanOrEqual(7);
    expect(replaced.length).toBeLessThanOrEqual(12);
  });

  /** Opens connections until each of the two edge processes has some. */
  async function connectToBoth(): Promise<TlsHandshake[]> {
    return [...(await connectTo('edge-1')), ...(await connectTo('edge-2'))];
  }

  /** Opens connections to one of the two edge processes, while the other one is frozen. */
  async function connectTo(name: 'edge-1' | 'edge-2', session?: Buffer): Promise<TlsHandshake[]> {
    using _frozen = await node.freeze(name === 'edge-1' ? 'edge-2' : 'edge-1');
    return await visitors.connectMany(node.edgePort, session);
  }

  async function sessionOf(name: 'edge-1' | 'edge-2'): Promise<Buffer> {
    using _frozen = await node.freeze(name === 'edge-1' ? 'edge-2' : 'edge-1');
    using made = await visitors.connect(node.edgePort);
    const [session] = await once(made.socket, 'session');
    return session;
  }

  async function untilReplaced(name: string, { pid, restarts }: { pid: number; restarts: number }) {
    await expect
      .poll(() => node.shown(name), PATIENT)
      .toMatchObject({ state: 'ready', restarts: restarts + 1 });
    expect((await node.shown(name)).pid).not.toBe(pid);
    expect(await node.metrics()).toContain(
      `nameplate_process_restarts_total{process="${name}"} ${restarts + 1}`,
    );
  }
});
