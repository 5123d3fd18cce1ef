import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { EngineParts } from '../../../service/edge/engine.ts';
import { startNginxEngine } from '../../../service/edge/nginx-engine.ts';
import { startNodeEngine } from '../../../service/edge/node-engine.ts';
import { createMetrics } from '../../../service/health/metrics.ts';
import { createGuard } from '../../../shared/adapters/guarded-connect.ts';
import { createTrafficCounter } from '../../../shared/core/traffic/traffic-counter.ts';
import { pathReceipts } from '../../../shared/edge/routing/path-receipts.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { connectUnderTest } from '../../connect/connect-under-test.ts';
import { HOST } from '../../edge/edge-under-test.ts';
import { certificatesFor } from '../../edge/tls/certificates-under-test.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { testConfig } from '../settings/test-config.ts';

/**
 * Starts one of the node's edge engines with a certificate for HOST. The engine runs until the test has finished. @returns the HTTPS port.
 */
export async function startEngine(
  name: 'node' | 'nginx',
  parts: (context: Context) => Promise<Pick<EngineParts, 'findRoute' | 'serveHost'>>,
  env: Record<string, string> = {},
): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-engine-'));
  const ca = createThrowawayCa();
  const underTest = await connectUnderTest();
  const { context } = underTest.composition;
  const guard = createGuard({ allowLoopback: true, refusedAddresses: [], connectTimeoutMs: 10_000 });
  const start = name === 'nginx' ? startNginxEngine : startNodeEngine;
  const engine = await start({
    context,
    config: testConfig('postgres://unused', {
      NAMEPLATE_EDGE_ENGINE: name,
      NAMEPLATE_EDGE_FOLDER: folder,
      ...env,
    }),
    metrics: createMetrics(),
    connectionErrors: () => () => undefined,
    isReady: () => true,
    certificates: certificatesFor(ca, HOST),
    challenges: { findKeyAuthorization: async () => null, findChallengeCertificate: async () => null },
    pathReceipts: pathReceipts([Buffer.alloc(32, 1)], context.settings.names, context.clock),
    guard,
    traffic: createTrafficCounter(),
    sandboxOrigin: 'http://127.0.0.1:1',
    ticketKeys: (bytes) => Buffer.alloc(bytes, 1),
    warn: () => undefined,
    ...(await parts(context)),
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
