import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ALL_COMMANDS } from '../../bin/main.ts';
import { emptyHome, startBin } from '../cli/bin-process.ts';
import { emptyFolder } from '../cli/run-cli.ts';
import { describePostgres } from '../fixtures/postgres.ts';
import { api, createDeployment, type Deployment, runService } from './run-service.ts';

const OPERATORS = Object.entries(ALL_COMMANDS).filter(([id]) => id.startsWith('service:'));

test.each(OPERATORS)(
  '%s has a summary, a description, and examples that begin with itself',
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

test('the topic is explained like all others', async () => {
  const { exit, stdout } = await runService([], {});
  expect(exit).toBe(0);
  for (const words of ['service accounts', 'service encryption-key', 'service start']) {
    expect(stdout).toContain(words);
  }
});

test('a database that does not answer ends with 8, and its address is not printed', async () => {
  const env = {
    DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/x',
    NAMEPLATE_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };
  for (const argv of [['start'], ['migrate'], ['status'], ['accounts', 'list']]) {
    const { exit, stderr } = await runService(argv, env);
    expect(exit).toBe(8);
    expect(stderr).toContain('The database does not answer: ');
    expect(stderr).not.toContain('hunter2');
  }
});

describePostgres('the commands of the operator', () => {
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

  test('a fresh database is refused until it is migrated, once', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const refused = await fresh.service(['start']);
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toContain('Run: nameplate service migrate');
    expect((await fresh.json(['status'])).document).toMatchObject({ migrations: 'pending: 0001-initial' });
    expect((await fresh.json(['migrate'])).document.done).toEqual(['0001-initial']);
    expect((await fresh.json(['migrate'])).document.done).toEqual([]);
    const { document } = await fresh.json(['audit', 'list']);
    expect(document.data).toMatchObject([{ action: 'database.migrate', actor: 'ada@example.net' }]);
  });

  test('an account is opened with keys that work, shown once', async () => {
    await using running = await deployment.start();
    const opened = await openAccount('--plan', 'scale', '--card-on-file', '--trial-ends-at', 'none');
    expect(opened.account).toMatchObject({ plan: 'scale', card_on_file: true, trial_ends_at: null });
    for (const key of [opened.test_key, opened.live_key]) {
      const app = await api(running.api_url, key, 'GET /apps/current');
      expect(app).toMatchObject({ status: 200, body: { id: opened.app_id } });
    }
    expect(opened.signing_secret).toMatch(/^whsec_/);
    const shown = await Promise.all(
      [
        ['accounts', 'get', opened.account.id],
        ['accounts', 'list'],
        ['audit', 'list'],
      ].map(async (argv) =>
        [await deployment.service(argv), await deployment.service([...argv, '--json'])].map(
          (run) => run.stdout,
        ),
      ),
    );
    expect(shown.flat().join('')).toContain(opened.account.id);
    expect(shown.flat().join('')).not.toMatch(/sk_(test|live)_|whsec_|signing_secret/);
  });

  test('terms change one by one, and what is not given stays', async () => {
    const { account } = await openAccount('--promotional');
    const trial = '2031-02-03T04:05:06.000Z';
    await deployment.json(['accounts', 'update', account.id, '--plan', 'growth']);
    await deployment.json(['accounts', 'update', account.id, '--no-promotional']);
    const { document } = await deployment.json(['accounts', 'update', account.id, '--trial-ends-at', trial]);
    expect(document.account).toMatchObject({ plan: 'growth', promotional: false, trial_ends_at: trial });
    expect((await deployment.json(['accounts', 'get', account.id])).document.account).toEqual(
      document.account,
    );
  });

  test.each([
    [['accounts', 'update', 'acc_0'], 2, 'usage'],
    [['accounts', 'update', 'acc_0', '--plan', 'growth'], 5, 'not_found'],
    [['accounts', 'update', 'acc_0', '--plan', 'gold'], 2, 'usage'],
    [['accounts', 'update', 'acc_0', '--trial-ends-at', 'tomorrow'], 2, 'usage'],
    [['accounts', 'create', ' '], 2, 'usage'],
    [['accounts', 'create', 'a'.repeat(81)], 2, 'usage'],
    [['accounts', 'get', 'acc_0'], 5, 'not_found'],
    [['accounts', 'suspend', 'acc_0'], 5, 'not_found'],
    [['accounts', 'list', '--limit', '0'], 2, 'usage'],
    [['holds', 'create', 'https://acme.com'], 2, 'invalid_hostname'],
    [['holds', 'release', 'acme.com'], 5, 'not_found'],
    [['jobs', 'list', '--due', '--stuck'], 2, 'usage'],
    [['jobs', 'retry', 'prune', 'nothing'], 5, 'not_found'],
    [['start', '--role', 'boss'], 2, 'usage'],
    [['bogus'], 2, 'usage'],
  ])('%j ends with %i and %s, as one document', async (argv, exit, code) => {
    const { document, ...run } = await deployment.json(argv);
    expect({ exit: run.exit, code: document.error.code }).toEqual({ exit, code });
    expect(document.error.fix).toMatch(/\.$|^Run|^Did/);
  });

  test('a suspended account changes nothing until it is resumed, and a running node knows', async () => {
    await using running = await deployment.start();
    const { account, test_key } = await openAccount();
    const status = async () =>
      (await api(running.api_url, test_key, 'PATCH /apps/current', { name: 'Acme' })).status;
    expect(await status()).toBe(200);
    await deployment.json(['accounts', 'suspend', account.id]);
    await expect.poll(status, { timeout: 5000 }).toBe(403);
    expect((await api(running.api_url, test_key, 'GET /apps/current')).status).toBe(200);
    await deployment.json(['accounts', 'resume', account.id]);
    await expect.poll(status, { timeout: 5000 }).toBe(200);
  });

  test('a hold refuses names below it until it is released', async () => {
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
    expect((await deployment.service(['holds', 'list'])).stdout).toBe('Nothing is held.\n');
  });

  test('jobs are listed and made due', async () => {
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

  test('the backlog names the app whose deliveries wait', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const { test_key, app_id } = await openAccount();
    const url = running.api_url;
    await api(url, test_key, 'PATCH /apps/current', { webhook_url: 'http://127.0.0.1:9/hooks' });
    await api(url, test_key, 'POST /domains', { hostname: 'backlog.acme.com' });
    const { document } = await deployment.json(['events', 'backlog']);
    expect(document).toMatchObject({ lanes_due: 1, events_pending: 1, apps: [{ app_id, lanes_due: 1 }] });
    expect((await deployment.service(['events', 'backlog'])).stdout).toContain(app_id);
  });

  test('the audit log says who did what to whom, newest first, page by page', async () => {
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

  test('an act that fails leaves no line in the audit log', async () => {
    const count = async () =>
      (await deployment.json(['audit', 'list', '--limit', '1000'])).document.data.length;
    const before = await count();
    await deployment.json(['accounts', 'suspend', 'acc_0']);
    await deployment.json(['holds', 'release', 'nothing.example.com']);
    expect(await count()).toBe(before);
  });

  test('status tells of the database and of the node, where one answers', async () => {
    await using running = await deployment.start();
    const admin = { NAMEPLATE_ADMIN_LISTEN: running.admin_url.replace('http://', '') };
    expect(await deployment.json(['status'], admin)).toMatchObject({
      exit: 0,
      document: { database: 'ok', migrations: 'ok', backlog: { jobs_due: 0 }, node: { ready: true } },
    });
    const alone = await deployment.json(['status'], { NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:1' });
    expect(alone).toMatchObject({ exit: 0, document: { database: 'ok', node: null } });
  });

  test('a port that is taken is told with its setting', async () => {
    await using running = await deployment.start();
    const taken = running.api_url.replace('http://', '');
    const { document } = await deployment.json(['start'], { NAMEPLATE_API_LISTEN: taken });
    expect(document.error).toMatchObject({ code: 'port_in_use', exit: 1 });
    expect(document.error.message).toContain('NAMEPLATE_API_LISTEN');
  });
});

describePostgres('the embedded default', () => {
  test('starts on a fresh folder, opens an account, and ends in order on SIGTERM', async () => {
    // Under root, Postgres runs as another user, who must get through.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-embedded-'));
    chmodSync(folder, 0o711);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const env = {
      ...emptyHome(),
      NAMEPLATE_DATA_DIR: path.join(folder, 'data'),
      NAMEPLATE_API_LISTEN: '127.0.0.1:0',
      NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
      NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
    };
    await using bin = startBin(['service', 'start', '--json'], env, folder);
    await bin.untilStdout(/\n\}\n/);
    const { api_url, database } = JSON.parse(bin.stdout());
    expect(database).toBe('embedded');
    const created = await runService(['accounts', 'create', 'Acme', '--json'], env);
    const { test_key } = JSON.parse(created.stdout);
    expect((await api(api_url, test_key, 'GET /apps/current')).status).toBe(200);

    const running = await runService(['status', '--json'], env);
    expect(JSON.parse(running.stdout)).toMatchObject({ database: 'ok', migrations: 'ok' });
    // A command that ends takes nothing from the node.
    expect((await api(api_url, test_key, 'GET /domains')).status).toBe(200);

    bin.child.kill('SIGTERM');
    expect(await bin.ended).toBe(0);
    expect(bin.stderr()).toContain('the node has stopped');
    expect(bin.stderr()).not.toMatch(/"level":"(warn|error)"/);
    expect(existsSync(path.join(env.NAMEPLATE_DATA_DIR, 'postgres/postmaster.pid'))).toBe(false);

    const later = await runService(['accounts', 'list', '--json'], env);
    expect(JSON.parse(later.stdout).data).toHaveLength(1);
    expect(existsSync(path.join(env.NAMEPLATE_DATA_DIR, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('status on a folder without a database makes none', async () => {
    const data_dir = path.join(emptyFolder(), 'data');
    const { exit, stdout } = await runService(['status'], {
      NAMEPLATE_DATA_DIR: data_dir,
      NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:1',
    });
    expect(exit).toBe(8);
    expect(stdout).toContain('nameplate service start makes it');
    expect(existsSync(data_dir)).toBe(false);
  });
});
