import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROVIDER_PATH } from '../../shared/dashboard/provider-page.ts';
import { launchChromium } from '../connect/chromium.ts';
import { dashboardUnderTest, type TestBrowser } from './dashboard-under-test.ts';
import { atIssuer, begin, dashboardWithIssuer, headlineOf, signInAtIssuer } from './provider-visitor.ts';

const MINUTE_MS = 60_000;

let chromium: Browser | null;

beforeAll(async () => {
  chromium = await launchChromium();
});

afterAll(() => chromium?.close());

const sessionOf = async (browser: TestBrowser) => (await browser.send('GET /session')).body;

test.each([true, false])(
  'a person signs in with the address that the identity provider confirms; the address is in the ID token: %s',
  async (hasClaimsInIdToken) => {
    await using under = await dashboardWithIssuer({}, { hasClaimsInIdToken });
    const { dashboard, issuer } = under;
    await dashboard.signedIn('owner', 'ada@example.com');
    issuer.person.mail = 'Ada@Example.com';
    const browser = dashboard.browser();
    expect((await sessionOf(browser)).sign_in.oidc).toEqual({ name: 'Acme ID' });
    const { status, headers } = await signInAtIssuer(browser, '/dashboard/app_1/live');
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/app_1/live']);
    expect(headers.get('cache-control')).toBe('no-store');
    const session = await sessionOf(browser);
    expect(session).toMatchObject({ mail: 'ada@example.com', is_recent: true });
    expect(session.accounts).toMatchObject([{ name: 'Acme', role: 'owner' }]);
    expect(browser.cookies.has('__Host-sign-in')).toBe(false);
    const [last] = await dashboard.audit();
    expect([last?.actor, last?.action]).toEqual(['ada@example.com', 'member.sign_in']);
  },
);

test('the dashboard requests the code with PKCE, state and nonce, and reads the discovery document once', async () => {
  await using under = await dashboardWithIssuer({ signUp: 'open' });
  const { dashboard, issuer } = under;
  const [one, two] = [dashboard.browser(), dashboard.browser()];
  const urls = await Promise.all([begin(one), begin(two)]);
  for (const url of urls) {
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      redirect_uri: `${dashboard.url}${PROVIDER_PATH}/callback`,
    });
    expect(url.searchParams.get('max_age')).toBe(String(30 * 24 * 3600));
  }
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const values = new Set(urls.map((url) => url.searchParams.get(name)));
    expect([name, values.size, values.has(null)]).toEqual([name, 2, false]);
  }
  expect(issuer.asked).toEqual(['/.well-known/openid-configuration']);
});

test('the sign-in cookie is sent with a request from another site in a real browser, while the session cookie is not', async (t) => {
  await using under = await dashboardWithIssuer({ signUp: 'open' }, { host: 'localhost' });
  const { dashboard } = under;
  if (chromium === null) return t.skip();
  const context = await chromium.newContext();
  const page = await context.newPage();
  await page.goto(`${dashboard.url}/dashboard`);
  // Navigates from the page, like a click on the sign-in page. The issuer at 127.0.0.1 is another site than localhost.
  await page.evaluate(`location.href = '${PROVIDER_PATH}?next=/dashboard/you'`);
  await page.waitForURL(`${dashboard.url}/dashboard/you`);
  const session = await page.evaluate('fetch("/dashboard/api/session").then((each) => each.json())');
  expect(session).toMatchObject({ mail: 'ada@example.com', is_recent: true });
  const cookies = await context.cookies(dashboard.url);
  expect(cookies.map(({ name, sameSite }) => [name, sameSite])).toEqual([
    ['__Host-session', 'Strict'],
    ['__Host-known', 'Strict'],
  ]);
  await context.close();
});

test("a new sign-in replaces the browser's session, although the callback comes without the session cookie", async () => {
  await using under = await dashboardWithIssuer();
  const { dashboard } = under;
  const browser = await dashboard.signedIn('owner', 'ada@example.com');
  const before = browser.cookies.get('__Host-session') ?? '';
  const authorization = await begin(browser);
  expect(authorization.searchParams.get('max_age')).toBe('600');
  const callback = await atIssuer(authorization);
  browser.cookies.delete('__Host-session');
  expect((await browser.open(callback)).status).toBe(303);
  expect((await browser.send('GET /sessions')).body.data).toHaveLength(1);
  const thief = dashboard.browser();
  thief.cookies.set('__Host-session', before);
  expect((await sessionOf(thief)).mail).toBeNull();
});

test.each([true, false])(
  'a sign-in at the provider an hour ago is not recent for the dashboard; the client requires auth_time: %s',
  async (requiresAuthTime) => {
    await using under = await dashboardWithIssuer({}, { requiresAuthTime });
    const { dashboard, issuer } = under;
    const owner = await dashboard.signedIn('owner', 'ada@example.com');
    issuer.person.signedInAtS = Math.floor(Date.now() / 1000) - 3600;
    const browser = dashboard.browser();
    expect((await signInAtIssuer(browser)).status).toBe(303);
    expect(await sessionOf(browser)).toMatchObject({ mail: 'ada@example.com', is_recent: false });
    expect((await owner.send('GET /sessions')).body.data).toHaveLength(2);
    const invited = await browser.send(`POST /accounts/${dashboard.account.account.id}/members`, {
      mail: 'eve@example.net',
      role: 'owner',
    });
    expect([invited.status, invited.body.error.code]).toEqual([403, 'sign_in_again']);
  },
);

test('a person without an account can sign in with the identity provider only if sign-up is open', async () => {
  for (const signUp of ['invite', 'open'] as const) {
    await using under = await dashboardWithIssuer({ signUp });
    const browser = under.dashboard.browser();
    const ended = await signInAtIssuer(browser);
    const { mail, accounts } = await sessionOf(browser);
    if (signUp === 'open') expect([ended.status, mail, accounts]).toEqual([303, 'ada@example.com', []]);
    else {
      expect([ended.status, headlineOf(ended)]).toEqual([403, 'You do not belong to an account']);
      expect(mail).toBeNull();
    }
  }
});

test('an operator without an account can sign in with the identity provider', async () => {
  await using under = await dashboardWithIssuer({ operators: ['ada@example.com'] });
  const browser = under.dashboard.browser();
  expect((await signInAtIssuer(browser)).status).toBe(303);
  expect(await sessionOf(browser)).toMatchObject({ mail: 'ada@example.com', is_recent: true });
  expect((await browser.send(`GET /accounts/${under.dashboard.account.account.id}`)).status).toBe(200);
});

test('an invited person signs in with the identity provider, and joins the account by opening it', async () => {
  await using under = await dashboardWithIssuer();
  const { dashboard, issuer } = under;
  const owner = await dashboard.signedIn('owner');
  const path = `/accounts/${dashboard.account.account.id}/members`;
  await owner.send(`POST ${path}`, { mail: 'bob@example.org', role: 'viewer' });
  issuer.person.mail = 'bob@example.org';
  const browser = dashboard.browser();
  expect((await signInAtIssuer(browser)).status).toBe(303);
  await browser.send(`GET /accounts/${dashboard.account.account.id}`);
  const { data } = (await owner.send(`GET ${path}`)).body;
  expect(data.find((each: { mail: string }) => each.mail === 'bob@example.org').joined_at).not.toBeNull();
});

test('sign-ins with the identity provider are limited for each network', async () => {
  await using under = await dashboardWithIssuer();
  const browser = under.dashboard.browser();
  for (let count = 0; count < 300; count++) await begin(browser);
  const limited = await browser.open(PROVIDER_PATH);
  expect([limited.status, headlineOf(limited)]).toEqual([429, 'Too many sign-ins']);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  await under.dashboard.composition.time.advance({ by_ms: 60 * MINUTE_MS });
  expect((await browser.open(PROVIDER_PATH)).status).toBe(303);
});

test('without an identity provider, the dashboard has neither its button nor its redirect', async () => {
  await using dashboard = await dashboardUnderTest();
  const browser = dashboard.browser();
  expect((await sessionOf(browser)).sign_in.oidc).toBeNull();
  expect((await browser.open(PROVIDER_PATH)).headers.get('location')).toBeNull();
});
