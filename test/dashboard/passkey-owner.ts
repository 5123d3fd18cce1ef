import type { Browser } from 'playwright-core';
import type { DashboardUnderTest, Received, TestBrowser } from './dashboard-under-test.ts';
import { type AuthenticatorPage, openAuthenticator, type PasskeyResponse } from './virtual-authenticator.ts';

/** Browsers offer passkeys at `localhost`, but not at an IP address. */
export const AT_LOCALHOST = { host: 'localhost' } as const;
export const PASSKEY_REFUSED = [403, 'passkey_refused'];

export interface PasskeyOwner {
  owner: TestBrowser;
  authenticator: AuthenticatorPage;
  /** The response that stored the passkey. */
  added: Received;
}

/** Signs an owner in with a link, and adds a passkey. Returns null if Chromium is missing. */
export async function withPasskey(
  dashboard: DashboardUnderTest,
  chromium: Browser | null,
): Promise<PasskeyOwner | null> {
  if (chromium === null) return null;
  const owner = await dashboard.signedIn('owner', 'ada@example.com');
  const authenticator = await openAuthenticator(chromium, `${dashboard.url}/dashboard`);
  const added = await addPasskey(owner, authenticator);
  return { owner, authenticator, added };
}

async function addPasskey(browser: TestBrowser, authenticator: AuthenticatorPage): Promise<Received> {
  const options = (await browser.send('POST /passkeys/options', {})).body;
  return browser.send('POST /passkeys', { name: 'Laptop', response: await authenticator.create(options) });
}

/** Begins a sign-in with a passkey in a browser, and signs the challenge. */
export async function signed(
  browser: TestBrowser,
  authenticator: AuthenticatorPage,
  change: object = {},
): Promise<PasskeyResponse> {
  const { body } = await browser.send('POST /sign-in/passkeys/options', {});
  return authenticator.sign({ ...body, ...change });
}

/** Sends a passkey's response to the service. @returns the status, and the error code if the service refuses the response. */
export async function refusal(
  browser: TestBrowser,
  response: unknown,
): Promise<[number, string | undefined]> {
  const { status, body } = await browser.send('POST /sign-in/passkeys', { response });
  return [status, body.error?.code];
}
