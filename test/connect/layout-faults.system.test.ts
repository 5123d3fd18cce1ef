import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from './chromium.ts';
import { bidiFaults, forcedColourFaults, layoutFaults, RTL_NAME, tabFaults } from './layout-faults.ts';

/** Tests that the checks of `layout-faults.ts` find each kind of fault, and that they accept the repaired page. */
let browser: Browser | null;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser?.close());

const tabs = async (page: Page) => (await tabFaults(page)).found;

test.for<[fault: string, check: (page: Page) => Promise<string[]>, faulty: string, repaired: string]>([
  [
    'to scroll sideways',
    layoutFaults,
    '<p style="width: 2000px">wide</p>',
    '<p style="max-width: 100%">wide</p>',
  ],
  [
    'cut off',
    layoutFaults,
    '<p style="width: 40px; overflow: hidden; white-space: nowrap">a long text</p>',
    '<p style="width: 40px; overflow: hidden; white-space: nowrap" title="a long text">a long text</p>',
  ],
  [
    'leaves its box',
    layoutFaults,
    '<button style="width: 40px; white-space: nowrap">a long text</button>',
    '<button>a long text</button>',
  ],
  [
    'overlap',
    layoutFaults,
    '<p>one text</p><p style="margin-top: -30px">another text</p>',
    '<p>one text</p><p>another text</p>',
  ],
  [
    'low contrast',
    forcedColourFaults,
    '<p style="forced-color-adjust: none; color: #ccc; background: #fff">pale</p>',
    '<p style="color: #ccc; background: #fff">pale</p>',
  ],
  [
    'without words',
    forcedColourFaults,
    '<span class="st"><svg width="16" height="16"></svg></span>',
    '<span class="st"><svg width="16" height="16"></svg> Active</span>',
  ],
  [
    'aria-pressed is not visible',
    forcedColourFaults,
    '<button aria-pressed="true" style="background: red">1</button><button aria-pressed="false">2</button>',
    '<button aria-pressed="true" style="font-weight: 700">1</button><button aria-pressed="false">2</button>',
  ],
  ['not isolated', bidiFaults, `<p>Keys of ${RTL_NAME} (2)</p>`, `<p>Keys of <bdi>${RTL_NAME}</bdi> (2)</p>`],
  ['no outline', tabs, '<a href="#" style="outline: none">link</a>', '<a href="#">link</a>'],
  [
    'covered',
    tabs,
    '<a href="#">link</a><p style="position: absolute; inset: 0; background: #fff">cover</p>',
    '<a href="#">link</a>',
  ],
  [
    'before the previous stop',
    tabs,
    '<a href="#1">1</a><a href="#2" tabindex="1">2</a>',
    '<a href="#1">1</a><a href="#2">2</a>',
  ],
])('the check of a page finds the fault "%s"', async ([fault, check, faulty, repaired], { skip }) => {
  if (browser === null) return skip(NO_CHROMIUM);
  const page = await browser.newPage();
  await page.setContent(`<body>${faulty}</body>`);
  expect((await check(page)).join('\n')).toContain(fault);
  await page.setContent(`<body>${repaired}</body>`);
  expect(await check(page)).toEqual([]);
  await page.close();
});
