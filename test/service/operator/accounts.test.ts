import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, createDeployment, type Deployment } from '../run-service.ts';

describePostgres('accounts are created and managed by the operator', () => {
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

  test('are created with working API keys, which are shown once', async () => {
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

  test('are created with an owner, and the printed link signs the owner in to the dashboard', async () => {
    await using running = await deployment.start();
    const { stdout } = await deployment.service([
      'accounts',
      'create',
      'Owned',
      '--owner',
      'Ada@example.com',
    ]);
    const [, token] = /\/dashboard\/sign-in#(\S+)/.exec(stdout) ?? [];
    const used = await fetch(`${running.api_url}/dashboard/api/sign-in/links/use`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: deployment.env['NAMEPLATE_BASE_URL'] ?? running.api_url,
      },
      body: JSON.stringify({ token }),
    });
    expect([used.status, await used.json()]).toMatchObject([
      200,
      { mail: 'ada@example.com', accounts: [{ name: 'Owned' }] },
    ]);
    const wrong = await deployment.json(['accounts', 'create', 'Unowned', '--owner', 'ada']);
    expect(wrong.document.error.code).toBe('validation_failed');
    expect((await deployment.service(['accounts', 'list'])).stdout).not.toContain('Unowned');
  });

  test('come with the command that prints a sign-in link if they have no owner', async () => {
    const { stdout } = await deployment.service(['accounts', 'create', 'Alone']);
    const id = /acc_\w+/.exec(stdout)?.[0];
    expect(stdout).toContain(`service members add ${id} you@example.com`);
    expect(stdout).toContain('service sign-in you@example.com');
  });

  test('the root address of the service redirects a browser to the dashboard, and lists the parts of the service for a program', async () => {
    await using running = await deployment.start();
    const page = await fetch(running.api_url, {
      headers: { accept: 'text/html,*/*;q=0.8' },
      redirect: 'manual',
    });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/dashboard']);
    const parts = (await (await fetch(running.api_url)).json()) as { dashboard: string };
    expect(parts.dashboard).toMatch(/\/dashboard$/);
    expect((await fetch(`${running.api_url}/favicon.ico`)).status).toBe(204);
  });

  test('get no live key until their terms allow one', async () => {
    await using running = await deployment.start();
    const { stdout } = await deployment.service(['accounts', 'create', 'Trial']);
    expect(stdout).not.toContain('sk_live_');
    expect(stdout).toContain('The account has no live key');
    const id = /acc_\w+/.exec(stdout)?.[0] ?? '';
    expect(stdout).toContain(`service keys create ${id} --mode live`);
    expect((await deployment.json(['accounts', 'create', 'Other'])).document.live_key).toBeNull();

    const create = (...flags: string[]) => deployment.json(['keys', 'create', id, ...flags]);
    expect((await create('--mode', 'live')).document.error.code).toBe('card_required');
    await deployment.json(['accounts', 'update', id, '--trial-ends-at', 'none']);
    expect((await create('--mode', 'live')).document.error.code).toBe('live_keys_need_plan');
    expect((await create()).document.error.code).toBe('usage');
    await deployment.json(['accounts', 'update', id, '--plan', 'growth']);
    const { key } = (await create('--mode', 'live', '--name', 'First')).document;
    expect(key).toMatch(/^sk_live_/);
    const keys = await api(running.api_url, String(key), 'GET /keys');
    expect(keys.body['data']).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'First', mode: 'live' })]),
    );
    const audited = (await deployment.json(['audit', 'list'])).document.data;
    expect(audited).toContainEqual(expect.objectContaining({ action: 'key.create', subject: id }));
    expect(JSON.stringify(audited)).not.toContain(String(key));
  });

  test('have keys that the operator can list and revoke, also on a running node', async () => {
    await using running = await deployment.start();
    const { account, app_id, test_key } = await openAccount();
    const other = await openAccount();
    const list = async () => (await deployment.json(['keys', 'list', account.id])).document.data;
    const keys = await list();
    expect(keys).toHaveLength(1);
    const key = { ...keys[0], id: String(keys[0]?.['id']) };
    expect(key).toMatchObject({ app_id, mode: 'test', last4: test_key.slice(-4) });
    expect(JSON.stringify(key)).not.toContain(test_key);
    const status = async () => (await api(running.api_url, test_key, 'GET /apps/current')).status;
    expect(await status()).toBe(200);
    const wrong = await deployment.json(['keys', 'revoke', other.account.id, key.id]);
    expect({ exit: wrong.exit, code: wrong.document.error.code }).toEqual({ exit: 5, code: 'not_found' });
    expect((await deployment.json(['keys', 'revoke', account.id, key.id])).document).toEqual({
      id: key.id,
      revoked: true,
    });
    await expect.poll(status, { timeout: 5000 }).toBe(401);
    expect(await list()).toEqual([]);
    const audited = (await deployment.json(['audit', 'list'])).document.data;
    expect(audited).toContainEqual(
      expect.objectContaining({ action: 'key.revoke', subject: account.id, detail: { key: key.id } }),
    );
  });

  test('can get another app, and key commands then ask which app is meant', async () => {
    await using running = await deployment.start();
    const { account, app_id } = await openAccount('--plan', 'growth');
    const shop = (await deployment.json(['apps', 'create', account.id, 'Acme Shops'])).document;
    expect(shop.app_id).not.toBe(app_id);
    for (const key of [shop.test_key, shop.live_key]) {
      const app = await api(running.api_url, key, 'GET /apps/current');
      expect(app).toMatchObject({ status: 200, body: { id: shop.app_id, name: 'Acme Shops' } });
    }
    const create = (...flags: string[]) =>
      deployment.json(['keys', 'create', account.id, '--mode', 'test', ...flags]);
    const { error } = (await create()).document;
    expect(error.code).toBe('validation_failed');
    expect(error.message).toContain(shop.app_id);
    expect((await create('--app', 'app_0')).document.error.code).toBe('not_found');
    const { key } = (await create('--app', shop.app_id)).document;
    expect((await api(running.api_url, String(key), 'GET /apps/current')).body).toMatchObject({
      id: shop.app_id,
    });
    expect((await deployment.json(['apps', 'create', account.id, ' '])).document.error.code).toBe('usage');
  });

  test('change only in the terms that the command names', async () => {
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

  test('are found by name if the name is unique', async () => {
    const name = "O'Neill & Söhne";
    const { account } = (await deployment.json(['accounts', 'create', name])).document;
    for (const argv of [
      ['get', name],
      ['suspend', name],
      ['resume', name],
      ['update', name, '--plan', 'scale'],
    ]) {
      const { exit, document } = await deployment.json(['accounts', ...argv]);
      expect({ exit, id: document.account.id }).toEqual({ exit: 0, id: account.id });
    }
    const second = (await deployment.json(['accounts', 'create', name])).document.account;
    const { exit, document } = await deployment.json(['accounts', 'suspend', name]);
    expect({ exit, code: document.error.code }).toEqual({ exit: 2, code: 'usage' });
    expect(document.error.message).toContain(`${account.id}, ${second.id}`);
    expect((await deployment.json(['accounts', 'get', account.id])).document.account.suspended).toBe(false);
  });

  test('get a printed command that visits a test domain, and the command works', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.net' } });
    const { stdout } = await deployment.service(['accounts', 'create', 'Visited'], {
      NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.net',
      NAMEPLATE_EDGE_HTTP_LISTEN: running.edge_url.replace('http://', ''),
    });
    expect(stdout).toContain(`curl -H 'Host: <its id>.sandbox.example.net' ${running.edge_url}/`);
    const key = /sk_test_\w+/.exec(stdout)?.[0] ?? '';
    expect(stdout).toMatch(new RegExp(`export NAMEPLATE_BASE_URL='http\\S+' NAMEPLATE_API_KEY=${key}\n`));
    expect(stdout).toContain('nameplate domains add careers.acme.com --wait\n');
    const { body } = await api(running.api_url, key, 'POST /domains', { hostname: 'visited.acme.com' });
    const { port } = new URL(running.edge_url);
    const visit = async () => {
      const [answer] = await once(
        get({ port, host: '127.0.0.1', headers: { host: `${body.id}.sandbox.example.net` } }),
        'response',
      );
      answer.resume();
      return answer.statusCode;
    };
    await expect.poll(visit, { timeout: 20_000, interval: 500 }).toBe(200);
  });

  test('get a command with a placeholder for the address of an edge if the node on this machine has none', async () => {
    await using running = await deployment.start({ env: { NAMEPLATE_ROLES: 'api' } });
    const { stdout } = await deployment.service(['accounts', 'create', 'Elsewhere'], {
      NAMEPLATE_ADMIN_LISTEN: running.admin_url.replace('http://', ''),
    });
    expect(stdout).toContain(".sandbox.nameplate.test' http://<an edge>/\n");
  });

  test('cannot change anything while they are suspended, also on a running node', async () => {
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
});
