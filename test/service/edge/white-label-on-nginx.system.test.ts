import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startNginxEngine } from '../../../service/edge/nginx-engine.ts';
import { createMetrics } from '../../../service/health/metrics.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createHostPages } from '../../../shared/connect/serve-host.ts';
import { TrafficCounter } from '../../../shared/core/traffic/traffic-counter.ts';
import { pathReceipts } from '../../../shared/edge/routing/path-receipts.ts';
import { connectUnderTest } from '../../connect/connect-under-test.ts';
import { HOST, route } from '../../edge/edge-under-test.ts';
import { NGINX_PACKAGES } from '../../edge/nginx/nginx-engine.ts';
import { certificatesFor } from '../../edge/tls/certificates-under-test.ts';
import { answerOf } from '../../edge/wire/http2-visitor.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { testConfig } from '../settings/test-config.ts';

const NOT_FOUND = 404;
const REFUSED = 429;

describeUnlessMissing(whyMissing(NGINX_PACKAGES), 'A white-label host on nginx', () => {
  test('refuses a visitor that asks for too many pages, whatever address it claims, and no other', async () => {
    const port = await startEngine();
    const flood = await visit(port, '127.0.0.2', 300);
    expect(flood.filter((status) => status === NOT_FOUND)).toHaveLength(200);
    expect(flood.filter((status) => status === REFUSED)).toHaveLength(100);
    expect(await visit(port, '127.0.0.3', 1)).toEqual([NOT_FOUND]);
  });
});

/** Asks for pages over one connection. Each request claims to be of another visitor. */
async function visit(port: number, localAddress: string, times: number): Promise<number[]> {
  const session = connect(`https://${HOST}`, {
    createConnection: () =>
      connectTls({
        socket: connectTcp({ port, host: '127.0.0.1', localAddress }),
        servername: HOST,
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
      }),
  });
  const ask = async (_: unknown, at: number) => {
    const forged = { ':path': '/connect/unknown', 'x-forwarded-for': `203.0.113.${at % 250}, 127.0.0.1` };
    return (await answerOf(session.request(forged))).status;
  };
  const statuses = await Promise.all(Array.from({ length: times }, ask));
  session.destroy();
  return statuses;
}

/** Starts nginx with the connect pages of one app. @returns the port. */
async function startEngine(): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-white-label-'));
  const ca = createThrowawayCa();
  const underTest = await connectUnderTest();
  const { context } = underTest.composition;
  // The rates allow no more while time stands still.
  const still = { ...context, wallClock: { ...context.wallClock, now: () => 0 } };
  const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
  const engine = await startNginxEngine({
    context,
    config: testConfig('postgres://unused', {
      NAMEPLATE_EDGE_ENGINE: 'nginx',
      NAMEPLATE_EDGE_FOLDER: folder,
    }),
    metrics: createMetrics(),
    connectionErrors: () => () => undefined,
    findRoute: (hostname) => (hostname === HOST ? route(null, { origin: { kind: 'connect' } }) : null),
    certificates: certificatesFor(ca, HOST),
    challenges: { findKeyAuthorization: async () => null, findChallengeCertificate: async () => null },
    pathReceipts: pathReceipts([Buffer.alloc(32, 1)], context.settings.names, context.clock),
    guard,
    traffic: new TrafficCounter(),
    serveHost: createHostPages(still, () => context.store),
    sandboxOrigin: 'http://127.0.0.1:1',
    ticketKeys: (bytes) => Buffer.alloc(bytes, 1),
    warn: () => undefined,
  });
  onTestFinished(async () => {
    await engine.close(0);
    guard.close();
    await underTest[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return engine.addresses.edge.port;
}
