import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { askOver, handshake, type TlsHandshake } from '../../edge/tls/tls-visitor.ts';
import { isAlive } from '../../emulator/running/many-emulators.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { createDeployment, type Deployment, runService } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';
import { type NodeUnderFaults, startNodeUnderFaults } from './node-under-faults.ts';

/** The edge redirects this name to its apex by itself, so a visit needs no origin. */
const HOST = 'www.acme.com';
const REDIRECTED = '308';
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
const VISITORS = 6;
/** The number of visits. The chance that they all reach the same one of two processes is one in 2^39. */
const OPEN = 40;
const TRIES = 20;
const PATIENT = { timeout: 30_000, interval: 100 };

const missing = process.platform === 'linux' ? null : 'only Linux parts connections among those who listen';

describeUnlessMissing(missing, 'A node of several processes', () =>
  describePostgres('on one Postgres', nodeOfProcesses),
);

function nodeOfProcesses() {
  const ca = createThrowawayCa();
  let deployment: Deployment;
  /** Used by the tests that leave the node running. The first of them starts it. */
  let node: NodeUnderFaults;

  beforeAll(async () => {
    deployment = await createDeployment();
    await addDomain();
    node = await start();
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await deployment[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
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
    const before = await shown('edge-1');
    for (let n = 1; n <= 3; n++) {
      node.fail('reset', before.pid);
      await expect
        .poll(() => node.metrics(), PATIENT)
        .toContain(`nameplate_contained_errors_total{process="edge-1",of="socket"} ${n}`);
    }
    expect(await shown('edge-1')).toEqual(before);
    const lines = node.logged(/unhandled error of one connection/);
    // The three errors may fall into two different minutes.
    expect([1, 2]).toContain(lines.length);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'warn',
      pid: before.pid,
      error: { code: 'ECONNRESET' },
    });
    expect(await visit()).toBe(REDIRECTED);
  });

  test.each(['bug', 'rejection'] as const)(
    'drains and replaces a process after an uncaught %s, and visitors notice nothing',
    { timeout: 60_000 },
    async (fault) => {
      const before = await shown('edge-2');
      const open = await connectMany();
      await using visits = visitUntilStopped();
      node.fail(fault, before.pid);
      // The process drains. A visitor who has not sent a request yet has five seconds to send it.
      await expect.poll(async () => (await shown('edge-2')).restarts, PATIENT).toBe(before.restarts + 1);
      expect(new Set(await Promise.all(open.map(ask)))).toEqual(new Set([REDIRECTED]));
      await untilReplaced('edge-2', before);
      expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
      await expect.poll(() => isAlive(before.pid), PATIENT).toBe(false);
      expect(node.logged(new RegExp(`"level":"error".*an injected ${fault}`))).toHaveLength(1);
    },
  );

  test('loses only the connections of a killed process, and replaces that process', {
    timeout: 60_000,
  }, async () => {
    const before = await shown('edge-1');
    const open = await connectMany();
    process.kill(before.pid, 'SIGKILL');
    await expect.poll(() => isAlive(before.pid), PATIENT).toBe(false);
    await using visits = visitUntilStopped();
    const results = await Promise.all(open.map(ask));
    expect(results).toContain(REDIRECTED);
    expect(results.some((result) => result !== REDIRECTED)).toBe(true);
    await untilReplaced('edge-1', before);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
  });

  test('serves visitors while the process with the other roles is replaced', {
    timeout: 60_000,
  }, async () => {
    const before = await shown('api-worker');
    await using visits = visitUntilStopped();
    node.fail('bug', before.pid);
    await untilReplaced('api-worker', before);
    await expect.poll(async () => (await fetch(`${node.adminUrl}/readyz`)).status, PATIENT).toBe(200);
    expect(await visits.stop()).toEqual(new Set([REDIRECTED]));
  });

  test('does not start if one of its processes cannot', async () => {
    await expect(start({ NAMEPLATE_API_LISTEN: new URL(node.apiUrl).host })).rejects.toThrow(
      /NAMEPLATE_API_LISTEN: \S+ is not available to listen on[\s\S]*A process of the node did not start: api-worker ended with code 1/,
    );
  });

  test('ends all processes cleanly on SIGTERM', async () => {
    const pids = (await node.processes()).map(({ pid }) => pid);
    const open = await connectMany();
    node.bin.child.kill('SIGTERM');
    expect(new Set(await Promise.all(open.map(ask)))).toEqual(new Set([REDIRECTED]));
    expect(await node.bin.ended).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('leaves no process behind when it is killed', { timeout: 60_000 }, async () => {
    await using killed = await start();
    const pids = (await killed.processes()).map(({ pid }) => pid);
    expect(pids.filter(isAlive)).toHaveLength(3);
    killed.bin.child.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), PATIENT).toEqual([]);
  });

  test('gives up once no process can start', { timeout: 90_000 }, async () => {
    await using hopeless = await start({ NAMEPLATE_ROLES: 'edge' });
    hopeless.fail('no_start');
    for (const { pid } of await hopeless.processes()) process.kill(pid, 'SIGKILL');
    expect(await hopeless.bin.ended).toBe(1);
    expect(hopeless.bin.stdout()).toMatch(
      /No process of the node is running: edge-\d failed to start too often/,
    );
    const replaced = hopeless.logged(/a process of the node is replaced/);
    expect(replaced.length).toBeGreaterThanOrEqual(6);
    expect(replaced.length).toBeLessThanOrEqual(12);
  });

  /** Sends a request over a new connection. */
  async function visit(): Promise<string> {
    return ask(await connectTo());
  }

  /** Retries a connection that a killed process reset before any byte came back, as a visitor would. */
  async function connectTo(): Promise<TlsHandshake> {
    for (let tries = 0; tries < TRIES; tries++) {
      const made = await handshake(node.edgePort, HOST, { ca: ca.certificate });
      if (made.error === null || made.socket.bytesRead > 0) return made;
    }
    throw new Error('nothing is listening');
  }

  function connectMany(): Promise<TlsHandshake[]> {
    return Promise.all(Array.from({ length: OPEN }, connectTo));
  }

  async function ask({ socket, error }: TlsHandshake): Promise<string> {
    if (error) return `${error}`;
    const request = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
    const response = await askOver(socket, request).catch(String);
    return /^HTTP\/1.1 (\d+)/.exec(response)?.[1] ?? `no response: ${response}`;
  }

  function visitUntilStopped() {
    const results = new Set<string>();
    let over = false;
    const visitors = Array.from({ length: VISITORS }, async () => {
      while (!over) results.add(await visit());
    });
    const stop = async () => {
      over = true;
      await Promise.all(visitors);
      return results;
    };
    return { stop, [Symbol.asyncDispose]: async () => void (await stop()) };
  }

  async function shown(name: string) {
    const found = (await node.processes()).find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no process ${name}`);
    return found;
  }

  async function untilReplaced(name: string, { pid, restarts }: { pid: number; restarts: number }) {
    await expect.poll(() => shown(name), PATIENT).toMatchObject({ state: 'ready', restarts: restarts + 1 });
    expect((await shown(name)).pid).not.toBe(pid);
    expect(await node.metrics()).toContain(
      `nameplate_process_restarts_total{process="${name}"} ${restarts + 1}`,
    );
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
