import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DomainId } from '../../shared/core/ids.ts';
import { updateApp } from '../../shared/store/accounts/apps.ts';
import { findDomainById } from '../../shared/store/domains/domains.ts';
import { autocommit } from '../../shared/store/store.ts';
import { serveAppPage } from '../embed/app-page.ts';
import { tokenFor } from '../embed/tokens.ts';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';
import {
  bidiFaults,
  forcedColourFaults,
  LONG_HOSTNAME,
  LONG_NAME,
  layoutFaults,
  RTL_NAME,
  tabFaults,
} from './layout-faults.ts';
import { STATES } from './states.ts';

/**
 * Tests the connect page and the component at 200 and 400 % zoom, with forced colours, and with the keyboard alone. Names are long,
 * or run from right to left.
 */
let browser: Browser | null;
let underTest: ConnectUnderTest;

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

/** A hostname with Arabic letters: مثال.acme.com. */
const RTL_HOSTNAME = 'xn--mgbh0fb.acme.com';

const SHOWN = STATES.filter(({ name }) =>
  ['pending at a provider', 'pending with a fault', 'active', 'dns broken with a change'].includes(name),
).flatMap((state) => [
  { ...state, appName: 'Acme Careers', shown: 'with a usual name', hostname: `layout-${state.hostname}` },
  {
    ...state,
    appName: LONG_NAME,
    shown: 'with a long name',
    hostname: LONG_HOSTNAME.replace('aaaaa', `${state.hostname[0]}aaaa`),
  },
  {
    ...state,
    appName: RTL_NAME,
    shown: 'with a right-to-left name',
    hostname: `${state.hostname[0]}.${RTL_HOSTNAME}`,
  },
]);

test.for(SHOWN)(
  '$name, $shown: the connect page and the component have no fault of layout, colours or keyboard',
  async ({ hostname, appName, lead }, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    const { id, connect_url } = await underTest.add(hostname);
    await lead(underTest, id);
    const { store } = underTest.composition.context;
    const domain = await findDomainById(store, id as DomainId);
    if (domain === null) throw new Error('no domain');
    await updateApp(autocommit(store), domain.app_id, { name: appName });
    await using site = await serveAppPage();
    const embedded = site.show({ token: await tokenFor(underTest, id), baseUrl: underTest.url });
    for (const url of [connect_url, embedded]) {
      const context = await browser.newContext({ deviceScaleFactor: 2, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(url);
      await page.locator('.headline, #headline').waitFor();
      for (const fold of await page.locator('summary').all()) await fold.click();
      expect.soft(await layoutFaults(page), url).toEqual([]);
      expect.soft(await bidiFaults(page, [RTL_NAME, `${hostname[0]}.مثال.acme.com`, 'م']), url).toEqual([]);
      expect.soft(await forcedColourFaults(page), url).toEqual([]);
      expect.soft((await tabFaults(page)).found, url).toEqual([]);
      await context.close();
    }
  },
);
