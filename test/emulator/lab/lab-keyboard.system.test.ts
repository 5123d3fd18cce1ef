import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import { type LabUnderTest, labUnderTest } from './lab-under-test.ts';

/** Tests that the dashboard with the lab can be used with the keyboard alone. */
let browser: Browser | null;
let underTest: LabUnderTest;

beforeAll(async () => {
  browser = await launchChromium();
  underTest = await labUnderTest(browser);
  for (const name of ['one', 'two', 'three']) {
    await underTest.add(`${name}.acme.com`);
    await underTest.emulator.clock.advance(1);
  }
  await underTest.emulator.clock.untilIdle();
});

beforeEach(({ skip }) => {
  if (browser === null) skip(NO_CHROMIUM);
});

afterAll(async () => {
  await browser?.close();
  await underTest[Symbol.asyncDispose]();
});

const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText.split("\\n")[0]',
  );
const presses = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const ready = (page: Page) => page.locator('a.row').first().waitFor();

test('in the lab, Tab moves from top to bottom, stops at one row of the list, and every stop is visible', async () => {
  await underTest.open('/domains', async (page) => {
    await ready(page);
    const stops: string[] = [];
    for (let count = 0; count < 28; count++) {
      await page.keyboard.press('Tab');
      stops.push(await focused(page));
      const outline = 'getComputedStyle(document.activeElement).outlineStyle';
      expect.soft(await page.evaluate(outline), stops.at(-1)).not.toBe('none');
    }
    expect(stops.map((stop) => stop.replace(/\d\d? \w{3} 20.*/, 'the clock'))).toEqual([
      'Skip to content',
      'Nameplate',
      'App:',
      'Test',
      'Live',
      'Home',
      'Domains',
      'Events',
      'Webhook',
      'Keys',
      'App',
      'Emulator',
      'Requests',
      'Mail',
      'Faults',
      'Docs',
      'Keyboard',
      'the clock',
      'Next',
      'Until idle',
      'Find a hostname',
      '',
      'All',
      'Active',
      'Filter by metadata',
      'Save as CSV',
      'Add domain',
      'three.acme.com',
    ]);
  });
});

test('in the lab, the keyboard moves through the rows, opens a row, closes it, and keeps it focused', async () => {
  await underTest.open('/domains', async (page) => {
    await ready(page);
    await presses(page, 'l');
    expect(await focused(page)).toBe('three.acme.com');
    await presses(page, 'j', 'ArrowDown');
    await expect.poll(() => focused(page)).toBe('one.acme.com');
    await presses(page, 'k');
    await expect.poll(() => focused(page)).toBe('two.acme.com');
    await presses(page, 'Home', 'End');
    await expect.poll(() => focused(page)).toBe('one.acme.com');
    await presses(page, 'Enter');
    await page.getByRole('heading', { name: 'one.acme.com' }).waitFor();
    expect(await focused(page)).toBe('one.acme.com');
    await presses(page, 'Escape');
    await expect.poll(() => page.getByRole('heading', { name: 'one.acme.com' }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'one.acme.com' }).waitFor();
  });
});

test('on a phone, the lab moves the focus to the detail that replaces the list, and back to its row', async () => {
  await underTest.open(
    '/domains',
    async (page) => {
      await ready(page);
      await presses(page, 'l', 'j', 'Enter');
      await expect.poll(() => focused(page)).toBe('two.acme.com');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');
      await presses(page, 'Escape');
      await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('row');
      expect(await focused(page)).toBe('two.acme.com');
    },
    { viewport: { width: 375, height: 740 } },
  );
});

test('in the lab, digits open views and the slash opens the filter, where digits and letters are text', async () => {
  await underTest.open('', async (page) => {
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    for (const [key, title] of [
      ['2', 'Domains'],
      ['3', 'Events'],
      ['7', 'Emulator'],
      ['8', 'Requests'],
      ['9', 'Mail'],
      ['0', 'Faults'],
      ['1', 'Home'],
    ] as const) {
      await presses(page, key);
      await page.getByRole('heading', { name: new RegExp(`^${title}`), level: 1 }).waitFor();
      expect(await page.title()).toMatch(new RegExp(`^Test · ${title} · Emulator`));
    }
    await presses(page, '2');
    await ready(page);
    await presses(page, '/');
    await page.keyboard.type('3 nick?');
    expect(await page.getByLabel('Hostname begins with').inputValue()).toBe('3 nick?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await presses(page, 'Escape', '3');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
  });
});

test('in the lab, r redelivers the open event, n and i move the clock, c opens the clock', async () => {
  const { clock } = underTest.emulator;
  await underTest.open('/events', async (page) => {
    await ready(page);
    await presses(page, 'l', 'Enter');
    await page.getByRole('button', { name: 'Send again now', exact: true }).waitFor();
    const before = underTest.received();
    await presses(page, 'r');
    await expect.poll(() => underTest.received()).toBe(before + 1);
    const now = clock.now().getTime();
    await presses(page, 'n');
    await expect.poll(() => clock.now().getTime()).toBeGreaterThan(now);
    await presses(page, 'i');
    await page.locator('.notice', { hasText: '0 steps' }).waitFor();
    await presses(page, 'c');
    await page.getByRole('dialog', { name: 'Clock' }).waitFor();
    await presses(page, 'Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

test('the help of the lab lists the keys, returns the focus, and can turn the keys off permanently', async () => {
  await underTest.open('/domains', async (page) => {
    await ready(page);
    await presses(page, 'l', '?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('move the clock until idle').waitFor();
    await help.getByLabel('Enable single-key shortcuts').uncheck();
    await presses(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('three.acme.com');
    await presses(page, '3');
    await page.reload();
    await ready(page);
    await presses(page, '3');
    expect(page.url()).toMatch(/\/domains$/);
    // Checks that the keys of the list itself still work.
    await page.locator('a.row').first().focus();
    await presses(page, 'ArrowDown');
    await expect.poll(() => focused(page)).toBe('two.acme.com');
  });
});
