import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../shared/core/connect-texts/language.ts';
import { confirmSubscription, subscribe } from '../../shared/operations/connect/mail-subscriptions.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from '../connect/connect-under-test.ts';
import { type Measured, measurePage, SCREENS, shortcomings } from '../connect/measure-page.ts';
import { STATES } from '../connect/states.ts';

/**
 * Opens the connect page in every state and language, on a phone and a desktop, light and dark, with and without script. With
 * SCREENSHOTS=<folder>, saves pictures there.
 */
let browser: Browser | null;
let underTest: ConnectUnderTest;
const ends: Measured[] = [];

beforeAll(async () => {
  [browser, underTest] = await Promise.all([launchChromium(), connectUnderTest()]);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
  const rows = Object.groupBy(ends, ({ at }) => at.split(', ').slice(0, 2).join(', '));
  for (const [name, measured = []] of Object.entries(rows)) {
    const byWidth = SCREENS.map(({ width, height }) => {
      const all = measured.filter((each) => each.width === width).map(({ recordEnd }) => recordEnd ?? 0);
      return `${Math.max(...all)} of ${height} at ${width}`;
    });
    console.log(`${name}: the first record ends at ${byWidth.join(', ')}`);
  }
});

async function sweep(name: string, url: string, asksForRecord: boolean): Promise<string[]> {
  if (browser === null) throw new Error(NO_CHROMIUM);
  const found: string[] = [];
  for (const tag of LANGUAGE_TAGS) {
    const measured = await measurePage(browser, { name, url, tag });
    if (asksForRecord) ends.push(...measured);
    found.push(...shortcomings(measured, asksForRecord));
  }
  return found;
}

describe('the pages for customers have no fault in any language, on any screen, light and dark, with and without script', () => {
  test.for(STATES)('$name', async (state, { skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    const { id, connect_url } = await underTest.add(state.hostname, state.mode);
    await state.lead(underTest, id);
    expect(await sweep(state.name, connect_url, state.asksForRecord === true)).toEqual([]);
  });

  test('the page for an unknown link has no fault', async ({ skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    expect(await sweep('unknown', `${underTest.url}/connect/nobodyknowsthistoken00`, false)).toEqual([]);
  });

  test('the pages that mails link to have no fault', async ({ skip }) => {
    if (browser === null) return skip(NO_CHROMIUM);
    const { context, mails } = underTest.composition;
    const { connect_url } = await underTest.add('mail.acme.com');
    const connectToken = connect_url.slice(connect_url.lastIndexOf('/') + 1);
    await subscribe(context, { connect_token: connectToken, address: 'ada@example.com', language: 'en' });
    await expect.poll(() => mails.list().length).toBe(1);
    const unsubscribeUrl = (mails.list()[0]?.unsubscribe_url ?? '').replace(/\?.*/, '');
    const url = unsubscribeUrl.replace('/unsubscribe', '');
    expect(await sweep('mail to confirm', url, false)).toEqual([]);
    expect(await sweep('mail to leave', unsubscribeUrl, false)).toEqual([]);
    await confirmSubscription(context, url.slice(url.lastIndexOf('/') + 1));
    expect(await sweep('mail confirmed', url, false)).toEqual([]);
  });
});
