import { randomBytes } from 'node:crypto';
import { openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { readConfig } from '../../../service/config.ts';
import { edgeRingOf, ringText } from '../../../service/settings/key-rings.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { askOver, handshake } from '../../edge/tls/tls-visitor.ts';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { addActiveDomain } from '../acme/live-domain.ts';
import { launchNode, type NodeUnderFaults, startNodeUnderFaults } from '../processes/node-under-faults.ts';
import { createDeployment, type Deployment, runService } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';
import { createEdgeRole, type EdgeRole } from './edge-role.ts';

const HOST = 'www.acme.com';
const WEBHOOK = 'https://hooks.acme.example/6c1f0c4e';
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };
const PATIENT = { timeout: 30_000, interval: 100 };

describePostgres('An edge on a machine of its own', () => {
  const ca = createThrowawayCa();
  /** The encryption key of the deployment, which an edge must never have. */
  const masterKey = randomBytes(32);
  const folder = replicaFolder();
  let deployment: Deployment;
  let role: EdgeRole;
  let env: Record<string, string>;
  let secrets: Record<'live_key' | 'test_key' | 'signing_secret', string>;

  beforeAll(async () => {
    deployment = await createDeployment();
    role = await createEdgeRole(deployment.database.url);
    const inside = { ...deployment.env, NAMEPLATE_ENCRYPTION_KEYS: `k1:${masterKey.toString('base64')}` };
    const { context, close } = await composeService(testConfig(deployment.database.url, inside), QUIET);
    const { app, account, live_key, test_key, signing_secret } = await openAccount(context, 'ada', {
      name: 'Acme',
      terms: { plan: 'scale', card_on_file: true, trial_ends_at: null },
      webhook_url: WEBHOOK,
    });
    secrets = { live_key: live_key ?? '', test_key, signing_secret };
    const caller = { app_id: app.id, account_id: account.id, key_id: context.ids('key'), idempotency: null };
    await addActiveDomain(context, { ...caller, mode: 'live' }, ca, {
      hostname: 'acme.com',
      apex_redirect: 'www',
    });
    await close();
    const { NAMEPLATE_ENCRYPTION_KEYS: _, ...shared } = deployment.env;
    env = {
      ...shared,
      NAMEPLATE_ROLES: 'edge',
      NAMEPLATE_EDGE_KEYS: ringText(edgeRingOf(readConfig(inside))),
      NAMEPLATE_EDGE_REPLICA: folder,
      DATABASE_URL: role.url,
    };
  });
  afterAll(async () => {
    await role[Symbol.asyncDispose]();
    await deployment[Symbol.asyncDispose]();
    ca[Symbol.dispose]();
  });

  const start = async (more: Record<string, string> = {}) =>
    startNodeUnderFaults({
      ...env,
      NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
      NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${await freePort()}`,
      ...more,
    });

  async function visit({ edgePort }: NodeUnderFaults): Promise<string> {
    const { socket, error } = await handshake(edgePort, HOST, { ca: ca.certificate });
    if (error) return `${error}`;
    const answer = await askOver(socket, `GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
    return answer.split('\r\n')[0] ?? '';
  }

  const readyAt = async (node: NodeUnderFaults, at: string) => (await fetch(`${node.adminUrl}${at}`)).status;

  test('the edge serves with a role that may read only the values of edges, and has no other secret in memory or in a file', async () => {
    await using node = await start();
    expect(await visit(node)).toBe('HTTP/1.1 308 Permanent Redirect');
    expect([await readyAt(node, '/readyz'), await readyAt(node, '/readyz/edge')]).toEqual([200, 200]);
    const status = await runService(['status', '--json'], {
      ...env,
      NAMEPLATE_ADMIN_LISTEN: new URL(node.adminUrl).host,
    });
    expect([status.exit, JSON.parse(status.stdout)]).toMatchObject([
      0,
      { database: 'not used', node: { replica: { hostnames: 1, unreadable: 0, age_s: expect.any(Number) } } },
    ]);
    const found = scanMemory(node.bin.child.pid ?? 0, {
      'the hostname': Buffer.from(HOST),
      'the password of the role': Buffer.from(new URL(role.url).password),
      'the encryption key': masterKey,
      'the encryption key in base64': Buffer.from(masterKey.toString('base64').slice(0, 40)),
      'the live key': Buffer.from(secrets.live_key),
      'the test key': Buffer.from(secrets.test_key),
      'the webhook address': Buffer.from(WEBHOOK),
    });
    // The process needs the hostname and the password, so a scan that works finds both.
    expect(found).toEqual(['the hostname', 'the password of the role']);
    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));
    const inFiles = (text: string) => files.some((file) => file.includes(text));
    expect(['host.acme.com', 'PRIVATE KEY', secrets.signing_secret].filter(inFiles)).toEqual([
      'host.acme.com',
    ]);
  });

  test('the edge starts and serves while its database is away, and logs the error', async () => {
    await using node = await start({ DATABASE_URL: `postgres://edge:x@127.0.0.1:${await freePort()}/none` });
    expect(await visit(node)).toBe('HTTP/1.1 308 Permanent Redirect');
    expect([await readyAt(node, '/readyz'), await readyAt(node, '/readyz/edge')]).toEqual([200, 200]);
    await expect
      .poll(() => node.logged(/cannot read changes, and serves what its replica has/), PATIENT)
      .toHaveLength(1);
  });

  test('the node ends on a signal while it waits for a database and has no replica yet', async () => {
    await using node = launchNode({
      ...env,
      NAMEPLATE_EDGE_REPLICA: replicaFolder(),
      NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
      DATABASE_URL: `postgres://edge:x@127.0.0.1:${await freePort()}/none`,
    });
    await expect
      .poll(() => node.logged(/the connection for notices was lost/).length, PATIENT)
      .toBeGreaterThan(0);
    node.bin.child.kill('SIGTERM');
    expect(await node.bin.ended).toBe(0);
    expect(node.logged(/stopped before it had started/)).toHaveLength(1);
  });

  test('the role of the edge may read no other table of the database, and write none', async () => {
    const client = new pg.Client({ connectionString: role.url });
    await client.connect();
    const refused = async (statement: string) =>
      client.query(statement).then(
        () => 'allowed',
        (error: { code: string }) => (error.code === '42501' ? 'refused' : error.code),
      );
    const { rows } = await client.query(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const readable: string[] = [];
    for (const { name } of rows) {
      if ((await refused(`select 1 from ${name}`)) === 'allowed') readable.push(name);
      expect(await refused(`delete from ${name}`)).toBe('refused');
      expect(await refused(`insert into ${name} default values`)).toBe('refused');
    }
    expect(rows.length).toBeGreaterThan(20);
    expect(readable.sort()).toEqual(['edge_source', 'edge_values']);
    expect(await refused('create table mine (id int)')).toBe('refused');
    await client.end();
  });

  test.each([
    ['NAMEPLATE_EDGE_KEYS', /NAMEPLATE_EDGE_KEYS[\s\S]*edge-keys export/],
    ['DATABASE_URL', /DATABASE_URL[\s\S]*follows the database/],
  ])('the edge does not start without %s', async (name, message) => {
    await expect(start({ [name]: '' })).rejects.toThrow(message);
  });
});

/** Returns the names of the texts that the memory of a process contains. */
function scanMemory(pid: number, texts: Record<string, Buffer>): string[] {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const found = new Set<string>();
  const overlap = Math.max(...Object.values(texts).map((text) => text.length));
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const end = Number.parseInt(to, 16);
    for (let at = Number.parseInt(from, 16); at < end; at += CHUNK_BYTES) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES + overlap, end - at));
      try {
        readSync(memory, chunk, 0, chunk.length, at);
      } catch {
        continue; // A guard page, or memory that was released meanwhile.
      }
      for (const [name, text] of Object.entries(texts)) if (chunk.includes(text)) found.add(name);
    }
  }
  return Object.keys(texts).filter((name) => found.has(name));
}

const CHUNK_BYTES = 4 * 1024 * 1024;
