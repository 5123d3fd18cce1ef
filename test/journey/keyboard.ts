import type { Locator, Page } from 'playwright-core';

/** The longest page of the journey has fewer stops in the tab order than this. */
const STOPS_MAX = 150;
const IS_FOCUSED = (element: unknown) =>
  element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement;

/** Presses Tab until an element has the focus. @throws Error if Tab does not reach the element. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    if (await target.evaluate(IS_FOCUSED)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Moves the focus to a button or link with Tab, and presses Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await reach(page, target);
  await page.keyboard.press('Enter');
}

/** Opens a row of a list: reaches the list with Tab, the row with the down arrow, and presses Enter. */
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

/** Moves the focus to a field with Tab, and replaces the field's text. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Moves the focus to a select field with Tab, and types the beginning of an option. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await reach(page, field);
  await page.keyboard.type(option);
  if ((await field.inputValue()) !== option) throw new Error(`${field} is not at ${option}`);
}

/** Selects a radio button: reaches the selected button of the group with Tab, and the new one with the down arrow. */
export async function select(page: Page, radio: Locator): Promise<void> {
  await reach(page, page.locator('input[type="radio"]:checked'));
  for (let presses = 0; presses < STOPS_MAX && !(await radio.isChecked()); presses++) {
    await page.keyboard.press('ArrowDown');
  }
}
