import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../../bin/main.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, createDeployment, type Deployment, runService } from '../run-service.ts';

const OPERATORS = Object.entries(ALL_COMMANDS).filter(([id]) => id.startsWith('service:'));

test.each(OPERATORS)(
  'the operator command %s has a summary, a description, and examples that begin with the command',
  async (id, entry) => {
    const words = id.split(':');
    const { description, examples } = await entry.load();
    expect(entry.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(examples?.length).toBeGreaterThan(0);
    for (const example of examples ?? []) expect(example).toContain(`bin %> ${words.join(' ')}`);
    const { exit, stdout } = await runService([...words.slice(1), '--help'], {});
    expect(exit).toBe(0);
    expect(stdout).toContain(`$ nameplate ${words.join(' ')}`);
    expect(stdout).not.toContain('--base-url');
  },
);

test('the help of the service command lists the operator commands and their topics', async () => {
  const { exit, stdout } = await runService([], {});
  expect(exit).toBe(0);
  for (const words of ['service accounts', 'service encryption-key', 'service start']) {
    expect(stdout).toContain(words);
  }
});

test("an operator command exits with 8 if the database does not respond, and does not print the database's password", async () => {
  const env = {
    DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/x',
    NAMEPLATE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };
  for (const argv of [['start'], ['migrate'], ['status'], ['accounts', 'list']]) {
    const { exit, stderr } = await runService(argv, env);
    expect(exit).toBe(8);
    expect(stderr).toContain('The database does not respond: ');
    expect(stderr).not.toContain('hunter2');
  }
});

describePostgres('the operator commands work on a running node', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await createDeployment();
  });
  afterAll(() => deployment[Symbol.asyncDispose]());

  async function openAccount(...flags: string[]) {
    const { exit, document } = await deployment.json(['accounts', 'create', 'Acme', ...flags]);
    expect(exit).toBe(0);
    return document;
  }

  test.each([
    [['accounts', 'update', 'acc_0'], 2, 'usage'],
    [['accounts', 'update', 'acc_0', '--plan', 'growth'], 5, 'not_found'],
    [['accounts', 'update', 'acc_0', '--plan', 'gold'], 2, 'usage'],
    [['accounts', 'update', 'acc_0', '--trial-ends-at', 'tomorrow'], 2, 'usage'],
    [['accounts', 'create', ' '], 2, 'usage'],
    [['accounts', 'create', 'a'.repeat(81)], 2, 'usage'],
    [['accounts', 'get', 'acc_0'], 5, 'not_found'],
    [['accounts', 'get', 'Nobody Ltd'], 5, 'not_found'],
    [['accounts', 'suspend', 'acc_0'], 5, 'not_found'],
    [['accounts', 'list', '--limit', '0'], 2, 'usage'],
    [['holds', 'create', 'https://acme.com'], 2, 'invalid_hostname'],
    [['holds', 'release', 'acme.com'], 5, 'not_found'],
    [['jobs', 'list', '--due', '--stuck'], 2, 'usage'],
    [['jobs', 'retry', 'prune', 'nothing'], 5, 'not_found'],
    [['certificates', 'show', 'nobody.acme.com'], 5, 'not_found'],
    [['certificates', 'reissue', 'dom_0'], 5, 'not_found'],
    [['certificates', 'revoke', 'dom_0'], 5, 'not_found'],
    [['certificates', 'revoke', 'dom_0', '--reason', 'bored'], 2, 'usage'],
    [['certificates', 'list', '--within-days', '-1'], 2, 'usage'],
    [['start', '--role', 'boss'], 2, 'usage'],
    [['bogus'], 2, 'usage'],
  ])('report errors as one document: %j exits with %i and %s', async (argv, exit, code) => {
    const { document, ...run } = await deployment.json(argv);
    expect({ exit: run.exit, code: document.error.code }).toEqual({ exit, code });
    expect(document.error.fix).toMatch(/\.$|^Run|^Did/);
  });

  test('refuse names below a held name until the hold is released', async () => {
    await using running = await deployment.start();
    const { test_key } = await openAccount();
    const add = async () =>
      (await api(running.api_url, test_key, 'POST /domains', { hostname: 'a.evil-example.com' })).status;
    await deployment.json(['holds', 'create', '*.evil-example.com', '--reason', 'phishing']);
    expect(await add()).toBe(422);
    expect((await deployment.json(['holds', 'list'])).document.data).toMatchObject([
      { hostname: '*.evil-example.com', reason: 'phishing' },
    ]);
    await deployment.json(['holds', 'release', '*.evil-example.com']);
    expect(await add()).toBe(201);
    expect((await deployment.service(['holds', 'list'])).stdout).toBe('There are no holds.\n');
  });

  test('show a hostname without a certificate in certificates show', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const { live_key, app_id } = await openAccount('--plan', 'growth');
    const { body } = await api(running.api_url, live_key, 'POST /domains', { hostname: 'shown.acme.com' });
    const shown = await deployment.json(['certificates', 'show', 'shown.acme.com']);
    expect(shown.document.data).toMatchObject([
      { domain_id: body.id, app_id, status: 'pending_dns', routed: false, certificate: null, order: null },
    ]);
    const env = { NAMEPLATE_ADMIN_LISTEN: running.admin_url.slice('http://'.length) };
    const toRead = async () =>
      (await deployment.service(['certificates', 'show', 'shown.acme.com'], env)).stdout;
    expect(await toRead()).toMatch(/^certificate +Not ordered yet: waiting for its DNS( \(\w+\))?\ndomain /);
    expect(await toRead()).not.toMatch(/^(issuer|serial|order|renews|last problem|next step)/m);
  });

  test('name a missing setting in status', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const env = { NAMEPLATE_ADMIN_LISTEN: running.admin_url.slice('http://'.length) };
    const wantsCas = {
      setting: 'NAMEPLATE_CAS',
      cannot: 'obtain certificates: live domains stay in issuing',
    };
    const { document, exit } = await deployment.json(['status'], env);
    expect(exit).toBe(0);
    expect(document['configuration_warnings']).toContainEqual(wantsCas);
    expect(document['node']).toMatchObject({
      resolvers: 'ok',
      configuration_warnings: expect.arrayContaining([wantsCas]),
    });
    const { stdout } = await deployment.service(['status'], env);
    expect(stdout).toMatch(/DNS resolvers +ok/);
    expect(stdout).toContain(`${wantsCas.cannot} (NAMEPLATE_CAS)`);
  });

  test('list jobs, and can make one due', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const { test_key } = await openAccount();
    const { body } = await api(running.api_url, test_key, 'POST /domains', { hostname: 'jobs.acme.com' });
    const mine = async (...flags: string[]) =>
      (await deployment.json(['jobs', 'list', ...flags])).document.data.filter(
        ({ subject_id }) => subject_id === body.id,
      );
    const [first] = await mine();
    expect(await mine('--due')).toEqual([]);
    const retried = await deployment.json(['jobs', 'retry', String(first?.kind), body.id]);
    expect(retried.exit).toBe(0);
    expect(await mine('--due')).toMatchObject([{ kind: first?.kind, attempts: 0, leased: false }]);
    expect(await mine('--stuck')).toEqual([]);
  });

  test('name the app with pending deliveries in the backlog', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const { test_key, app_id } = await openAccount();
    const url = running.api_url;
    await api(url, test_key, 'PATCH /apps/current', { webhook_url: 'http://127.0.0.1:9/hooks' });
    await api(url, test_key, 'POST /domains', { hostname: 'backlog.acme.com' });
    const { document } = await deployment.json(['events', 'backlog']);
    expect(document).toMatchObject({ lanes_due: 1, events_pending: 1, apps: [{ app_id, lanes_due: 1 }] });
    expect((await deployment.service(['events', 'backlog'])).stdout).toContain(app_id);
  });

  test('list the audit log newest first, page by page', async () => {
    const { account } = await openAccount();
    await deployment.json(['accounts', 'update', account.id, '--plan', 'scale'], {
      NAMEPLATE_OPERATOR: 'grace',
    });
    const newest = (await deployment.json(['audit', 'list', '--limit', '1'])).document;
    expect(newest.data).toMatchObject([
      { actor: 'grace', action: 'account.update', subject: account.id, detail: { plan: 'scale' } },
    ]);
    const before = String(newest['next_before']);
    const older = (await deployment.json(['audit', 'list', '--limit', '1', '--before', before])).document;
    expect(older.data).toMatchObject([
      { actor: 'ada@example.net', action: 'account.create', subject: account.id, detail: { name: 'Acme' } },
    ]);
  });

  test('leave no line in the audit log if they fail', async () => {
    const count = async () =>
      (await deployment.json(['audit', 'list', '--limit', '1000'])).document.data.length;
    const before = await count();
    await deployment.json(['accounts', 'suspend', 'acc_0']);
    await deployment.json(['holds', 'release', 'nothing.example.com']);
    expect(await count()).toBe(before);
  });

  test('show the database and the node in status, which fails if either does not respond', async () => {
    await using running = await deployment.start();
    const admin = { NAMEPLATE_ADMIN_LISTEN: running.admin_url.replace('http://', '') };
    // Polls, because the node first runs the jobs that became due while no node ran.
    await expect
      .poll(() => deployment.json(['status'], admin))
      .toMatchObject({
        exit: 0,
        document: { database: 'ok', migrations: 'ok', backlog: { jobs_due: 0 }, node: { ready: true } },
      });
    const nobody = { NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:1' };
    const alone = { document: { database: 'ok', node: null } };
    expect(await deployment.json(['status'], nobody)).toMatchObject({ exit: 8, ...alone });
    expect(await deployment.json(['status', '--no-node'], nobody)).toMatchObject({ exit: 0, ...alone });
    expect((await deployment.service(['status', '--no-node'], nobody)).stdout).not.toContain(
      'does not respond',
    );
  });

  test("use the node's settings in status, and show where the settings of this shell differ", async () => {
    await using running = await deployment.start({
      env: { NAMEPLATE_BASE_URL: 'https://api.example.net', NAMEPLATE_EDGE_ZONE: 'edge.example.net' },
    });
    const env = { NAMEPLATE_ADMIN_LISTEN: running.admin_url.replace('http://', '') };
    const { document } = await deployment.json(['status'], env);
    expect(document['configuration_warnings']).not.toContainEqual(
      expect.objectContaining({ setting: 'NAMEPLATE_EDGE_ZONE' }),
    );
    expect(document['differences']).toEqual([
      { setting: 'NAMEPLATE_BASE_URL', here: 'http://127.0.0.1:0', there: 'https://api.example.net' },
      { setting: 'NAMEPLATE_EDGE_ZONE', here: 'edge.nameplate.test', there: 'edge.example.net' },
    ]);
    const { stdout } = await deployment.service(['status'], env);
    expect(stdout).toContain(
      "This shell's settings differ from the node's:\n  NAMEPLATE_BASE_URL is http://127.0.0.1:0 here but https://api.example.net on the node\n",
    );
    const same = { NAMEPLATE_BASE_URL: 'https://api.example.net', NAMEPLATE_EDGE_ZONE: 'edge.example.net' };
    expect((await deployment.service(['status'], { ...env, ...same })).stdout).not.toContain('differ');
  });

  test("show the node's address with a new account, not the default address of this shell", async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_BASE_URL: 'http://127.0.0.1:4600' } });
    const env = { NAMEPLATE_ADMIN_LISTEN: running.admin_url.replace('http://', '') };
    const { stdout } = await deployment.service(['accounts', 'create', 'Acme'], env);
    expect(stdout).toContain("export NAMEPLATE_BASE_URL='http://127.0.0.1:4600'");
    expect(stdout).toContain(`${running.edge_url}/`);
    await using elsewhere = await deployment.start({
      env: { NAMEPLATE_BASE_URL: 'https://evil.example/$(id)' },
    });
    const stranger = await deployment.service(['accounts', 'create', 'Acme'], {
      NAMEPLATE_ADMIN_LISTEN: elsewhere.admin_url.replace('http://', ''),
    });
    expect(stranger.stdout).not.toContain('evil.example');
    const told = await deployment.service(['accounts', 'create', 'Acme'], {
      ...env,
      NAMEPLATE_BASE_URL: 'http://127.0.0.1:4700',
    });
    expect(told.stdout).toContain("export NAMEPLATE_BASE_URL='http://127.0.0.1:4700'");
  });

  test('report a port in use together with its setting', async () => {
    await using running = await deployment.start();
    const taken = running.api_url.replace('http://', '');
    const { document } = await deployment.json(['start'], { NAMEPLATE_API_LISTEN: taken });
    expect(document.error).toMatchObject({ code: 'port_in_use', exit: 1 });
    expect(document.error.message).toContain('NAMEPLATE_API_LISTEN');
  });
});
