import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { labOfEachTest } from './lab-of-each-test.ts';

/** Tests the lab's inputs for seeds, states and the terms of the account. */
const { lab } = labOfEachTest();

const said = (page: Page, text: string | RegExp) => page.locator('.notice', { hasText: text }).waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const counted = (page: Page, words: string) => page.getByText(`All apps together have ${words} `);
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

test('a seed can be typed in the lab with the keyboard only, and its mistakes are shown with their lines', async () => {
  await lab().open('/emulator', async (page) => {
    await button(page, 'Apply a seed…').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Apply a seed' });
    await dialog.waitFor();
    await page.keyboard.insertText('domains:\n  - hostname: careers.acme.com\n    statsu: active\n');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'seed.yaml:3: ' }).waitFor();
    await dialog.getByRole('alert').filter({ hasText: 'did you mean status?' }).waitFor();
    await dialog
      .getByLabel('Seed (YAML or JSON)')
      .fill('domains: [{ hostname: careers.acme.com, status: active }]');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await said(page, 'Seed applied.');
    await counted(page, '1 domain').waitFor();
    expect((await lab().api('GET /domains')).body.data[0]?.status).toBe('active');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Apply a seed…');
  });
});

test('the seed dialog of the lab shows unexpected errors too', async () => {
  await lab().open('/emulator', async (page) => {
    await page.route('**/_emulator/seed/text', (route) => route.fulfill({ status: 200, body: '{"apps": [' }));
    await button(page, 'Apply a seed…').click();
    const dialog = page.getByRole('dialog', { name: 'Apply a seed' });
    await dialog.getByLabel('Seed (YAML or JSON)').fill('{}');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'That failed: ' }).waitFor();
    await page.unroute('**/_emulator/seed/text');
    await page.route('**/_emulator/seed/text', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'The emulator does not respond.' }).waitFor();
  });
});

test('a seed can come from a file in the lab, and its errors name the file', async () => {
  await lab().open('/emulator', async (page) => {
    await button(page, 'Apply a seed…').click();
    const dialog = page.getByRole('dialog', { name: 'Apply a seed' });
    await dialog
      .getByLabel('From a file')
      .setInputFiles(file('mine.yaml', 'domains:\n  - hostname: co.uk\n'));
    await expect.poll(() => dialog.getByLabel('Seed (YAML or JSON)').inputValue()).toContain('co.uk');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'mine.yaml:2: domains[0].hostname' }).waitFor();
    await dialog
      .getByLabel('From a file')
      .setInputFiles(file('mine.json', '{"domains":[{"hostname":"a.acme.com"}],"apps":[{"name":"Other"}]}'));
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await said(page, /Seed applied/);
    await page.locator('.app-menu').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Other' }).waitFor();
  });
});

test('the lab exports and imports a state; an invalid state changes nothing', async () => {
  await lab().add('careers.acme.com');
  await lab().open('/emulator', async (page) => {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export' }).click();
    const exported = await (await download).path();
    await lab().emulator.reset();
    await counted(page, '0 domains').waitFor();

    await button(page, 'Import…').click();
    const dialog = page.getByRole('dialog', { name: 'Import a state' });
    const field = dialog.getByLabel('Exported state');
    const give = async (chosen: Parameters<typeof field.setInputFiles>[0]) => {
      await field.setInputFiles(chosen);
      await dialog.getByRole('button', { name: 'Import' }).click();
    };
    await give(file('notes.txt', 'no state'));
    await dialog.getByRole('alert').filter({ hasText: 'not a JSON document' }).waitFor();
    await give(file('other.json', '{"format":1}'));
    await dialog.getByRole('alert').filter({ hasText: 'not a response of GET /_emulator/export' }).waitFor();
    await give(exported);
    await said(page, /Imported /);
    await counted(page, '1 domain').waitFor();
  });
});

test('the lab can change the account of the default app, and sends only the changed fields', async () => {
  const account = async () => (await lab().control('PATCH /account', {})).body;
  const before = await account();
  await lab().open('/emulator', async (page) => {
    await button(page, 'Account…').click();
    const dialog = page.getByRole('dialog', { name: 'Account of the default app' });
    await dialog.getByLabel('Plan').selectOption('growth');
    await dialog.getByLabel('card on file').uncheck();
    await dialog.getByLabel('suspended').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Account changed.');
    await page.locator('.facts', { hasText: 'growth' }).waitFor();
    await page.locator('.pill', { hasText: 'no card' }).waitFor();
    expect(await account()).toEqual({ ...before, plan: 'growth', card_on_file: false, suspended: true });

    await button(page, 'Account…').click();
    await dialog.getByLabel('suspended').uncheck();
    await dialog.getByLabel('Trial ends (empty for none)').fill('2031-02-03T04:05:06');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const endsAt = await page.evaluate("new Date('2031-02-03T04:05:06').toISOString()");
    await expect.poll(account).toMatchObject({ trial_ends_at: endsAt, suspended: false, plan: 'growth' });
    await page.locator('.facts', { hasText: 'Trial ends' }).waitFor();

    await button(page, 'Account…').click();
    await dialog.getByLabel('Trial ends (empty for none)').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await account())['trial_ends_at']).toBe(null);
  });
});
