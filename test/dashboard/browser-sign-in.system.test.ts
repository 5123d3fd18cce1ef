import { expect, onTestFinished, test } from 'vitest';
import { launchChromium } from '../connect/chromium.ts';
import { dashboardWithIssuer } from './provider-visitor.ts';
import { openAuthenticator } from './virtual-authenticator.ts';

test("a person signs in on the dashboard's pages with the provider, adds a passkey, and signs in with the passkey", async (t) => {
  const chromium = await launchChromium();
  if (chromium === null) return t.skip();
  onTestFinished(() => chromium.close());
  await using under = await dashboardWithIssuer({ signUp: 'open' }, { host: 'localhost' });
  const { dashboard } = under;
  await dashboard.signedIn('owner', 'ada@example.com');
  await using authenticator = await openAuthenticator(chromium, `${dashboard.url}/dashboard/sign-in`);
  const { page } = authenticator;
  await page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  await page.waitForURL((url) => url.origin === dashboard.url && !url.pathname.includes('sign-in'));
  await page.goto(`${dashboard.url}/dashboard/${dashboard.account.app.id}/test/sessions`);
  await page.getByRole('button', { name: 'Add…' }).click();
  await page.getByLabel('Name, such as the device').fill('Laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();
  await page.evaluate('fetch("/dashboard/api/session", { method: "DELETE" })');
  await page.goto(`${dashboard.url}/dashboard/sign-in`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL((url) => !url.pathname.includes('sign-in'));
  await page.waitForLoadState('networkidle');
  const session = await page.evaluate('fetch("/dashboard/api/session").then((each) => each.json())');
  expect(session).toMatchObject({ mail: 'ada@example.com', accounts: [{ name: 'Acme' }] });
});
