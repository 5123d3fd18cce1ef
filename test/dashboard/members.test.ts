import { expect, test } from 'vitest';
import type { AccountId } from '../../shared/core/ids.ts';
import { DAY_MS } from '../../shared/core/instant.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../shared/operations/members/sign-in.ts';
import { openAccount } from '../../shared/operations/operator/accounts.ts';
import { listAudit } from '../../shared/store/accounts/audit-log.ts';
import { insertMember, listMembers } from '../../shared/store/accounts/members.ts';
import { autocommit } from '../../shared/store/store.ts';
import { dashboardUnderTest } from './dashboard-under-test.ts';

const membersOf = (account: string) => `/accounts/${account}/members`;

test('an invited person gets a mail without a secret, signs in with a link of their own, and joins the account', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  const { status, body } = await owner.send(`POST ${membersOf(id)}`, {
    mail: 'Grace@Example.com',
    role: 'viewer',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ mail: 'grace@example.com', role: 'viewer', joined_at: null, is_you: false });
  const [mail] = await dashboard.mails();
  expect(mail).toMatchObject({ to: 'grace@example.com', unsubscribe_url: null });
  expect(mail?.text).toContain(`${dashboard.url}/dashboard/sign-in\n`);
  expect(mail?.text).not.toContain('#');

  const grace = dashboard.browser();
  await grace.send('POST /sign-in/links', { mail: 'grace@example.com' });
  const token = /#([\w-]{43})/.exec((await dashboard.mails())[0]?.text ?? '')?.[1];
  expect((await grace.send('POST /sign-in/links/use', { token })).body.accounts).toMatchObject([
    { role: 'viewer' },
  ]);
  await grace.send(`GET /accounts/${id}`);
  const { data } = (await owner.send(`GET ${membersOf(id)}`)).body;
  expect(data.find((each: { mail: string }) => each.mail === 'grace@example.com').joined_at).not.toBeNull();
});

test('an account learns nothing about an invited person until that person opens the account', async () => {
  await using dashboard = await dashboardUnderTest({ signUp: 'open' });
  const mallory = await dashboard.signedIn('owner', 'mallory@example.com');
  const { id } = dashboard.account.account;
  const call = `${membersOf(id)}`;
  await mallory.send(`POST ${call}`, { mail: 'ada@example.com', role: 'owner' });
  const ada = dashboard.browser();
  const signIn = async () => {
    const [, token] = (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#');
    return ada.send('POST /sign-in/links/use', { token });
  };
  await signIn();
  const own = (await ada.send('POST /accounts', { name: 'Own' })).body;
  // The dashboard opens the first account of this list, so accounts that the person has joined come before invitations.
  expect((await signIn()).body.accounts.map((each: { name: string }) => each.name)).toEqual(['Own', 'Acme']);
  const actionsOf = async (account: AccountId) =>
    (await listAudit(dashboard.context.store, 100, { subject: account }))
      .filter(({ actor }) => actor === 'ada@example.com')
      .map(({ action }) => action)
      .reverse();
  const joinedAt = async () => {
    const { data } = (await mallory.send(`GET ${call}`)).body;
    return data.find((each: { mail: string }) => each.mail === 'ada@example.com').joined_at;
  };
  expect([await actionsOf(id), await joinedAt()]).toEqual([[], null]);
  expect(await actionsOf(own.id)).toContain('member.sign_in');
  await Promise.all([ada.send(`GET /accounts/${id}`), ada.send(`GET ${call}`)]);
  expect(await joinedAt()).not.toBeNull();
  await signIn();
  expect(await actionsOf(id)).toEqual(['member.join', 'member.sign_in']);
});

test('an invited person joins by opening an app of the account', async () => {
  await using dashboard = await dashboardUnderTest();
  const { account, app } = dashboard.account;
  await inviteMember(dashboard.context, 'test', account.id, { mail: 'ada@example.com', role: 'viewer' });
  const [, token] = (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#');
  const ada = dashboard.browser();
  await ada.send('POST /sign-in/links/use', { token });
  expect((await ada.send(`GET /apps/${app.id}/test/domains`)).status).toBe(200);
  const [member] = await listMembers(dashboard.context.store, account.id);
  expect(member?.joined_at).not.toBeNull();
});

test('invitations do not count towards the number of accounts that a person can create', async () => {
  await using dashboard = await dashboardUnderTest({ signUp: 'open' });
  for (let count = 0; count < 10; count++) {
    const { account } = await openAccount(dashboard.context, 'test', { name: `M${count}` });
    const member = { id: dashboard.context.ids('mem'), mail: 'ada@example.com', role: 'owner' } as const;
    await insertMember(autocommit(dashboard.context.store), {
      ...member,
      account_id: account.id,
      created_at: 0,
      joined_at: null,
    });
  }
  const ada = dashboard.browser();
  const [, token] = (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#');
  await ada.send('POST /sign-in/links/use', { token });
  for (let count = 0; count < 10; count++) {
    expect((await ada.send('POST /accounts', { name: `Own ${count}` })).status).toBe(201);
  }
  const refused = await ada.send('POST /accounts', { name: 'Eleventh' });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'too_many']);
});

test('the name of an account cannot put a link or a second header into an invitation', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  await owner.send(`PATCH /accounts/${id}`, { name: 'Win at http://evil.example/x now' });
  await owner.send(`POST ${membersOf(id)}`, { mail: 'grace@example.com', role: 'viewer' });
  const [mail] = await dashboard.mails();
  expect(mail?.subject).not.toMatch(/[\r\n]|evil\.example/);
  expect(mail?.text).not.toContain('http://evil.example');
});

test('inviting someone again sends the mail again until they have joined', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const call = `POST ${membersOf(dashboard.account.account.id)}`;
  await owner.send(call, { mail: 'grace@example.com', role: 'viewer' });
  const before = (await dashboard.mails()).length;
  expect((await owner.send(call, { mail: 'grace@example.com', role: 'viewer' })).status).toBe(201);
  expect((await dashboard.mails()).length).toBe(before + 1);
  const { status, body } = await owner.send(call, { mail: 'grace@example.com', role: 'owner' });
  expect([status, body.error.code]).toEqual([409, 'already_member']);
  const own = await owner.send(call, { mail: 'owner@example.com', role: 'owner' });
  expect([own.status, own.body.error.code]).toEqual([409, 'already_member']);
});

test('each account can send a limited number of invitations to one address, even if it removes members', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  const grace = { mail: 'grace@example.com', role: 'viewer' } as const;
  const invite = () => owner.send(`POST ${membersOf(id)}`, grace);
  expect([(await invite()).status, (await invite()).status, (await invite()).status]).toEqual([
    201, 201, 201,
  ]);
  await dashboard.mails();
  const refused = await invite();
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 3600);
  const { data } = (await owner.send(`GET ${membersOf(id)}`)).body;
  for (const member of data.filter(({ mail }: { mail: string }) => mail === grace.mail)) {
    await owner.send(`DELETE ${membersOf(id)}/${member.id}`);
  }
  expect((await invite()).status).toBe(429);
  expect((await owner.send(`GET ${membersOf(id)}`)).body.data).toHaveLength(1);
  await dashboard.composition.time.advance({ by_ms: DAY_MS });
  await inviteMember(dashboard.context, 'test', id, grace);
});

test('if many accounts use up the invitations to an address, each other account can still send one invitation', async () => {
  await using dashboard = await dashboardUnderTest();
  const grace = { mail: 'grace@example.com', role: 'viewer' } as const;
  const inviteAs = (id: string) => inviteMember(dashboard.context, 'test', id as AccountId, grace);
  for (let count = 0; count < 4; count++) {
    const { account } = await openAccount(dashboard.context, 'test', { name: `Flood ${count}` });
    for (let mail = 0; mail < 3 && count * 3 + mail < 10; mail++) await inviteAs(account.id);
  }
  const { id } = dashboard.account.account;
  await inviteAs(id);
  await expect(inviteAs(id)).rejects.toMatchObject({ code: 'rate_limited' });
});

test('each account can send a limited number of invitations', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  // The owner's own invitation counts towards the limit too.
  for (let count = 1; count < 50; count++) {
    const { status } = await owner.send(`POST ${membersOf(id)}`, {
      mail: `user${count}@example.com`,
      role: 'viewer',
    });
    expect(status).toBe(201);
  }
  const refused = await owner.send(`POST ${membersOf(id)}`, { mail: 'last@example.com', role: 'viewer' });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  // The refused invitation does not count towards the limit of the invited address.
  const other = await openAccount(dashboard.context, 'test', { name: 'Other' });
  for (let count = 0; count < 3; count++) {
    await inviteMember(dashboard.context, 'test', other.account.id, {
      mail: 'last@example.com',
      role: 'viewer',
    });
  }
});

test('a removed member has no access at the next request, without signing out', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const developer = await dashboard.signedIn('developer');
  const { account, app } = dashboard.account;
  const { data } = (await owner.send(`GET ${membersOf(account.id)}`)).body;
  const { id } = data.find((each: { role: string }) => each.role === 'developer');
  expect((await developer.send(`GET /apps/${app.id}/test/domains`)).status).toBe(200);
  expect((await owner.send(`DELETE ${membersOf(account.id)}/${id}`)).status).toBe(204);
  for (const call of [`GET /accounts/${account.id}`, `GET /apps/${app.id}/test/domains`]) {
    expect((await developer.send(call)).status).toBe(404);
  }
  expect((await developer.send('GET /session')).body).toMatchObject({
    mail: 'developer@example.com',
    accounts: [],
  });
});

test('the changed role of a member applies to the next request', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const developer = await dashboard.signedIn('developer');
  const { account, app } = dashboard.account;
  const { data } = (await owner.send(`GET ${membersOf(account.id)}`)).body;
  const { id } = data.find((each: { role: string }) => each.role === 'developer');
  await owner.send(`PATCH ${membersOf(account.id)}/${id}`, { role: 'viewer' });
  const { status, body } = await developer.send(`POST /apps/${app.id}/test/domains`, {
    hostname: 'a.acme.com',
  });
  expect([status, body.error.code]).toEqual([403, 'role_required']);
});

test('the last owner of an account can neither leave, nor be removed, nor lose the role', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  const [own] = (await owner.send(`GET ${membersOf(id)}`)).body.data;
  for (const [call, body] of [
    [`DELETE ${membersOf(id)}/${own.id}`, undefined],
    [`PATCH ${membersOf(id)}/${own.id}`, { role: 'viewer' }],
  ] as const) {
    const refused = await owner.send(call, body);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'last_owner']);
  }
});

test('if two owners remove each other at the same time, one of them stays', async () => {
  await using dashboard = await dashboardUnderTest();
  const [ada, bea] = [
    await dashboard.signedIn('owner', 'ada@example.com'),
    await dashboard.signedIn('owner', 'bea@example.com'),
  ];
  const { id } = dashboard.account.account;
  const { data } = (await ada.send(`GET ${membersOf(id)}`)).body;
  const idOf = (mail: string) => data.find((each: { mail: string }) => each.mail === mail).id;
  const removed = await Promise.all([
    ada.send(`DELETE ${membersOf(id)}/${idOf('bea@example.com')}`),
    bea.send(`DELETE ${membersOf(id)}/${idOf('ada@example.com')}`),
  ]);
  expect(removed.filter(({ status }) => status === 204)).toHaveLength(1);
});

test('a viewer may leave the account', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner');
  const viewer = await dashboard.signedIn('viewer');
  const { id } = dashboard.account.account;
  const { data } = (await viewer.send(`GET ${membersOf(id)}`)).body;
  const own = data.find((each: { is_you: boolean }) => each.is_you);
  expect((await viewer.send(`DELETE ${membersOf(id)}/${own.id}`)).status).toBe(204);
  expect((await viewer.send(`GET /accounts/${id}`)).status).toBe(404);
});
