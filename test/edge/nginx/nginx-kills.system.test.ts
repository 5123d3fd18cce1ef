import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askNginx } from '../../../service/edge/nginx/ask-nginx.ts';
import { isRunning } from '../../../service/edge/nginx/nginx-process.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { HOST, type OriginUnderTest, originWith } from '../edge-under-test.ts';
import { NGINX_PACKAGES } from './nginx-engine.ts';

const PROGRAM = fileURLToPath(import.meta.resolve('./control-process.ts'));
const CLIENTS = 16;

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'An edge on nginx under load survives kills', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-kills-'));
  const originFile = path.join(folder, 'origin');
  let port: number;
  let one: OriginUnderTest;
  let two: OriginUnderTest;
  let control: { child: ChildProcess; nginx: number[] };
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });

  beforeAll(async () => {
    port = await freePort();
    one = await originWith((_, res) => res.end('one'));
    two = await originWith((req, res) => (req.url === '/held' ? res.write('begun') : res.end('two')));
    writeFileSync(originFile, one.url);
    control = await startControl();
    while ((await visit()) !== '200 one') await delay(50);
  });
  afterAll(async () => {
    agent.destroy();
    control.child.kill('SIGTERM');
    await once(control.child, 'exit');
    while (control.nginx.some(isRunning)) await delay(50);
    for (const each of [one, two]) await each[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  test('loses no request if the process that controls nginx is killed, and the next such process takes nginx over', async () => {
    const { nginx } = control;
    const answers = await underLoad(async () => {
      control.child.kill('SIGKILL');
      await delay(500);
      // nginx knows nothing of this hostname, so its visitor waits for the next process.
      const first = visit(`new.${HOST}`);
      await delay(500);
      control = await startControl();
      expect(await first).toBe('200 one');
      await delay(500);
    });
    console.log(`the node process was killed: ${JSON.stringify(answers)}`);
    expect(Object.keys(answers)).toEqual(['200 one']);
    expect(control.nginx[0]).toBe(nginx[0]);
    writeFileSync(originFile, two.url);
    control.child.kill('SIGUSR2');
    // Each nginx worker reads the change itself (`decisions/0065`), so this polls until every connection gets the new response.
    await expect.poll(visitOverAll, { timeout: 1_000, interval: 20 }).toEqual(['200 two']);
  });

  test("loses at most the requests on a worker's connections if the worker is killed", async () => {
    const [, worker = 0] = control.nginx;
    const answers = await underLoad(async () => {
      process.kill(worker, 'SIGKILL');
      await delay(1_000);
    });
    const { '200 two': right = 0, ...wrong } = answers;
    console.log(
      `a worker was killed: ${right} requests with the right response, and ${JSON.stringify(wrong)}`,
    );
    expect(Object.keys(wrong).filter((answer) => answer !== 'broken')).toEqual([]);
    expect(wrong['broken'] ?? 0).toBeLessThanOrEqual(CLIENTS);
  });

  test('serves visitors but fails its health check while the process that controls nginx is frozen', async () => {
    await expect.poll(health).toBe(200);
    await whileFrozen(async () => {
      writeFileSync(originFile, '');
      control.child.kill('SIGUSR2');
      expect(await visitOverAll()).toEqual(['200 two']);
    });
    await expect.poll(() => visit()).toMatch(/^404 /);
    await expect.poll(health).toBe(200);
    writeFileSync(originFile, two.url);
    control.child.kill('SIGUSR2');
    await expect.poll(() => visit()).toBe('200 two');
  });

  test('nginx lets no visitor wait for a frozen process, and reads every route again once the process runs again', async () => {
    await whileFrozen(async () => {
      await askNginx(instance(), '/changed', HOST);
      const answers = await Promise.race([visitOverAll(), delay(5_000, 'no answer', { ref: false })]);
      expect(answers).toEqual(['200 two']);
      // The process misses this change, as it misses changes in the database while it is frozen.
      writeFileSync(originFile, one.url);
    });
    await expect.poll(health).toBe(200);
    expect(await visitOverAll()).toEqual(['200 one']);
    writeFileSync(originFile, two.url);
    control.child.kill('SIGUSR2');
    await expect.poll(visitOverAll).toEqual(['200 two']);
  });

  test("loses few requests if nginx's master process is killed, and another master process is started", async () => {
    const [master = 0] = control.nginx;
    const [held] = (await once(
      request({ port, host: '127.0.0.1', path: '/held', headers: { Host: HOST } }).end(),
      'response',
    )) as [IncomingMessage];
    const answers = await underLoad(async () => {
      process.kill(master, 'SIGKILL');
      await delay(4_000);
    });
    const { '200 two': right = 0, ...wrong } = answers;
    console.log(
      `the master was killed: ${right} requests with the right response, and ${JSON.stringify(wrong)}`,
    );
    expect(Object.keys(wrong).filter((answer) => answer !== 'broken')).toEqual([]);
    expect(wrong['broken'] ?? 0).toBeLessThanOrEqual(2 * CLIENTS);
    await expect.poll(() => visit()).toBe('200 two');
    // The worker of the killed master continues this response until the domain is deleted.
    expect(held.closed).toBe(false);
    // The response is incomplete, so it ends with an error.
    const ended = new Promise((resolve) => held.once('error', resolve).resume());
    writeFileSync(originFile, '');
    control.child.kill('SIGUSR2');
    await ended;
  });

  test.each([
    ['the process that controls nginx', 0],
    ['the process that controls nginx and the master process', 1],
  ])('ends its nginx if nothing replaces %s after a SIGKILL', async (_, masters) => {
    const { child, nginx } = await startControl({ FOLDER: path.join(folder, 'orphan'), ORPHAN_MS: '3000' });
    child.kill('SIGKILL');
    for (const master of nginx.slice(0, masters)) process.kill(master, 'SIGKILL');
    await expect.poll(() => nginx.filter(isRunning)).toEqual([]);
  });

  /** Stops the process that controls nginx, does the work once nginx reports it, and lets the process run again. */
  async function whileFrozen(work: () => Promise<void>): Promise<void> {
    control.child.kill('SIGSTOP');
    try {
      await expect.poll(health).toBe(503);
      expect(await (await fetch(healthUrl())).text()).toMatch(/process sent its last message \d+ s ago/);
      await work();
    } finally {
      control.child.kill('SIGCONT');
    }
  }

  /** Returns the folder of the running nginx. */
  function instance(): string {
    const edge = path.join(folder, 'edge');
    return path.join(edge, JSON.parse(readFileSync(path.join(edge, 'current.json'), 'utf8')).id);
  }

  test('nginx ends soon if the process that controls it is killed before the process stores the id of the nginx that it starts', async () => {
    const program = path.join(folder, 'killing-nginx');
    writeFileSync(program, '#!/bin/sh\nkill -9 $PPID\nexec /usr/sbin/nginx "$@"\n', { mode: 0o755 });
    const edge = path.join(folder, 'unnoted');
    await expect(startControl({ FOLDER: edge, PROGRAM: program })).rejects.toThrow('ended');
    const [id = ''] = readdirSync(edge).filter((name) => !name.includes('.'));
    const master = () => Number(readFileSync(path.join(edge, id, 'nginx.pid'), 'utf8'));
    await expect.poll(master).toBeGreaterThan(0);
    const pid = master();
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });

  async function startControl(env = {}): Promise<{ child: ChildProcess; nginx: number[] }> {
    const child = spawn(process.execPath, [PROGRAM], {
      env: {
        ...process.env,
        PORT: String(port),
        FOLDER: path.join(folder, 'edge'),
        ORIGIN_FILE: originFile,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      const { process_ids } = JSON.parse(line) as { process_ids: number[] };
      return { child, nginx: process_ids };
    }
    throw new Error('the node process ended');
  }

  /** Sends the health check of a load balancer. Returns the status. */
  async function health(): Promise<number> {
    return (await fetch(healthUrl())).status;
  }

  function healthUrl(): string {
    return `http://127.0.0.1:${port}/readyz/edge`;
  }

  /** Sends a request over each of the clients' connections. Returns the distinct responses. */
  async function visitOverAll(): Promise<string[]> {
    return [...new Set(await Promise.all(Array.from({ length: CLIENTS }, () => visit())))];
  }

  /** Sends visits from several clients at once until the work is done. Returns the number of each response. */
  async function underLoad(work: () => Promise<void>): Promise<Record<string, number>> {
    const answers: Record<string, number> = {};
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const answer = await visit();
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    await work();
    isOver = true;
    await Promise.all(clients);
    return answers;
  }

  function visit(hostname = HOST): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const sent = request({ port, host: '127.0.0.1', agent, headers: { Host: hostname } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('close', () =>
        resolve(response.complete ? `${response.statusCode} ${body.slice(0, 9)}` : 'broken'),
      );
    });
    sent.on('error', () => resolve('broken'));
    sent.end();
    return promise;
  }
});
