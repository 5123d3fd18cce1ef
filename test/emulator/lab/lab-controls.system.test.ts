import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { labOfEachTest } from './lab-of-each-test.ts';

/** Tests the lab's controls for the clock, faults, holds and the state. */
const { lab } = labOfEachTest();

const said = (page: Page, text: string | RegExp) => page.locator('.notice', { hasText: text }).waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('the lab shows the clock, sets its mode and moves the time', async () => {
  await lab().add('careers.acme.com');
  const { clock } = lab().emulator;
  const moved = async (work: () => Promise<void>) => {
    const before = clock.now().getTime();
    await work();
    await expect.poll(() => clock.now().getTime()).not.toBe(before);
    return clock.now().getTime() - before;
  };
  await lab().open('/domains', async (page) => {
    await page.locator('.clock', { hasText: 'frozen' }).waitFor();
    expect(await moved(() => button(page, 'Next').click())).toBeGreaterThan(0);
    await said(page, /step/);
    await button(page, 'Until idle').click();
    await page.locator('.row .st.good', { hasText: 'Active' }).waitFor();
    await page.locator('[data-clock]').click();
    const dialog = page.getByRole('dialog', { name: 'Clock' });
    expect(await moved(() => dialog.getByRole('button', { name: '+72h' }).click())).toBe(72 * 3_600_000);
    await dialog.getByLabel('By').fill('1h30m');
    expect(await moved(() => dialog.getByRole('button', { name: 'Advance' }).click())).toBe(5_400_000);
    const later = new Date(clock.now().getTime() + 86_400_000);
    later.setMilliseconds(0);
    const local = new Date(later.getTime() - later.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    await dialog.getByLabel('To', { exact: true }).fill(local);
    await moved(() => dialog.getByRole('button', { name: 'Go' }).click());
    expect(clock.now().getTime()).toBe(later.getTime());
    await dialog.getByLabel('To', { exact: true }).fill('2001-01-01T00:00:00');
    await dialog.getByRole('button', { name: 'Go' }).click();
    await page.locator('.notice.bad', { hasText: 'only moves forwards' }).waitFor();
    await dialog.getByLabel('auto').check();
    await expect.poll(() => clock.mode).toBe('auto');
    await dialog.getByLabel('frozen').check();
    await expect.poll(() => clock.mode).toBe('frozen');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

test("in the lab, a second choice of the clock's mode wins, although the first request has no response yet", async () => {
  const { clock } = lab().emulator;
  await lab().open('/domains', async (page) => {
    await page.locator('[data-clock]', { hasText: 'frozen' }).click();
    const answers: (() => Promise<void>)[] = [];
    await page.route(/\/clock$/, async (route) => {
      const response = await route.fetch();
      answers.push(() => route.fulfill({ response }));
    });
    const dialog = page.getByRole('dialog', { name: 'Clock' });
    await dialog.getByLabel('auto').check();
    await expect.poll(() => clock.mode).toBe('auto');
    await dialog.getByLabel('frozen').check();
    await expect.poll(() => clock.mode).toBe('frozen');
    await expect.poll(() => answers.length).toBe(2);
    for (const answer of answers) await answer();
    await page.locator('.clock', { hasText: 'frozen' }).waitFor();
    expect(await dialog.getByLabel('frozen').isChecked()).toBe(true);
  });
});

test('the lab sets chaos, starts and ends a hostile day, and shows faults that a command has set', async () => {
  const chaos = async () => (await lab().control('GET /chaos')).body;
  await lab().open('/faults', async (page) => {
    await page.getByLabel('% fail Nothing').fill('50');
    await page.getByLabel('% are slow').fill('12.5');
    await page.getByLabel('Webhook delay').fill('2s');
    await page.getByLabel('Timestamp skew').fill('-10m');
    await page.getByLabel('Only events of type').selectOption('domain.active');
    await page.getByLabel('Only domains').fill('a.acme.com, b.acme.com');
    await button(page, 'Set').click();
    await said(page, 'Faults set.');
    expect(await chaos()).toMatchObject({
      fail: 0.5,
      delay_ms: 2000,
      skew_ms: -600_000,
      types: ['domain.active'],
      domains: ['a.acme.com', 'b.acme.com'],
      api: { slow: 0.125 },
    });
    await button(page, 'Hostile day').click();
    await expect.poll(() => page.getByLabel('% arrive twice').inputValue()).toBe('25');
    await button(page, 'End all faults').click();
    await expect.poll(() => page.getByLabel('% arrive twice').inputValue()).toBe('');
    expect(await chaos()).toMatchObject({ fail: 0, duplicate: 0 });
    await lab().control('PUT /chaos', { fail: 0.07 });
    await expect.poll(() => page.getByLabel('% fail Nothing').inputValue()).toBe('7');
    await page.getByLabel('Webhook delay').fill('soon');
    await button(page, 'Set').click();
    await page.locator('.notice.bad', { hasText: 'must be a duration' }).waitFor();
  });
});

test('the lab forces and clears errors, holds and releases hostnames', async () => {
  const id = await lab().add('careers.acme.com');
  await lab().open('/faults', async (page) => {
    await page.getByLabel('Code').selectOption('card_declined');
    await page.getByLabel('Path, with all paths below it').fill('/v1/keys');
    await page.getByLabel('Times', { exact: true }).fill('2');
    await button(page, 'Force').click();
    await page.locator('.row-link', { hasText: 'card_declined' }).waitFor();
    expect((await lab().api('GET /keys')).body.error.code).toBe('card_declined');
    await page.locator('.row-link', { hasText: 'once' }).waitFor();
    await button(page, 'Clear').click();
    await page.getByText('No forced errors').waitFor();

    await page.getByLabel('Hostname, or *.name').fill('*.acme.com');
    await button(page, 'Hold').click();
    await page.locator('.row-link', { hasText: '*.acme.com' }).waitFor();
    expect((await lab().api(`GET /domains/${id}`)).body.status).toBe('held');
    await button(page, 'Release *.acme.com').click();
    await page.getByText('No holds').waitFor();
  });
});

test("the emulator's page copies the settings that a program needs, exports the state, and resets it after a confirmation", async () => {
  await lab().add('careers.acme.com');
  const { emulator } = lab();
  const permissions = ['clipboard-read', 'clipboard-write'];
  await lab().open(
    '/emulator',
    async (page) => {
      const clipboard = () => page.evaluate('navigator.clipboard.readText()');
      await button(page, 'Copy the test key').click();
      await expect.poll(clipboard).toBe(emulator.keys.test);
      await button(page, 'Copy the environment of your program').click();
      await expect.poll(clipboard).toContain(`NAMEPLATE_BASE_URL=${emulator.url}\n`);
      await page.getByText('All apps together have 1 domain ').waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export' }).click();
      expect((await download).suggestedFilename()).toBe('emulator.json');
      await button(page, 'Reset…').click();
      await button(page, 'Cancel').click();
      expect((await lab().control('GET /status')).body['counts']).toMatchObject({ domains: 1 });
      await button(page, 'Reset…').click();
      await button(page, 'Reset').click();
      await said(page, 'Emulator reset.');
      await page.getByText('All apps together have 0 domains ').waitFor();
    },
    { permissions },
  );
});
