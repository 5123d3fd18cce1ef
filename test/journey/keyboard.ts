import type { Locator, Page } from 'playwright-core';

/** More stops than the longest page of the journey has. */
const STOPS_MAX = 150;
const IS_FOCUSED = (element: unknown) =>
  element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement;

/** Presses Tab until an element has the focus. @throws Error if Tab does not reach it. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    if (await target.evaluate(IS_FOCUSED)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Reaches a button or a link, and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await reach(page, target);
  await page.keyboard.press('Enter');
}

/** Reaches a list of rows, one of which is in the tab order, goes down to a row, and opens it. */
export async function openRow(page: Page, row: Locator): Promise<void> {
  await row.waitFor();
  await reach(page, page.locator('[data-rows] a[tabindex="0"]'));
  await page.keyboard.press('Home');
  for (let rows = 0; rows < STOPS_MAX; rows++) {
    if (await row.evaluate(IS_FOCUSED)) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`no arrow reaches ${row}`);
}

/** Reaches a field, and types a text in place of what it has. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Reaches a select field, and types the beginning of an option. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.type(option);
  if ((await field.inputValue()) !== option) throw new Error(`${field} is not at ${option}`);
}

/** Reaches a group of radio buttons at the selected one, and goes down to another one. */
export async function select(page: Page, radio: Locator): Promise<void> {
  await reach(page, page.locator('input[type="radio"]:checked'));
  for (let presses = 0; presses < STOPS_MAX && !(await radio.isChecked()); presses++) {
    await page.keyboard.press('ArrowDown');
  }
}
