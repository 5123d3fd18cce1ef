import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** The folder of the pictures that Git does not track. */
const FOLDER = path.resolve(import.meta.dirname, 'out');

/** A state of a page, and the steps that lead to it. */
export interface Picture {
  name: string;
  show(page: Page): Promise<unknown>;
}

/** Pages that one running part serves. */
export interface Surface {
  pictures: readonly Picture[];
  /** Opens a page for a screen. If left out, opens a page without a session. */
  open?(screen: BrowserContextOptions): Promise<Page>;
}

const SCREENS: Readonly<Record<string, BrowserContextOptions>> = {
  1280: { viewport: { width: 1280, height: 860 } },
  375: { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

const SCHEMES = ['light', 'dark'] as const;

/** Draws each picture of a surface on each screen, in light and dark. */
export async function drawSurface(browser: Browser, surface: Surface): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const { pictures, open = (screen) => browser.newPage(screen) } = surface;
  for (const [width, options] of Object.entries(SCREENS)) {
    const page = await open({ ...options, reducedMotion: 'reduce' });
    for (const { name, show } of pictures) {
      await page.emulateMedia({ colorScheme: 'light' });
      if (options.viewport) await page.setViewportSize(options.viewport);
      await show(page);
      await page.mouse.move(0, 0);
      await page.evaluate('document.fonts.ready');
      // A dialog covers the window only.
      const fullPage = (await page.locator('dialog[open]').count()) === 0;
      if (fullPage) await growToContent(page, options);
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        const file = `${name}-${width}${scheme === 'dark' ? '-dark' : ''}.png`;
        await page.screenshot({ path: path.join(FOLDER, file), fullPage });
      }
    }
    await page.context().close();
  }
}

/** A script that returns how many pixels of the dashboard's view are hidden. The view scrolls inside the window. */
const HIDDEN_PIXELS = `Math.max(0, ...[...document.querySelectorAll('.page, .pane-detail, .rows')]
  .map((each) => each.scrollHeight - each.clientHeight))`;

/** Makes the page so high that its whole content is visible. */
async function growToContent(page: Page, { viewport }: BrowserContextOptions): Promise<void> {
  const hidden = await page.evaluate<number>(HIDDEN_PIXELS);
  if (viewport && hidden > 0) await page.setViewportSize({ ...viewport, height: viewport.height + hidden });
}

/** Returns a picture of a page at an address. @param act what the person does there before the picture. */
export function at(
  name: string,
  url: string | (() => string),
  act?: (page: Page) => Promise<unknown>,
): Picture {
  return {
    name,
    async show(page) {
      await page.goto(typeof url === 'string' ? url : url(), { waitUntil: 'networkidle' });
      await act?.(page);
    },
  };
}

/** Draws a picture of an SVG on a wide screen. */
export async function drawStill(browser: Browser, name: string, svg: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.setContent(svg);
  await page.locator('svg').screenshot({ path: path.join(FOLDER, `${name}-1280.png`) });
  await page.close();
}
