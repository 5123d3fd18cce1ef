import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type NginxEdge,
  type NginxEdgeOptions,
  startNginxEdge,
} from '../../../service/edge/nginx/nginx-edge.ts';
import { findNginx } from '../../../service/edge/nginx/nginx-program.ts';
import { createIds, systemClock, systemRandom } from '../../../shared/adapters/system.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { HOST, NAMES } from '../edge-under-test.ts';
import { certificatesFor } from '../tls/certificates-under-test.ts';
import { askOver, handshake } from '../tls/tls-visitor.ts';
import { NGINX_PACKAGES } from './nginx-engine.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'An edge on nginx survives failures and restarts', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-instances-'));
  const ca = createThrowawayCa();
  let port: number;
  let lost = 0;
  let edge: NginxEdge | null = null;

  beforeAll(async () => {
    port = await freePort();
  });
  afterAll(async () => {
    await edge?.close();
    ca[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const instances = () => readdirSync(folder).filter((name) => /^[0-9a-f]{8}$/.test(name));

  test('the folder has no files of an nginx that could not start', async () => {
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    await expect(start(randomBytes(80))).rejects.toMatchObject({
      code: 'process_failed',
      message: expect.stringContaining('Address already in use'),
    });
    other.close();
    expect(instances()).toEqual([]);
  });

  test('the folder has no files of an nginx that was killed', async () => {
    edge = await start(randomBytes(80));
    const [first] = instances();
    const [master = 0] = edge.processIds();
    process.kill(master, 'SIGKILL');
    await expect.poll(() => edge?.processIds()[0]).not.toBe(master);
    expect(lost).toBe(1);
    expect(instances()).toEqual([expect.not.stringMatching(String(first))]);
  });

  test('the next process that controls nginx finds it running, and gives it new session ticket keys', async () => {
    const before = edge?.processIds()[0];
    const { session } = await visit();
    expect((await visit(session)).resumed).toBe(true);
    // The clock follows the database, so each process may find another difference to the clock of the machine.
    const wallClock = { now: () => systemClock.now() + 700 };
    const successor = await start(randomBytes(80), () => undefined, { wallClock });
    await edge?.close();
    edge = successor;
    expect(edge.processIds()[0]).toBe(before);
    const renewed = await visit(session);
    expect(renewed.resumed).toBe(false);
    expect((await visit(renewed.session)).resumed).toBe(true);
  });

  test('only the last process that took over nginx sends messages to nginx, and restarts a killed nginx once', async () => {
    let [said, looks] = [0, 0];
    const older = await start(randomBytes(80), () => {
      said += 1;
    });
    await edge?.close();
    const successor = await start(randomBytes(80), () => {
      looks += 1;
    });
    edge = successor;
    // A check that the older process had begun may still end.
    const untilLooks = async (count: number) => expect.poll(() => looks).toBeGreaterThan(looks + count);
    await untilLooks(1);
    const [before, [master = 0]] = [said, successor.processIds()];
    lost = 0;
    process.kill(master, 'SIGKILL');
    await expect.poll(() => successor.processIds()[0]).not.toBe(master);
    await untilLooks(2);
    expect([lost, said]).toEqual([1, before]);
    await older.close();
    expect((await visit()).resumed).toBe(false);
  });

  test('a process that stops controlling nginx closes the connections to its control socket', async () => {
    const older = await start(randomBytes(80));
    const kept = connect(path.join(folder, 'control.sock'));
    await once(kept, 'connect');
    const successor = await start(randomBytes(80));
    await edge?.close();
    edge = successor;
    const closed = once(kept, 'close');
    await older.close();
    await closed;
  });

  /** Makes a handshake, which resumes `session` if given, and sends a request. */
  async function visit(session?: Buffer): Promise<{ resumed: boolean; session: Buffer }> {
    using visitor = await handshake(port, HOST, { maxVersion: 'TLSv1.2', ...(session && { session }) });
    if (visitor.error !== null) throw visitor.error;
    const next = visitor.socket.getSession() as Buffer;
    await askOver(visitor.socket, GET);
    return { resumed: visitor.resumed, session: next };
  }

  test('the edge reports once that nginx was lost, even if several restarts fail, and once that nginx runs again', async () => {
    const program = await findNginx(NGINX_PACKAGES.programs[0]);
    const own = mkdtempSync(path.join(os.tmpdir(), 'nameplate-nginx-'));
    const file = path.join(own, 'program');
    const write = (command: string) => writeFileSync(file, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    write(`exec ${program.file} "$@"`);
    const said: string[] = [];
    const address = { host: '127.0.0.1', port: await freePort() };
    const failing = await start(randomBytes(80), () => undefined, {
      folder: path.join(own, 'nginx'),
      listeners: [{ address, tls: true, redirects: false, scheme: 'https' }],
      program: { ...program, file },
      onLine: () => said.push('start failed'),
      onLost: () => said.push('lost'),
      onRestarted: () => said.push('runs again'),
    });
    // From now on, every start of nginx fails, for example because the disk is full.
    write('exit 1');
    for (const pid of failing.processIds().reverse()) process.kill(pid, 'SIGKILL');
    const failures = () => said.filter((line) => line === 'start failed').length;
    await expect.poll(failures).toBeGreaterThan(1);
    write(`exec ${program.file} "$@"`);
    await expect.poll(() => said.at(-1)).toBe('runs again');
    expect(said.filter((line) => line !== 'start failed')).toEqual(['lost', 'runs again']);
    await failing.close();
    rmSync(own, { recursive: true });
  });

  async function start(
    ticketKeys: Buffer,
    onCounted: () => void = () => undefined,
    others: Partial<NginxEdgeOptions> = {},
  ): Promise<NginxEdge> {
    return startNginxEdge({
      program: await findNginx(NGINX_PACKAGES.programs[0]),
      folder,
      listeners: [{ address: { host: '127.0.0.1', port }, tls: true, redirects: false, scheme: 'https' }],
      workers: 1,
      httpsPort: 443,
      connectTimeoutMs: 10_000,
      ticketKeys,
      findRoute: () => null,
      certificates: certificatesFor(ca, HOST),
      challenges: null,
      pathReceipts: null,
      names: NAMES,
      ids: createIds(systemClock, systemRandom),
      wallClock: systemClock,
      sandboxOrigin: null,
      pagesOrigin: null,
      resolve: async () => [],
      resolveTimeoutMs: 10_000,
      isPlain: () => false,
      onHandshakeFailure: () => undefined,
      onCounted,
      onLine: () => undefined,
      onLost: () => {
        lost += 1;
      },
      ...others,
    });
  }
});
