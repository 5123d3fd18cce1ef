import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { atIssuer, begin, dashboardWithIssuer, headlineOf, signInAtIssuer } from './provider-visitor.ts';

const MINUTE_MS = 60_000;
const EXPIRED = [410, 'This sign-in has expired'];
const UNVERIFIED = [403, 'The sign-in failed'];

test('a callback from the identity provider works once, for 15 minutes, and only in the browser that began the sign-in', async () => {
  await using under = await dashboardWithIssuer({ signUp: 'open' });
  const { dashboard } = under;
  const [home, away, late] = [dashboard.browser(), dashboard.browser(), dashboard.browser()];
  await begin(away);
  const callback = await atIssuer(await begin(home));
  for (const browser of [away, dashboard.browser()]) {
    const refused = await browser.open(callback);
    expect([refused.status, headlineOf(refused)]).toEqual(EXPIRED);
  }
  const cookies = new Map(home.cookies);
  expect((await home.open(callback)).status).toBe(303);
  for (const [name, value] of cookies) away.cookies.set(name, value);
  const replayed = await away.open(callback);
  expect([replayed.status, headlineOf(replayed)]).toEqual(EXPIRED);
  const old = await atIssuer(await begin(late));
  await dashboard.composition.time.advance({ by_ms: 15 * MINUTE_MS });
  const tooLate = await late.open(old);
  expect([tooLate.status, headlineOf(tooLate)]).toEqual(EXPIRED);
});

test('a callback from the identity provider with a wrong or missing state is refused', async () => {
  await using under = await dashboardWithIssuer({ signUp: 'open' });
  const browser = under.dashboard.browser();
  const callback = await atIssuer(await begin(browser));
  for (const change of [
    (query: URLSearchParams) => query.set('state', 'x'.repeat(43)),
    (query: URLSearchParams) => query.delete('state'),
  ]) {
    const url = new URL(callback, under.dashboard.url);
    change(url.searchParams);
    const refused = await browser.open(`${url.pathname}${url.search}`);
    expect([refused.status, headlineOf(refused)]).toEqual(EXPIRED);
  }
  expect(under.issuer.asked).not.toContain('/token');
  expect((await browser.open(callback)).status).toBe(303);
});

test('a code of another sign-in at the identity provider is refused, used or unused', async () => {
  await using under = await dashboardWithIssuer({ signUp: 'open' });
  const { dashboard } = under;
  const [eve, ada] = [dashboard.browser(), dashboard.browser()];
  const own = await atIssuer(await begin(eve));
  const used = await atIssuer(await begin(eve));
  expect((await eve.open(used)).status).toBe(303);
  for (const foreign of [own, used]) {
    const callback = new URL(await atIssuer(await begin(ada)), dashboard.url);
    const code = new URL(foreign, dashboard.url).searchParams.get('code') ?? '';
    callback.searchParams.set('code', code);
    const refused = await ada.open(`${callback.pathname}${callback.search}`);
    expect([refused.status, headlineOf(refused)]).toEqual(UNVERIFIED);
    expect((await ada.send('GET /session')).body.mail).toBeNull();
  }
  expect(dashboard.reasons).toEqual([
    expect.stringMatching('invalid_grant'),
    expect.stringMatching('invalid_grant'),
  ]);
});

test.each([
  ['ada@example.com', false, 'Your email address is not verified'],
  ['ada@evil.example', true, 'Your email address is not allowed'],
  ['ada@sub.example.com', true, 'Your email address is not allowed'],
  ['ada@example.com@evil.example', true, 'Your email address is not verified'],
  ['ada@example.com, eve@evil.example', true, 'Your email address is not verified'],
  ['not an address', true, 'Your email address is not verified'],
])(
  'a sign-in with the address %s, verified: %s, is refused with "%s"',
  async (mail, isMailVerified, headline) => {
    await using under = await dashboardWithIssuer({ signUp: 'open' });
    const { dashboard, issuer } = under;
    Object.assign(issuer.person, { mail, isMailVerified });
    const browser = dashboard.browser();
    const refused = await signInAtIssuer(browser, '/dashboard/app_1');
    expect([refused.status, headlineOf(refused)]).toEqual([403, headline]);
    expect(refused.body).toContain('href="/dashboard/sign-in/oidc?next=%2Fdashboard%2Fapp_1"');
    expect((await browser.send('GET /session')).body.mail).toBeNull();
  },
);

const KEYS = { own: newKey(), foreign: newKey() };
interface Token {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  key: keyof typeof KEYS;
}
/** Each ID token's fault, and the reason in the log; null for a token that is accepted. */
const TOKENS: [name: string, change: (token: Token) => void, reason: RegExp | null][] = [
  ['nothing wrong', () => undefined, null],
  ['no time of the sign-in', ({ claims }) => delete claims['auth_time'], null],
  ['another nonce', ({ claims }) => Object.assign(claims, { nonce: 'other' }), /nonce/],
  ['no nonce', ({ claims }) => delete claims['nonce'], /nonce/],
  ['another audience', ({ claims }) => Object.assign(claims, { aud: 'other' }), /aud/],
  ['another issuer', ({ claims }) => Object.assign(claims, { iss: 'https://evil.example' }), /iss/],
  ['an end in the past', ({ claims }) => Object.assign(claims, { exp: 1_700_000_000 }), /exp/],
  ['the signature of another key', (token) => Object.assign(token, { key: 'foreign' }), /signature/],
  ['no signature', ({ header }) => Object.assign(header, { alg: 'none' }), /alg/],
  [
    'email_verified as text',
    ({ claims }) => Object.assign(claims, { email_verified: 'true' }),
    /not verified/,
  ],
];

test.each(TOKENS)(
  'an ID token with %s is accepted or refused for the expected reason',
  async (_, change, reason) => {
    await using under = await dashboardWithIssuer({ signUp: 'open' });
    const { dashboard, issuer } = under;
    const browser = dashboard.browser();
    const authorization = await begin(browser);
    const callback = await atIssuer(authorization);
    const now = Math.floor(Date.now() / 1000);
    const token: Token = {
      header: { alg: 'RS256', kid: 'own' },
      claims: {
        iss: issuer.settings.issuer,
        aud: issuer.settings.clientId,
        sub: 'ada',
        nonce: authorization.searchParams.get('nonce'),
        iat: now,
        exp: now + 600,
        auth_time: now,
        email: 'ada@example.com',
        email_verified: true,
      },
      key: 'own',
    };
    change(token);
    issuer.intercept = (req, res) => {
      const bodies: Record<string, unknown> = {
        '/token': { access_token: 'a', token_type: 'Bearer', id_token: signed(token) },
        '/jwks': { keys: [{ ...KEYS.own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256' }] },
      };
      const body = bodies[req.url ?? ''];
      if (body !== undefined) res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      return body !== undefined;
    };
    const { status } = await browser.open(callback);
    const { mail, is_recent } = (await browser.send('GET /session')).body;
    expect([status, mail]).toEqual(reason === null ? [303, 'ada@example.com'] : [403, null]);
    // The provider confirms the person without a time, so the sign-in may be days old.
    const statesTime = token.claims['auth_time'] !== undefined;
    expect(is_recent).toBe(reason === null && statesTime);
    expect(dashboard.reasons).toEqual(reason === null ? [] : [expect.stringMatching(reason)]);
  },
);

test('the page after a sign-in with the identity provider is always a page of the dashboard', async () => {
  await using under = await dashboardWithIssuer({ signUp: 'open' });
  for (const next of ['//evil.example', 'https://evil.example/dashboard', '/dashboard\\@evil.example']) {
    const { headers } = await signInAtIssuer(under.dashboard.browser(), next);
    expect([next, headers.get('location')]).toEqual([next, '/dashboard']);
  }
});

test('the page of a refused sign-in shows no text from the URL', async () => {
  await using under = await dashboardWithIssuer();
  const browser = under.dashboard.browser();
  const callback = new URL(await atIssuer(await begin(browser)), under.dashboard.url);
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');
  callback.searchParams.set('error_description', '<script>alert(1)</script>');
  const refused = await browser.open(`${callback.pathname}${callback.search}`);
  expect([refused.status, headlineOf(refused)]).toEqual([403, 'You are not signed in']);
  expect(refused.body).not.toContain('alert(1)');
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'");
});

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function signed({ header, claims, key }: Token): string {
  const parts = [header, claims].map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'));
  const text = parts.join('.');
  if (header['alg'] === 'none') return `${text}.`;
  return `${text}.${sign('sha256', Buffer.from(text), KEYS[key].privateKey).toString('base64url')}`;
}
