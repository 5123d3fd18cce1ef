import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../bin/browser-script.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';

/** Tests the dashboard as the emulator serves it, without sign-in. */
let browser: Browser | null;
let underTest: EmulatorUnderTest;

beforeAll(async () => {
  await bundleBrowserScripts(path.resolve(import.meta.dirname, '../..'));
  [browser, underTest] = await Promise.all([launchChromium(), emulatorUnderTest()]);
});

afterAll(async () => {
  await underTest[Symbol.asyncDispose]();
  await browser?.close();
});

test("the emulator's dashboard opens the default app with the lab and without sign-in", async ({ skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(15_000);
  await page.goto(`${underTest.emulator.url}/dashboard`);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const views = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents();
  expect(views).toEqual([
    'Home',
    'Domains',
    'Events',
    'Webhook',
    'Keys',
    'App',
    'Emulator',
    'Requests',
    'Mail',
    'Faults',
  ]);
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByRole('button', { name: 'Add domain', exact: true }).first().click();
  await page.getByLabel('Hostname', { exact: true }).fill('careers.acme.com');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'careers.acme.com' }).waitFor();
  const { body } = await underTest.api('GET /domains');
  expect(body.data[0]).toMatchObject({ hostname: 'careers.acme.com', mode: 'test' });
  await page.getByRole('link', { name: 'Emulator', exact: true }).click();
  await page.getByRole('heading', { name: 'Addresses' }).waitFor();
  await page.close();
});
