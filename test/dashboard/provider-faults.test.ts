import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { PROVIDER_PATH } from '../../shared/dashboard/provider-page.ts';
import { atIssuer, begin, dashboardWithIssuer, headlineOf } from './provider-visitor.ts';

const DOWN = [503, 'Acme ID does not respond', '10'];
const DISCOVERY = '/.well-known/openid-configuration';

/** The ways in which a provider fails. A test of a slow provider takes as long as the timeout of a request. */
const FAULTS: Record<string, (res: ServerResponse) => void> = {
  'ends the connection': (res) => res.destroy(),
  'responds 500': (res) => res.writeHead(500).end('broken'),
  'responds with HTML': (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Login</h1>'),
  'redirects elsewhere': (res) => res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  'sends a megabyte': (res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(`{"issuer":"${'x'.repeat(2 ** 20)}"}`),
  'never responds': () => undefined,
  'never ends its response': (res) => res.writeHead(200, { 'content-type': 'application/json' }).write('{'),
};

describe.each(Object.entries(FAULTS))('the dashboard survives an identity provider that %s', (_, fail) => {
  test('a sign-in shows a page with "Try again" at its beginning and its end, and works again later', async () => {
    await using under = await dashboardWithIssuer({ signUp: 'open' });
    const { dashboard, issuer } = under;
    const browser = dashboard.browser();
    const failAt = (path: string) => {
      issuer.intercept = (req, res) => {
        if (req.url === path) fail(res);
        return req.url === path;
      };
    };
    failAt(DISCOVERY);
    const atStart = await browser.open(`${PROVIDER_PATH}?next=/dashboard/you`);
    expect([atStart.status, headlineOf(atStart), atStart.headers.get('retry-after')]).toEqual(DOWN);
    expect(atStart.body).toContain(`href="${PROVIDER_PATH}?next=%2Fdashboard%2Fyou">Try again</a>`);
    issuer.intercept = null;
    const callback = await atIssuer(await begin(browser));
    failAt('/token');
    const atEnd = await browser.open(callback);
    expect([atEnd.status, headlineOf(atEnd), atEnd.headers.get('retry-after')]).toEqual(DOWN);
    expect((await browser.send('GET /session')).body.mail).toBeNull();
    issuer.intercept = null;
    expect((await browser.open(await atIssuer(await begin(browser)))).status).toBe(303);
  }, 40_000);
});

test('an identity provider that does not exist is reported as down', async () => {
  await using under = await dashboardWithIssuer();
  await under.issuer[Symbol.asyncDispose]();
  const refused = await under.dashboard.browser().open(PROVIDER_PATH);
  expect([refused.status, headlineOf(refused), refused.headers.get('retry-after')]).toEqual(DOWN);
});

test('visitors who wait for a slow identity provider share one request', async () => {
  await using under = await dashboardWithIssuer();
  const { dashboard, issuer } = under;
  issuer.intercept = (_req, res) => {
    setTimeout(() => res.destroy(), 300);
    return true;
  };
  const opened = await Promise.all(Array.from({ length: 5 }, () => dashboard.browser().open(PROVIDER_PATH)));
  expect(opened.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(issuer.asked).toEqual([DISCOVERY]);
});

test('a wrong client secret is reported as a fault of the settings, and logged', async () => {
  await using under = await dashboardWithIssuer();
  const { dashboard, issuer } = under;
  const browser = dashboard.browser();
  const callback = await atIssuer(await begin(browser));
  issuer.intercept = (req, res) => {
    if (req.url !== '/token') return false;
    res.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}');
    return true;
  };
  const refused = await browser.open(callback);
  expect([refused.status, headlineOf(refused)]).toEqual([403, 'The sign-in failed']);
  expect(dashboard.reasons).toEqual(['invalid_client']);
});
