import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { connectUnderTest } from './connect-under-test.ts';
import { STATES } from './states.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../shared/docs/pictures');
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
  await sideBySide(browser, shots, path.join(FOLDER, 'connect-page-phone.png'));
  await shoot(browser, waiting, DESKTOP, 'connect-page-desktop');
  const broken = `${await urlOf('dns broken with a change')}?lang=de`;
  await shoot(browser, broken, { ...DESKTOP, colorScheme: 'dark' }, 'connect-page-dark');
}

/** Takes a picture of what a visitor sees without scrolling. @param name the file's name. If left out, no file is written. */
async function shoot(
  within: Browser,
  url: string,
  options: BrowserContextOptions,
  name?: string,
): Promise<Buffer> {
  const page = await within.newPage({ reducedMotion: 'reduce', ...options });
  try {
    await page.goto(url);
    // The page of a live domain folds the record away. The picture has room for the record, so this unfolds it.
    if ((await page.getByRole('link', { name: 'Open live' }).count()) > 0)
      await page.locator('#fold-records summary').click();
    return await page.screenshot(name === undefined ? {} : { path: path.join(FOLDER, `${name}.png`) });
  } finally {
    await page.close();
  }
}

/** Puts several pictures of phones side by side into one picture. */
async function sideBySide(within: Browser, shots: readonly Buffer[], file: string): Promise<void> {
  const { width, height } = PHONE.viewport;
  const gap = 16;
  const viewport = { width: (width + gap) * shots.length + gap, height: height + 2 * gap };
  const page = await within.newPage({ viewport });
  try {
    const images = shots.map((shot) => `<img src="data:image/png;base64,${shot.toString('base64')}">`);
    const style = `margin:${gap}px;display:flex;gap:${gap}px;background:#d5d9e0`;
    await page.setContent(`<body style="${style}">${images.join('')}</body>`);
    await page.screenshot({ path: file });
  } finally {
    await page.close();
  }
}
