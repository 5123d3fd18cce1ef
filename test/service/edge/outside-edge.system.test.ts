import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../fixtures/free-port.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { launchNode, type NodeUnderFaults, startNodeUnderFaults } from '../processes/node-under-faults.ts';
import { runService } from '../run-service.ts';
import { createEdgeRole, type EdgeRole } from './edge-role.ts';
import { createOutsideDeployment, OUTSIDE_HOST, type OutsideDeployment } from './outside-deployment.ts';
import { scanMemory } from './scan-memory.ts';

const PATIENT = { interval: 100 };

describePostgres('An edge on a machine of its own', () => {
  const folder = replicaFolder();
  let outside: OutsideDeployment;
  let role: EdgeRole;
  let env: Record<string, string>;

  beforeAll(async () => {
    outside = await createOutsideDeployment();
    role = await createEdgeRole(outside.databaseUrl);
    env = { ...outside.env, NAMEPLATE_EDGE_REPLICA: folder, DATABASE_URL: role.url };
  });
  afterAll(async () => {
    await role[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
  });

  const start = async (more: Record<string, string> = {}) =>
    startNodeUnderFaults({
      ...env,
      NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
      NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${await freePort()}`,
      ...more,
    });

  const visit = ({ edgePort }: NodeUnderFaults) => outside.visit(edgePort);
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
      'the hostname': Buffer.from(OUTSIDE_HOST),
      'the password of the role': Buffer.from(new URL(role.url).password),
      ...outside.secrets,
    });
    // The process needs the hostname and the password, so a scan that works finds both.
    expect(found).toEqual(['the hostname', 'the password of the role']);
    const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name)));
    const inFiles = (text: string) => files.some((file) => file.includes(text));
    expect(['host.acme.com', 'PRIVATE KEY', outside.signingSecret].filter(inFiles)).toEqual([
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
    for (const statement of [
      'create temporary table mine (id int)',
      'select lo_create(0)',
      'set temp_file_limit = -1',
    ])
      expect(await refused(statement)).toBe('refused');
    const limits = await client.query(
      `select current_setting('temp_file_limit') as files, rolconnlimit as connections from pg_roles where rolname = current_user`,
    );
    expect(limits.rows).toEqual([{ files: '100MB', connections: 60 }]);
    await client.end();
  });

  test('an operator removes the role of an edge, and ends its connections with their locks', async () => {
    const taken = await createEdgeRole(outside.databaseUrl);
    const client = new pg.Client({ connectionString: taken.url });
    const ended = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await client.query('select pg_advisory_lock(1)');
    await taken[Symbol.asyncDispose]();
    expect(await ended).toMatchObject({ message: expect.stringContaining('terminating connection') });
    await expect(new pg.Client({ connectionString: taken.url }).connect()).rejects.toThrow(
      /password authentication failed|does not exist/,
    );
  });

  test.each([
    ['NAMEPLATE_EDGE_KEYS', /NAMEPLATE_EDGE_KEYS[\s\S]*edge-keys export/],
    ['DATABASE_URL', /DATABASE_URL[\s\S]*follows the database/],
  ])('the edge does not start without %s', async (name, message) => {
    await expect(start({ [name]: '' })).rejects.toThrow(message);
  });
});
