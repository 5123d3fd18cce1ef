import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { colorProblem } from '../../shared/core/apps/brand.ts';
import { LANGUAGE_TAGS } from '../../shared/core/connect-texts/language.ts';
import type { DomainId } from '../../shared/core/ids.ts';
import { updateApp } from '../../shared/store/accounts/apps.ts';
import { findDomainById } from '../../shared/store/domains/domains.ts';
import { autocommit } from '../../shared/store/store.ts';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';
import { LOGO } from './logo.ts';
import { measurePage, shortcomings } from './measure-page.ts';
import { STATES } from './states.ts';

/** Tests a part of `npm run soak -- connect-pages`: the states in which the page asks for a record, in every language. */
let browser: Browser | null;
let underTest: ConnectUnderTest;

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

const ASKING = STATES.filter(({ asksForRecord }) => asksForRecord === true);

test.for(ASKING)(
  '$name: the first record is visible without scrolling, in every language',
  async ({ name, status, hostname, mode, lead }, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    expect(ASKING).toHaveLength(5);
    const { id, connect_url } = await underTest.add(hostname, mode);
    await lead(underTest, id);
    for (const tag of LANGUAGE_TAGS) {
      const measured = await measurePage(browser, { name, url: connect_url, tag });
      for (const { at, recordEnd } of measured) console.log(`${at}: the first record ends at ${recordEnd}`);
      if (status === 'dns_broken') expect(await reasonIsFirst(browser, connect_url)).toBe(true);
      expect(shortcomings(measured, true)).toEqual([]);
    }
  },
);

test('the connect page shows the first record without scrolling, even below a logo, and any brand colour has enough contrast', async ({
  skip,
}) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const { id, connect_url } = await underTest.add('branded.acme.com');
  const { store } = underTest.composition.context;
  const domain = await findDomainById(store, id as DomainId);
  if (domain === null) throw new Error('no domain');
  await underTest.see(id, { name_servers: ['ns01.domaincontrol.com'] });
  const brandLogo = `data:image/png;base64,${LOGO}`;
  // The lightest green that the service accepts as a brand colour.
  const brandColor = lightestAccepted();
  await updateApp(autocommit(store), domain.app_id, {
    ...LINKS,
    brand_logo: brandLogo,
    brand_color: brandColor,
  });
  for (const state of ['waiting', 'expired'] as const) {
    if (state === 'expired') await underTest.lead(id, ['window_passed']);
    const measured = await measurePage(browser, { name: `branded ${state}`, url: connect_url, tag: 'de' });
    expect(shortcomings(measured, state === 'waiting')).toEqual([]);
  }
});

/** Returns whether the page of a broken domain shows the cause above the record to add. */
async function reasonIsFirst(browser: Browser, url: string): Promise<boolean> {
  const page = await browser.newPage({ viewport: { width: 375, height: 667 } });
  try {
    await page.goto(url);
    const topOf = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())?.y ?? Infinity;
    const reason = page.getByText('The record is missing', { exact: true });
    return ((await reason.boundingBox())?.y ?? Infinity) < (await topOf('.record'));
  } finally {
    await page.close();
  }
}

const LINKS = { support_url: 'https://help.acme.com/', return_url: 'https://app.acme.com/' };

function lightestAccepted(): string {
  for (let green = 255; green >= 0; green--) {
    const color = `#00${green.toString(16).padStart(2, '0')}40`;
    if (colorProblem(color) === null) return color;
  }
  throw new Error('no green is accepted');
}
