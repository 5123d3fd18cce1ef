import { expect, test } from 'vitest';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { connectUnderTest } from '../connect/connect-under-test.ts';
import { serveAppPage } from './app-page.ts';
import { openPage } from './open-page.ts';
import { tokenFor } from './tokens.ts';

/** Changes a block of records as if the DNS provider offered Domain Connect, and its panel had an unsafe address. */
function withOneClick(content: { blocks: { kind: string }[] }): object {
  const link = { text: 'Connect automatically', href: 'https://dns.example/apply' };
  const oneClick = { text: 'One click', link, alternative: 'Or by hand', waits: 'Come back here' };
  const unsafe = {
    title: 'By hand',
    link: { text: 'Unsafe', href: 'javascript:alert(1)' },
    records: [],
    text: null,
  };
  const blocks = content.blocks.map((block) =>
    block.kind === 'records' ? { ...block, one_click: oneClick, ways: [unsafe] } : block,
  );
  return { ...content, blocks };
}

test('once the visitor opens the automatic connection, the component says what happens next, and it drops an unsafe address', async ({
  skip,
}) => {
  await using browser = await launchChromium();
  if (browser === null) return skip(NO_CHROMIUM);
  await using underTest = await connectUnderTest();
  await using site = await serveAppPage();
  const { id } = await underTest.add('embed-one-click.acme.com');
  const shown = { token: await tokenFor(underTest, id), baseUrl: underTest.url };
  await openPage(
    { browser, site },
    shown,
    async (page) => {
      await page.context().route('https://dns.example/*', (route) => route.fulfill({ body: '' }));
      await page.route('**/v1/connect?*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: withOneClick(await response.json()) });
      });
      await page.reload();
      const link = page.getByRole('link', { name: 'Connect automatically' });
      const waits = page.locator('#one-click-waits');
      await link.waitFor();
      expect(await waits.isVisible()).toBe(false);
      await link.click();
      await expect.poll(() => waits.isVisible()).toBe(true);
      expect(await waits.textContent()).toBe('Come back here');
      expect(await page.getByText('Unsafe').locator('xpath=..').getAttribute('href')).toBeNull();
    },
    {},
  );
});
