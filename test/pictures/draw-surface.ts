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

const SCREENS = [
  { viewport: { width: 1280, height: 860 } },
  { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
];
type Screen = (typeof SCREENS)[number];

const SCHEMES = ['light', 'dark'] as const;

/** Draws each picture of a surface on each screen, in light and dark. */
export async function drawSurface(browser: Browser, surface: Surface): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const { pictures, open = (screen) => browser.newPage(screen) } = surface;
  const opened: [Page, Screen][] = [];
  for (const screen of SCREENS) opened.push([await open({ ...screen, reducedMotion: 'reduce' }), screen]);
  for (const picture of pictures) {
    for (const [page, screen] of opened) await draw(page, screen, picture);
  }
  for (const [page] of opened) await page.context().close();
}

async function draw(page: Page, screen: Screen, { name, show }: Picture): Promise<void> {
  await page.setViewportSize(screen.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
  await show(page);
  await page.mouse.move(0, 0);
  await page.evaluate('document.fonts.ready');
  // A dialog covers the window only.
  const fullPage = (await page.locator('dialog[open]').count()) === 0;
  if (fullPage) await growToContent(page, screen);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    const file = `${name}-${screen.viewport.width}${scheme === 'dark' ? '-dark' : ''}.png`;
    await page.screenshot({ path: path.join(FOLDER, file), fullPage });
  }
}

/** The highest window. A higher page is drawn as a full page. */
const HEIGHT_MAX = 8000;

/**
 * Makes the window so high that the whole content of a view of the dashboard is visible. A phone's window becomes as high as any page,
 * because a full-page picture is drawn without a touch screen.
 */
async function growToContent(page: Page, { viewport, hasTouch }: Screen): Promise<void> {
  const scrolling = `.page, .pane-detail, .rows${hasTouch ? ', html' : ''}`;
  const hidden = await page.evaluate<number>(`Math.max(0, ...[...document.querySelectorAll('${scrolling}')]
    .map((each) => each.scrollHeight - each.clientHeight))`);
  const height = Math.min(HEIGHT_MAX, viewport.height + hidden);
  if (hidden > 0) await page.setViewportSize({ ...viewport, height });
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
      await page.unrouteAll({ behavior: 'ignoreErrors' });
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
