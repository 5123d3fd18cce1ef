import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../shared/core/languages/language.ts';
import { INSTALL_MS_MAX, launchChromium, NO_CHROMIUM } from './chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';
import { measurePage, shortcomings } from './measure-page.ts';
import { STATES } from './states.ts';

/** A sample of `npm run soak -- connect-pages`: the states that ask for a record, each in every language. */
let browser: Browser | null;
let underTest: ConnectUnderTest;

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
}, INSTALL_MS_MAX);

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

const ASKING = STATES.filter(({ asksForRecord }) => asksForRecord === true);

test.for(ASKING)(
  '$name: the first record is visible without scrolling, in every language',
  { timeout: 120_000 },
  async ({ name, hostname, mode, lead }, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    expect(ASKING).toHaveLength(4);
    const { id, connect_url } = await underTest.add(hostname, mode);
    await lead(underTest, id);
    for (const tag of LANGUAGE_TAGS) {
      const measured = await measurePage(browser, { name, url: connect_url, tag });
      for (const { at, recordEnd } of measured) console.log(`${at}: the first record ends at ${recordEnd}`);
      expect(shortcomings(measured, true)).toEqual([]);
    }
  },
);
