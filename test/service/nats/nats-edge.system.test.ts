import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { describeNats, type NatsServer, startNats } from '../../fixtures/nats/nats-server.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { createEdgeRole, type EdgeRole } from '../edge/edge-role.ts';
import { createOutsideDeployment, OUTSIDE_HOST, type OutsideDeployment } from '../edge/outside-deployment.ts';
import { scanMemory } from '../edge/scan-memory.ts';
import { startNodeUnderFaults } from '../processes/node-under-faults.ts';
import { runService } from '../run-service.ts';
import { guideRules } from './guide-rules.ts';

describeNats('An edge that reads from NATS', () => {
  const ca = createThrowawayCa();
  const folder = mkdtempSync(path.join(tmpdir(), 'nameplate-nats-tls-'));
  const roots = path.join(folder, 'ca.pem');
  let outside: OutsideDeployment;
  let role: EdgeRole;
  let nats: NatsServer;
  let endNats: () => Promise<void>;

  beforeAll(async () => {
    outside = await createOutsideDeployment();
    role = await createEdgeRole(outside.databaseUrl, { page: 'deploying-nats', role: 'nameplate_relay' });
    const { cert, key } = ca.issue('DNS:localhost');
    writeFileSync(roots, ca.certificate);
    writeFileSync(path.join(folder, 'cert.pem'), cert);
    writeFileSync(path.join(folder, 'key.pem'), key);
    nats = await startNats(
      `tls { cert_file: "${folder}/cert.pem", key_file: "${folder}/key.pem" }\n${guideRules()}`,
      {
        atEnd: (end) => {
          endNats = end;
        },
      },
    );
  });
  afterAll(async () => {
    await endNats();
    await role[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  const urlOf = (user: string, password: string) => `tls://${user}:${password}@localhost:${nats.port}`;
  const settings = async (more: Record<string, string>) => ({
    ...outside.env,
    NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
    NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${await freePort()}`,
    NAMEPLATE_NATS_CA_FILE: roots,
    NAMEPLATE_NATS_REPLICAS: '1',
    ...more,
  });
  const startRelay = async () =>
    startNodeUnderFaults(
      await settings({
        NAMEPLATE_ROLES: 'relay',
        NAMEPLATE_EDGE_NODE: 'relay-1',
        NATS_URL: urlOf('relay', 'relay-password'),
        DATABASE_URL: role.url,
      }),
    );
  const startEdge = async (replica: string, more: Record<string, string> = {}) =>
    startNodeUnderFaults(
      await settings({
        NAMEPLATE_EDGE_SOURCE: 'nats',
        NAMEPLATE_EDGE_NODE: 'edge-1',
        NAMEPLATE_EDGE_REPLICA: replica,
        NATS_URL: urlOf('edge-1', 'edge-password'),
        ...more,
      }),
    );

  test('serves from an empty folder with neither a database nor encryption keys, over TLS and with the rights of the guide', async () => {
    const replica = replicaFolder();
    await using relay = await startRelay();
    {
      await using edge = await startEdge(replica);
      expect(await outside.visit(edge.edgePort)).toBe('HTTP/1.1 308 Permanent Redirect');
      expect((await fetch(`${edge.adminUrl}/readyz`)).status).toBe(200);
      const found = scanMemory(edge.bin.child.pid ?? 0, {
        'the hostname': Buffer.from(OUTSIDE_HOST),
        'the password of NATS': Buffer.from('edge-password'),
        'the address of the database': Buffer.from(new URL(outside.databaseUrl).host),
        ...outside.secrets,
      });
      expect(found).toEqual(['the hostname', 'the password of NATS']);
      const metrics = await (await fetch(`${relay.adminUrl}/metrics`)).text();
      expect(metrics).toMatch(/^nameplate_relay_active 1$/m);
      expect(metrics).toMatch(/^nameplate_relay_complete 1$/m);
    }
    await nats.kill();
    try {
      await using edge = await startEdge(replica, { NAMEPLATE_EDGE_PROCESSES: '2' });
      expect(await outside.visit(edge.edgePort)).toBe('HTTP/1.1 308 Permanent Redirect');
    } finally {
      await nats.restart();
    }
    await using edge = await startEdge(replica);
    await outside.deleteDomain();
    await expect.poll(() => outside.visit(edge.edgePort)).not.toContain('308');
    // The relay sends the deletion to the edge before it has compared the bucket of the restarted server.
    await expect
      .poll(async () => {
        const { exit, stdout } = await runService(['relay', 'status', '--json'], outside.operatorEnv);
        return [exit, JSON.parse(stdout)];
      })
      .toMatchObject([0, { state: 'running', pending: 0, differences: 0, error: null }]);
  });
});
