import { createIdentityProvider } from '../../service/compose.ts';
import type { Settings } from '../../shared/core/settings.ts';
import { PROVIDER_PATH } from '../../shared/dashboard/provider-page.ts';
import {
  type DashboardUnderTest,
  dashboardUnderTest,
  type Received,
  type TestBrowser,
} from './dashboard-under-test.ts';
import { type OpenIdIssuer, startIssuer } from './openid-issuer.ts';

/** A dashboard at which people can sign in through an OpenID issuer. */
export interface WithIssuer extends AsyncDisposable {
  dashboard: DashboardUnderTest;
  issuer: OpenIdIssuer;
}

export async function dashboardWithIssuer(
  settings: Partial<Settings> = {},
  options: Parameters<typeof startIssuer>[0] & { host?: 'localhost' } = {},
): Promise<WithIssuer> {
  const issuer = await startIssuer(options);
  const note = (fields: Record<string, unknown>) => dashboard.reasons.push(String(fields['reason']));
  const log = { info: note, warn: note, error: console.error };
  const identityProvider = createIdentityProvider(issuer.settings, log);
  const { host = '127.0.0.1' } = options;
  const dashboard: DashboardUnderTest = await dashboardUnderTest(settings, { identityProvider, host });
  issuer.register(`${dashboard.url}${PROVIDER_PATH}/callback`);
  return {
    dashboard,
    issuer,
    async [Symbol.asyncDispose]() {
      await dashboard[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

/** Begins a sign-in. @returns the URL at the issuer to which the dashboard redirects the browser. */
export async function begin(browser: TestBrowser, next = '/dashboard'): Promise<URL> {
  const { status, headers } = await browser.open(`${PROVIDER_PATH}?next=${encodeURIComponent(next)}`);
  if (status !== 303) throw new Error(`the sign-in got ${status}`);
  return new URL(headers.get('location') ?? '');
}

/** Signs in at the issuer, in a browser without cookies of the issuer. @returns the path and query of the callback. */
export async function atIssuer(authorization: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let url = authorization;
  while (url.origin === authorization.origin) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';', 1)[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the issuer responded ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return `${url.pathname}${url.search}`;
}

/** Signs in with the provider, from beginning to end. */
export async function signInAtIssuer(browser: TestBrowser, next?: string): Promise<Received> {
  return browser.open(await atIssuer(await begin(browser, next)));
}

/** Returns the headline of a page. */
export function headlineOf({ body }: Received): string {
  return /<h1>(.*?)<\/h1>/.exec(body)?.[1] ?? 'no headline';
}
