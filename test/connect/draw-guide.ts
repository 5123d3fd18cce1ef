import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { connectUnderTest } from './connect-under-test.ts';
import { STATES } from './states.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../shared/docs/pictures');
/** With the frame, the parts are as wide as the text on a phone of 375 pixels, so that no word shrinks. */
const TALL_PHONE = { viewport: { width: 335, height: 1600 } };
const PHONE = { viewport: { width: 375, height: 667 } };
const DESKTOP = { viewport: { width: 960, height: 640 } };

/** Draws the pictures for the guide to the connect page: the real page in Chromium, in states from the tests. */
export async function drawGuide(browser: Browser): Promise<void> {
  await using underTest = await connectUnderTest();
  const urlOf = async (name: string): Promise<string> => {
    const state = STATES.find((each) => each.name === name);
    if (state === undefined) throw new Error(`There is no state ${name}`);
    const { id, connect_url } = await underTest.add(state.hostname, state.mode);
    await state.lead(underTest, id);
    return connect_url;
  };
  const waiting = await urlOf('pending at a provider');
  const phones = [waiting, await urlOf('pending with a fault'), await urlOf('active')];
  const shots = await Promise.all(phones.map((url) => shoot(browser, url, PHONE)));
  mkdirSync(FOLDER, { recursive: true });
  await inOne(browser, shots, 'connect-page-phone', 'row');
  // Three phones side by side are too small to read on a phone, so it sees the parts that matter, one below the other.
  const parts = await Promise.all(
    phones.map((url, place) =>
      shoot(browser, url, TALL_PHONE, { part: place === 2 ? '.card.good' : '#records .ways' }),
    ),
  );
  await inOne(browser, parts, 'connect-page-phone-narrow', 'column');
  await shoot(browser, waiting, DESKTOP, { name: 'connect-page-desktop' });
  const broken = `${await urlOf('dns broken with a change')}?lang=de`;
  await shoot(browser, broken, { ...DESKTOP, colorScheme: 'dark' }, { name: 'connect-page-dark' });
}

/** Takes a picture of what a visitor sees without scrolling, or of a part. @param to.name the file's name. If left out, none is written. */
async function shoot(
  within: Browser,
  url: string,
  options: BrowserContextOptions,
  to: { name?: string; part?: string } = {},
): Promise<Buffer> {
  const page = await within.newPage({ reducedMotion: 'reduce', ...options });
  try {
    await page.goto(url);
    // The page of a live domain folds the record away. The picture has room for the record, so this unfolds it.
    if ((await page.getByRole('link', { name: 'Open live' }).count()) > 0)
      await page.locator('#fold-records summary').click();
    const target = to.part === undefined ? page : page.locator(to.part).first();
    return await target.screenshot(
      to.name === undefined ? {} : { path: path.join(FOLDER, `${to.name}.png`) },
    );
  } finally {
    await page.close();
  }
}

/** Puts several pictures into one, side by side or one below the other. */
async function inOne(
  within: Browser,
  shots: readonly Buffer[],
  name: string,
  direction: 'row' | 'column',
): Promise<void> {
  const page = await within.newPage();
  try {
    const gap = direction === 'row' ? 16 : 8;
    const look = direction === 'row' ? '' : 'padding:8px;border-radius:12px;background:#fff';
    const images = shots.map(
      (shot) => `<img style="${look}" src="data:image/png;base64,${shot.toString('base64')}">`,
    );
    const style = `display:inline-flex;flex-direction:${direction};padding:${gap}px;gap:${gap}px;background:#d5d9e0`;
    await page.setContent(`<div style="${style}">${images.join('')}</div>`);
    await page.locator('div').screenshot({ path: path.join(FOLDER, `${name}.png`) });
  } finally {
    await page.close();
  }
}
