import { expect, test } from 'vitest';
import { createSignInLink, requestSignInLink } from '../../shared/operations/members/sign-in.ts';
import { dashboardUnderTest, type TestBrowser } from './dashboard-under-test.ts';

const MINUTE_MS = 60_000;

test('a browser without a session learns how to sign in, and nothing else', async () => {
  await using dashboard = await dashboardUnderTest();
  const { status, body } = await dashboard.browser().send('GET /session');
  expect(status).toBe(200);
  expect(body).toMatchObject({ mail: null, accounts: [], open: false, sign_in: { link: true } });
  const { account } = dashboard.account;
  for (const call of [`GET /accounts/${account.id}`, 'GET /sessions', `GET /accounts/${account.id}/audit`]) {
    const refused = await dashboard.browser().send(call);
    expect([call, refused.status, refused.body.error.code]).toEqual([call, 401, 'sign_in_required']);
  }
});

test('the link in the sign-in mail works once, in the browser that requested it', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  const browser = dashboard.browser();
  expect((await browser.send('POST /sign-in/links', { mail: ' Ada@Example.com ' })).status).toBe(202);
  const token = await mailedToken(dashboard);
  const { status, body } = await browser.send('POST /sign-in/links/use', { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({ mail: 'ada@example.com', is_recent: true, next: '/dashboard' });
  expect(body.accounts).toMatchObject([{ name: 'Acme', role: 'owner' }]);
  expect((await browser.send('GET /session')).body.mail).toBe('ada@example.com');
  expect(await useLink(browser, token)).toEqual([410, 'link_invalid']);
});

test('a sign-in link that is forwarded to another browser does not work there, but still works in the first browser', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  const [home, away, curious] = [dashboard.browser(), dashboard.browser(), dashboard.browser()];
  await home.send('POST /sign-in/links', { mail: 'ada@example.com' });
  const token = await mailedToken(dashboard);
  await curious.send('POST /sign-in/links', { mail: 'eve@example.com' });
  expect(await useLink(away, token)).toEqual([410, 'link_invalid']);
  expect(await useLink(curious, token)).toEqual([410, 'link_invalid']);
  expect((await home.send('POST /sign-in/links/use', { token })).status).toBe(200);
});

test('a sign-in link works for 15 minutes', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  const [early, late] = [dashboard.browser(), dashboard.browser()];
  const tokenOf = async () =>
    (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#')[1] ?? '';
  const [first, second] = [await tokenOf(), await tokenOf()];
  await dashboard.composition.time.advance({ by_ms: 15 * MINUTE_MS - 1000 });
  expect((await early.send('POST /sign-in/links/use', { token: first })).status).toBe(200);
  await dashboard.composition.time.advance({ by_ms: 1000 });
  expect(await useLink(late, second)).toEqual([410, 'link_invalid']);
});

test('the response to a sign-in request does not reveal whether an address belongs to a member', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  const [known, unknown] = [dashboard.browser(), dashboard.browser()];
  const before = (await dashboard.mails()).length;
  const answers = [
    await known.send('POST /sign-in/links', { mail: 'ada@example.com' }),
    await unknown.send('POST /sign-in/links', { mail: 'eve@example.com' }),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [202, {}],
    [202, {}],
  ]);
  expect(answers.map(({ headers }) => [...headers.keys()])[0]).toEqual([
    ...(answers[1]?.headers.keys() ?? []),
  ]);
  const mails = await dashboard.mails();
  expect(mails.slice(0, mails.length - before).map(({ to }) => to)).toEqual(['ada@example.com']);
});

test('with open sign-up, anyone can sign in and create an account', async () => {
  await using dashboard = await dashboardUnderTest({ signUp: 'open' });
  const browser = dashboard.browser();
  await browser.send('POST /sign-in/links', { mail: 'new@example.com' });
  expect((await useLink(browser, await mailedToken(dashboard)))[0]).toBe(200);
  expect((await browser.send('GET /session')).body.accounts).toEqual([]);
  const created = await browser.send('POST /accounts', { name: 'Newcomer' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ name: 'Newcomer', role: 'owner', plan: 'free', on_trial: true });
  expect(created.body.test_key).toMatch(/^sk_test_/);
  expect(created.body.apps).toMatchObject([{ name: 'Newcomer' }]);
});

test('with sign-up by invitation, a member cannot create another account', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { status, body } = await owner.send('POST /accounts', { name: 'Second' });
  expect([status, body.error.code]).toEqual([403, 'forbidden']);
});

test('requests for sign-in links are limited for each address in a network, and for each network', async () => {
  await using dashboard = await dashboardUnderTest();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) {
    const { status } = await dashboard.browser().send('POST /sign-in/links', { mail: 'ada@example.com' });
    statuses.push(status);
  }
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  // The refused request also counts towards the limit of the network.
  for (let count = 0; count < 294; count++) {
    const mail = `user${count}@example.com`;
    expect((await dashboard.browser().send('POST /sign-in/links', { mail })).status).toBe(202);
  }
  const refused = await dashboard.browser().send('POST /sign-in/links', { mail: 'last@example.com' });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  await dashboard.composition.time.advance({ by_ms: 60 * MINUTE_MS });
  expect((await dashboard.browser().send('POST /sign-in/links', { mail: 'ada@example.com' })).status).toBe(
    202,
  );
});

test('if strangers use up the sign-in links to an address, each further network can still request one link', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  const before = (await dashboard.mails()).length;
  const sent = async () => (await dashboard.mails()).length - before;
  const request = (network: string) =>
    requestSignInLink(dashboard.context, {
      mail: 'ada@example.com',
      next: undefined,
      browserToken: 'browser',
      knownToken: null,
      network,
    });
  for (let count = 0; count < 20; count++) await request(`network ${count % 4}`);
  await expect(request('network 0')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await sent()).toBe(20);
  await request('home');
  expect(await sent()).toBe(21);
  await request('home');
  expect(await sent()).toBe(21);
  await dashboard.composition.time.advance({ by_ms: 60 * MINUTE_MS });
  await request('network 0');
  expect(await sent()).toBe(22);
});

test('a person whose sign-in links are used up by 120 networks still gets links in a browser used before', async () => {
  await using dashboard = await dashboardUnderTest();
  const laptop = await dashboard.signedIn('owner', 'ada@example.com');
  const before = (await dashboard.mails()).length;
  for (let count = 0; count < 125; count++) {
    const attacker = {
      next: undefined,
      browserToken: 'browser',
      knownToken: null,
      network: `network ${count}`,
    };
    await requestSignInLink(dashboard.context, { mail: 'ada@example.com', ...attacker });
  }
  expect((await dashboard.mails()).length - before).toBe(120);
  const send = (browser: TestBrowser, mail: string) => browser.send('POST /sign-in/links', { mail });
  // A new browser and a browser with a forged cookie get the same response, but no mail.
  const stranger = dashboard.browser();
  stranger.cookies.set('__Host-known', 'k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
  expect((await send(stranger, 'ada@example.com')).status).toBe(202);
  expect((await dashboard.mails()).length - before).toBe(120);
  await laptop.send('DELETE /session');
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await send(laptop, 'ada@example.com')).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  expect((await dashboard.mails()).length - before).toBe(125);
});

test("a sign-in replaces the browser's session, so a cookie that an attacker planted is useless", async () => {
  await using dashboard = await dashboardUnderTest();
  const browser = await dashboard.signedIn('owner', 'ada@example.com');
  const planted = new Map(browser.cookies);
  const [, token] = (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#');
  expect((await browser.send('POST /sign-in/links/use', { token })).status).toBe(200);
  expect(browser.cookies.get('__Host-session')).not.toBe(planted.get('__Host-session'));
  const thief = dashboard.browser();
  for (const [name, value] of planted) thief.cookies.set(name, value);
  expect((await thief.send('GET /session')).body.mail).toBeNull();
});

test('the session cookie is host-only, cannot be read by scripts, and is never sent across sites', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  const [, token] = (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#');
  const { headers } = await dashboard.browser().send('POST /sign-in/links/use', { token });
  const [cookie = ''] = headers.getSetCookie();
  expect(cookie).toMatch(
    /^__Host-session=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a change in the dashboard that another site requests is refused, even with the cookie', async () => {
  await using dashboard = await dashboardUnderTest();
  const owner = await dashboard.signedIn('owner');
  const { id } = dashboard.account.account;
  for (const origin of ['https://evil.example', 'null', `${dashboard.url}.evil.example`]) {
    const { status, body } = await owner.send(`PATCH /accounts/${id}`, { name: 'Stolen' }, { origin });
    expect([origin, status, body.error.code]).toEqual([origin, 403, 'foreign_origin']);
  }
  expect((await owner.send(`GET /accounts/${id}`)).body.name).toBe('Acme');
});

test('the dashboard lists the sessions of a person, and can end a session on every node immediately', async () => {
  await using dashboard = await dashboardUnderTest();
  const laptop = await dashboard.signedIn('owner', 'ada@example.com');
  const [, token] = (await createSignInLink(dashboard.context, 'test', 'ada@example.com')).split('#');
  const phone = dashboard.browser();
  await phone.send('POST /sign-in/links/use', { token }, { 'user-agent': 'Phone' });
  const { data } = (await laptop.send('GET /sessions')).body;
  expect(data).toHaveLength(2);
  const other = data.find((each: { is_current: boolean }) => !each.is_current);
  expect(other.user_agent).toBe('Phone');
  expect((await laptop.send(`DELETE /sessions/${other.id}`)).status).toBe(204);
  expect((await phone.send('GET /sessions')).status).toBe(401);
  expect((await laptop.send('DELETE /session')).status).toBe(204);
  expect((await laptop.send('GET /session')).body.mail).toBeNull();
});

test('another person cannot end a session', async () => {
  await using dashboard = await dashboardUnderTest();
  const ada = await dashboard.signedIn('owner', 'ada@example.com');
  const eve = await dashboard.signedIn('viewer', 'eve@example.com');
  const [{ id }] = (await ada.send('GET /sessions')).body.data;
  expect((await eve.send(`DELETE /sessions/${id}`)).status).toBe(404);
  expect((await ada.send('GET /session')).body.mail).toBe('ada@example.com');
});

test('a dashboard session ends after a week without use, and a month after the sign-in', async () => {
  await using dashboard = await dashboardUnderTest();
  const DAY_MS = 24 * 60 * MINUTE_MS;
  const idle = await dashboard.signedIn('owner', 'idle@example.com');
  const busy = await dashboard.signedIn('owner', 'busy@example.com');
  const mailOf = async (browser: TestBrowser) => (await browser.send('GET /session')).body.mail;
  for (let day = 0; day < 29; day += 1) {
    await dashboard.composition.time.advance({ by_ms: DAY_MS });
    expect(await mailOf(busy)).toBe('busy@example.com');
  }
  expect(await mailOf(idle)).toBeNull();
  await dashboard.composition.time.advance({ by_ms: DAY_MS });
  expect(await mailOf(busy)).toBeNull();
});

test('a sign-in link from the operator works in any browser, but only for a member', async () => {
  await using dashboard = await dashboardUnderTest();
  await expect(createSignInLink(dashboard.context, 'ops', 'eve@example.com')).rejects.toThrow(
    'No account has the member',
  );
  await dashboard.signedIn('owner', 'ada@example.com');
  const actions = (await dashboard.audit()).map(({ actor, action }) => `${actor} ${action}`);
  expect(actions).toEqual(
    expect.arrayContaining(['test member.sign_in_link', 'ada@example.com member.join']),
  );
});

test('the page after a sign-in by link is always a page of the dashboard', async () => {
  await using dashboard = await dashboardUnderTest();
  await dashboard.signedIn('owner', 'ada@example.com');
  for (const [next, expected] of [
    ['/dashboard/app_1/live/domains', '/dashboard/app_1/live/domains'],
    ['//evil.example', '/dashboard'],
    ['https://evil.example/dashboard', '/dashboard'],
    ['/dashboard\\@evil.example', '/dashboard'],
  ]) {
    const browser = dashboard.browser();
    await dashboard.composition.time.advance({ by_ms: 60 * MINUTE_MS });
    await browser.send('POST /sign-in/links', { mail: 'ada@example.com', next });
    const { body } = await browser.send('POST /sign-in/links/use', { token: await mailedToken(dashboard) });
    expect([next, body.next]).toEqual([next, expected]);
  }
});

async function mailedToken(dashboard: { mails(): Promise<{ text: string }[]> }): Promise<string> {
  const [mail] = await dashboard.mails();
  return /\/dashboard\/sign-in#([\w-]{43})\n/.exec(mail?.text ?? '')?.[1] ?? 'no link';
}

async function useLink(browser: TestBrowser, token: string): Promise<[number, string | undefined]> {
  const { status, body } = await browser.send('POST /sign-in/links/use', { token });
  return [status, body.error?.code];
}
