import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { LanguageTag } from '../../shared/core/connect-texts/language.ts';
import { bringAxe, faults } from './accessibility.ts';
import { picture } from './picture.ts';

/** The screens on which a visitor must see the first record without scrolling. */
export const SCREENS = [
  { width: 375, height: 667 },
  { width: 1280, height: 800 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

/** A page in one language, on one screen, in one colour scheme. */
export interface Measured {
  at: string;
  width: number;
  height: number;
  /** The bottom of the first record, in pixels from the top of the page; null if no record is visible. */
  recordEnd: number | null;
  /** The violations that axe finds, and the number of pixels by which the page scrolls sideways. */
  problems: string[];
}

/** Measures a page in one language: on each screen in each colour scheme, and once without JavaScript. */
export async function measurePage(
  browser: Browser,
  input: { name: string; url: string; tag: LanguageTag },
): Promise<Measured[]> {
  const { name, url, tag } = input;
  const measured: Measured[] = [];
  const address = `${url}${url.includes('?') ? '&' : '?'}lang=${tag}`;
  await withPage(browser, {}, async (page) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(address);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      for (const screen of SCREENS) {
        await page.setViewportSize(screen);
        const at = `${name}, ${tag}, ${screen.width}, ${scheme}`;
        const violations = await faults(page, { coloursOnly: scheme === 'dark', everyImpact: true });
        const seen = await measure(page, at, screen, tag);
        measured.push({ ...seen, problems: [...seen.problems, ...violations, ...errors] });
        await picture(page, `${name}-${tag}-${screen.width}-${scheme}`);
      }
    }
  });
  await withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(address);
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      measured.push(await measure(page, `${name}, ${tag}, ${screen.width}, without script`, screen, tag));
    }
  });
  return measured;
}

async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    await bringAxe(context);
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

async function measure(
  page: Page,
  at: string,
  screen: (typeof SCREENS)[number],
  tag: LanguageTag,
): Promise<Measured> {
  const record = page.locator('.record').first();
  const box = (await record.count()) > 0 && (await record.isVisible()) ? await record.boundingBox() : null;
  const sideways: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  const text: string = await page.evaluate('document.body.innerText');
  const lang: string = await page.evaluate('document.documentElement.lang');
  return {
    at,
    ...screen,
    recordEnd: box === null ? null : Math.round(box.y + box.height),
    problems: [
      ...(sideways > 0 ? [`${sideways} pixels to scroll sideways`] : []),
      ...(/\{\w+\}|undefined/.test(text) ? ['a placeholder that was not filled in'] : []),
      ...(lang === tag ? [] : [`the language ${lang}`]),
    ],
  };
}

/** Returns the measurements with a problem, or with a first record that a visitor has to scroll to. */
export function shortcomings(measured: readonly Measured[], asksForRecord: boolean): string[] {
  return measured.flatMap(({ at, height, recordEnd, problems }) => [
    ...problems.map((problem) => `${at}: ${problem}`),
    ...(asksForRecord && (recordEnd === null || recordEnd > height)
      ? [`${at}: the first record ends at ${recordEnd} of ${height}`]
      : []),
  ]);
}
