import type { Browser } from 'playwright-core';
import type { DashboardUnderTest, Received, TestBrowser } from './dashboard-under-test.ts';
import { type AuthenticatorPage, openAuthenticator, type PasskeyResponse } from './virtual-authenticator.ts';

/** Browsers offer passkeys at a host name, but not at an IP address. */
export const AT_LOCALHOST = { host: 'localhost' } as const;
export const PASSKEY_REFUSED = [403, 'passkey_refused'];

export interface PasskeyOwner {
  owner: TestBrowser;
  authenticator: AuthenticatorPage;
  /** The response that stored the passkey. */
  added: Received;
}

/** Signs an owner in with a link and adds a passkey. Returns null without Chromium. */
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

/** Begins a sign-in in a browser and signs its challenge. */
export async function signed(
  browser: TestBrowser,
  authenticator: AuthenticatorPage,
  change: object = {},
): Promise<PasskeyResponse> {
  const { body } = await browser.send('POST /sign-in/passkeys/options', {});
  return authenticator.sign({ ...body, ...change });
}

/** Sends the response of a passkey. @returns the status, and the code of the refusal. */
export async function refusal(
  browser: TestBrowser,
  response: unknown,
): Promise<[number, string | undefined]> {
  const { status, body } = await browser.send('POST /sign-in/passkeys', { response });
  return [status, body.error?.code];
}
