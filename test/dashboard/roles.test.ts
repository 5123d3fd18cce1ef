import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTS, mayAct, type Permission, ROLES, type Role } from '../../shared/core/accounts/member.ts';
import { ROUTE_PERMISSIONS } from '../../shared/dashboard/route-permissions.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../shared/operations/members/sign-in.ts';
import { changeAccount, openAccount } from '../../shared/operations/operator/accounts.ts';
import { type OperationId, ROUTES } from '../../shared/schema/routes.ts';
import { type DashboardUnderTest, dashboardUnderTest, type TestBrowser } from './dashboard-under-test.ts';

/**
 * Tests permissions over HTTP: requests every action of the dashboard and every API route in every role, as a stranger, and without a
 * session.
 */

let dashboard: DashboardUnderTest;
const browsers = new Map<Role | 'stranger' | 'nobody', TestBrowser>();

beforeAll(async () => {
  dashboard = await dashboardUnderTest();
  for (const role of ROLES) browsers.set(role, await dashboard.signedIn(role));
  browsers.set('nobody', dashboard.browser());
  browsers.set('stranger', await strangerOf(dashboard));
});

afterAll(() => dashboard[Symbol.asyncDispose]());

function as(who: Role | 'stranger' | 'nobody'): TestBrowser {
  const browser = browsers.get(who);
  if (browser === undefined) throw new Error(`there is no browser of ${who}`);
  return browser;
}

/** Signs in a person who is a member of another account only. */
async function strangerOf(of: DashboardUnderTest): Promise<TestBrowser> {
  const { account } = await openAccount(of.context, 'test', { name: 'Other' });
  await inviteMember(of.context, 'test', account.id, { mail: 'eve@example.com', role: 'owner' });
  const browser = of.browser();
  const [, token] = (await createSignInLink(of.context, 'test', 'eve@example.com')).split('#');
  await browser.send('POST /sign-in/links/use', { token });
  return browser;
}

interface Asked {
  name: string;
  permission: Permission;
  call: (ids: { account: string; app: string }) => string;
  body?: unknown;
}

/** A request for each action. The input is valid enough for the check of permissions, and refers to nothing that exists. */
const ACT_REQUESTS: Record<keyof typeof ACTS, Pick<Asked, 'call' | 'body'>> = {
  read_account: { call: ({ account }) => `GET /accounts/${account}` },
  read_members: { call: ({ account }) => `GET /accounts/${account}/members` },
  read_audit: { call: ({ account }) => `GET /accounts/${account}/audit` },
  read_overview: { call: ({ app }) => `GET /apps/${app}/overview` },
  read_connect_preview: { call: ({ app }) => `GET /apps/${app}/connect-preview/dom_0` },
  read_origin_probes: { call: ({ app }) => `GET /apps/${app}/origin-probes` },
  read_billing: { call: ({ account }) => `GET /accounts/${account}/billing` },
  sync_billing: { call: ({ account }) => `POST /accounts/${account}/billing/sync`, body: {} },
  change_billing: {
    call: ({ account }) => `POST /accounts/${account}/billing/plan`,
    body: { plan: 'growth' },
  },
  rename_account: { call: ({ account }) => `PATCH /accounts/${account}`, body: { name: 'Acme' } },
  create_app: { call: ({ account }) => `POST /accounts/${account}/apps`, body: { name: 'Shop' } },
  invite_member: { call: ({ account }) => `POST /accounts/${account}/members`, body: {} },
  change_role: {
    call: ({ account }) => `PATCH /accounts/${account}/members/mem_0`,
    body: { role: 'viewer' },
  },
  remove_member: { call: ({ account }) => `DELETE /accounts/${account}/members/mem_0` },
  leave_account: { call: ({ account }) => `GET /accounts/${account}/members` },
  create_live_key: { call: ({ app }) => `POST /apps/${app}/live/keys`, body: { name: '', mode: 'live' } },
  reveal_secret: { call: ({ app }) => `POST /apps/${app}/signing-secret/reveal`, body: {} },
  send_test_event: { call: ({ app }) => `POST /apps/${app}/test-event`, body: {} },
};

const ASKED: Asked[] = [
  ...Object.entries(ACTS).map(([name, permission]) => ({
    name,
    permission,
    ...ACT_REQUESTS[name as keyof typeof ACTS],
  })),
  ...Object.entries(ROUTE_PERMISSIONS).map(([id, permission]): Asked => {
    const { method, path } = ROUTES[id as OperationId];
    const below = path.replace('/v1', '').replace('{id}', 'dom_0');
    return {
      name: id,
      permission,
      call: ({ app }) => `${method} /apps/${app}/live${below}`,
      ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
    };
  }),
];

function idsOf() {
  return { account: dashboard.account.account.id, app: dashboard.account.app.id };
}

describe.each(ASKED)(
  'the action of the dashboard "$name" requires its role',
  ({ permission, call, body }) => {
    test.each(ROLES)('is allowed for the role %s exactly as in the table', async (role) => {
      const { status, body: answer } = await as(role).send(call(idsOf()), body);
      const isRefused = status === 403 && answer.error?.code === 'role_required';
      expect(isRefused).toBe(!mayAct(role, permission));
      expect(status).toBeLessThan(500);
    });

    test('gives a stranger the same response as for an account that does not exist', async () => {
      const seen = await as('stranger').send(call(idsOf()), body);
      const missing = await as('stranger').send(call({ account: 'acc_0', app: 'app_0' }), body);
      expect([seen.status, seen.body.error.code]).toEqual([404, 'not_found']);
      expect([missing.status, missing.body]).toEqual([404, seen.body]);
    });

    test('responds with 401 without a session', async () => {
      const { status, body: answer } = await as('nobody').send(call(idsOf()), body);
      expect([status, answer.error.code]).toEqual([401, 'sign_in_required']);
    });
  },
);

test('sensitive actions of the dashboard require a sign-in within the last ten minutes, and other actions do not', async () => {
  await using own = await dashboardUnderTest();
  const owner = await own.signedIn('owner');
  await own.composition.time.advance({ by_ms: 10 * 60_000 });
  const ids = { account: own.account.account.id, app: own.account.app.id };
  for (const { name, permission, call, body } of ASKED) {
    const { status, body: answer } = await owner.send(call(ids), body);
    const isRefused = status === 403 && answer.error?.code === 'sign_in_again';
    expect([name, isRefused]).toEqual([name, permission.recent === true]);
  }
});

test('a suspended account can read, reveal its secret and change its members, but nothing else', async () => {
  await using own = await dashboardUnderTest();
  const owner = await own.signedIn('owner');
  const { account, app } = own.account;
  await changeAccount(own.context, 'test', account.id, { suspended: true });
  const refused: string[] = [];
  for (const { name, call, body } of ASKED) {
    const { body: answer } = await owner.send(call({ account: account.id, app: app.id }), body);
    if (answer.error?.code === 'account_suspended') refused.push(name);
  }
  expect(refused).toEqual([
    'rename_account',
    'create_app',
    'create_live_key',
    'send_test_event',
    'updateApp',
    'rotateSigningSecret',
    'createKey',
    'revokeKey',
    'createDomain',
    'updateDomain',
    'deleteDomain',
    'verifyDomain',
    'redeliverEvent',
  ]);
});

test("an operator can read every account but change none, and the account's audit log shows each visit", async () => {
  await using own = await dashboardUnderTest({ operators: ['ops@example.net'] });
  const { account, app } = own.account;
  const ops = own.browser();
  const [, token] = (await createSignInLink(own.context, 'test', 'ops@example.net')).split('#');
  const { body } = await ops.send('POST /sign-in/links/use', { token });
  expect(body.accounts).toContainEqual({ id: account.id, name: 'Acme', role: 'viewer' });
  for (const { name, permission, call, body: input } of ASKED) {
    const { body: answer } = await ops.send(call({ account: account.id, app: app.id }), input);
    expect([name, answer.error?.code === 'role_required']).toEqual([name, permission.role !== 'viewer']);
  }
  const looks = async () => (await own.audit()).filter(({ action }) => action === 'operator.look');
  expect(await looks()).toMatchObject([{ actor: 'ops@example.net' }]);
  await own.composition.time.advance({ by_ms: 10 * 60_000 });
  await ops.send(`GET /accounts/${account.id}`);
  expect(await looks()).toHaveLength(2);
});
