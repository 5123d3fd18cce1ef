import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmulator } from '../../emulator/start.ts';
import { createClient } from '../../shared/client/client.ts';
import { faults } from '../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { type ConnectUnderTest, connectUnderTest } from '../connect/connect-under-test.ts';
import { picture } from '../connect/picture.ts';
import { STATES } from '../connect/states.ts';
import { type AppPage, type ShownPage, serveAppPage } from './app-page.ts';
import { DEADLINE_MS, type OpenOptions, openPage } from './open-page.ts';
import { tokenFor } from './tokens.ts';

/** Opens pages that embed the component, under a strict content security policy. With SCREENSHOTS=<folder>, saves pictures there. */
let browser: Browser | null;
let underTest: ConnectUnderTest;
let site: AppPage;

beforeAll(async () => {
  [browser, underTest, site] = await Promise.all([launchChromium(), connectUnderTest(), serveAppPage()]);
});

beforeEach(({ skip }) => {
  if (browser === null) skip(NO_CHROMIUM);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([underTest[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]);
});

const ALLOWED = { 'access-control-allow-origin': '*' };
const soon = (read: () => Promise<unknown>) => expect.poll(read, { timeout: DEADLINE_MS });

const open = (shown: ShownPage, work: (page: Page) => Promise<void>, options: OpenOptions = {}) =>
  openPage({ browser, site }, shown, work, options);

const headline = (page: Page) => page.locator('nameplate-connect #headline').textContent();
const textOf = (page: Page) => page.locator('nameplate-connect .body').innerText();
const eventsOf = (page: Page) => page.evaluate<Record<string, unknown>[]>('events');
const said = (page: Page) => page.locator('nameplate-connect [role=status]').textContent();

async function shownFor(domainId: string, more: Partial<ShownPage> = {}): Promise<ShownPage> {
  return { token: await tokenFor(underTest, domainId), baseUrl: underTest.url, ...more };
}

test('the component shows a domain from its creation to active, under a strict content security policy', async () => {
  await using emulator = await startEmulator({ port: 0, clock: 'frozen' });
  const client = createClient({ apiKey: emulator.keys.test, baseUrl: emulator.url });
  const domain = await client.domains.create({ hostname: 'careers.acme.com' });
  const { token, base_url } = await client.domains.createConnectToken(domain.id);
  await open({ token, baseUrl: base_url }, async (page) => {
    await soon(() => headline(page)).toContain('Waiting for your DNS record');
    expect(await textOf(page)).toContain(domain.dns.cname?.value);
    await emulator.clock.advance('30s');
    await soon(async () => {
      await page.clock.runFor(10_000);
      return headline(page);
    }).toContain('Your test domain is live');
    await soon(() => said(page)).toBe('Your test domain is live');
    const events = await eventsOf(page);
    expect(events.at(0)).toEqual({
      type: 'nameplate:status',
      domainId: domain.id,
      hostname: 'careers.acme.com',
      status: 'pending_dns',
      previousStatus: null,
      mode: 'test',
    });
    expect(events.at(-1)).toMatchObject({ type: 'nameplate:active', status: 'active' });
    expect(events.filter(({ type }) => type === 'nameplate:error')).toEqual([]);
  });
});

/** States that together show every kind of block and every tone. */
const SHOWN = STATES.filter(({ name }) =>
  ['pending at a provider', 'pending with a fault', 'active', 'certificate failed', 'deleted'].includes(name),
);

test.for(SHOWN)('$name: has no serious accessibility violation, in light and dark', async (state) => {
  const domain = await underTest.add(`embed-${state.hostname}`, state.mode);
  const shown = await shownFor(domain.id);
  await state.lead(underTest, domain.id);
  const style = ':root { color-scheme: light dark } body { background: Canvas; font-family: sans-serif }';
  await open({ ...shown, style }, async (page) => {
    await page.locator('nameplate-connect #headline').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await faults(page, { coloursOnly: colorScheme === 'dark' })).toEqual([]);
      await picture(page, `embed-${state.name}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});

test('the component copies a value with the keyboard, and announces the copy on the button and to screen readers', async () => {
  const { id, dns } = await underTest.add('embed-copy.acme.com');
  await open(
    await shownFor(id),
    async (page) => {
      const button = page.getByRole('button', { name: 'Copy the Value' }).first();
      await button.focus();
      await page.keyboard.press('Enter');
      await soon(() => button.textContent()).toBe('Copied');
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(dns.cname?.value);
      await soon(async () => {
        await page.clock.runFor(100);
        return said(page);
      }).toBe('Copied the Value');
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
});

test('the component keeps the focus and its open parts when the content changes', async () => {
  const { id } = await underTest.add('embed-focus.acme.com');
  await open(await shownFor(id), async (page) => {
    const steps = page.locator('summary', { hasText: 'Show me how, step by step' });
    await steps.focus();
    await page.keyboard.press('Enter');
    await underTest.see(id, { name_servers: ['ns01.domaincontrol.com'], progress: 'untouched' });
    await soon(async () => {
      await page.clock.runFor(10_000);
      return textOf(page);
    }).toContain('GoDaddy');
    const focused = 'document.querySelector("nameplate-connect").shadowRoot.activeElement.textContent';
    expect(await page.evaluate(focused)).toBe('Show me how, step by step');
    expect(await page.locator('nameplate-connect details[open]').count()).toBe(1);
  });
});

test('the component shows the steps of the DNS provider that the visitor chooses', async () => {
  const { id } = await underTest.add('embed-provider.acme.com');
  await open(await shownFor(id), async (page) => {
    await page.getByText('Which DNS provider do you use?').click();
    await page.getByRole('combobox', { name: 'DNS provider' }).selectOption('cloudflare');
    await soon(() => textOf(page)).toContain('Add this record at Cloudflare');
  });
});

test('the component requests a check, and shows the result beside the button', async () => {
  const { id } = await underTest.add('embed-check.acme.com');
  await open(await shownFor(id), async (page) => {
    await page.getByRole('button', { name: 'Check now' }).waitFor();
    // Answers the component's requests with 204. Otherwise, the emulator's timer would end the check immediately, and the result would
    // replace the notice.
    await page.route('**/v1/connect?*', (route) => route.fulfill({ status: 204, headers: ALLOWED }));
    await page.getByRole('button', { name: 'Check now' }).click();
    await soon(() => page.locator('nameplate-connect [part=notice]').textContent()).toContain('checking now');
    await page.getByRole('button', { name: /Check/ }).click();
    await soon(() => page.locator('nameplate-connect [part=notice]').textContent()).toContain('15 seconds');
  });
});

test.each(['async () => token', '() => token'])(
  'the component asks the app for a new token when the current token has expired: %s',
  async (getToken) => {
    const { id } = await underTest.add('embed-renew.acme.com');
    const shown = await shownFor(id, { token: 'ct_expired' });
    const renewed = await tokenFor(underTest, id);
    const script = `addEventListener('DOMContentLoaded', () => {
    const token = '${renewed}';
    document.querySelector('nameplate-connect').getToken = ${getToken};
  });`;
    await open(
      { ...shown, script },
      async (page) => {
        await soon(() => headline(page)).toContain('Waiting for your DNS record');
        expect((await eventsOf(page)).map(({ type }) => type)).not.toContain('nameplate:token-expired');
      },
      { ignored: /status of 401/ },
    );
  },
);

test('the component takes properties that the page set before the component was defined', async () => {
  const { id } = await underTest.add('embed-early.acme.com');
  const renewed = await tokenFor(underTest, id);
  const script = `const early = document.createElement('nameplate-connect');
  Object.assign(early, { token: 'ct_expired', baseUrl: '${underTest.url}', getToken: async () => '${renewed}' });
  addEventListener('DOMContentLoaded', () => document.querySelector('main').append(early));`;
  await open(
    { token: '', baseUrl: underTest.url, script },
    async (page) => {
      await soon(() => headline(page)).toContain('Waiting for your DNS record');
    },
    { ignored: /status of 401/ },
  );
});

test('the component asks for a new token only once if the new token is refused as well', async () => {
  const script = `globalThis.asked = 0;
  addEventListener('DOMContentLoaded', () => {
    document.querySelector('nameplate-connect').getToken = async () => 'ct_refused_' + (asked += 1);
  });`;
  await open(
    { token: 'ct_expired', baseUrl: underTest.url, script },
    async (page) => {
      await soon(() => eventsOf(page)).toEqual([{ type: 'nameplate:token-expired' }]);
      expect(await page.evaluate('asked')).toBe(1);
    },
    { ignored: /status of 401/ },
  );
});

test.each(['null', "() => { throw 'signed out' }", '() => ({})'])(
  'the component keeps its children and reports an expired token if the app returns no new token: %s',
  async (getToken) => {
    const script = `addEventListener('DOMContentLoaded', () => {
    document.querySelector('nameplate-connect').getToken = ${getToken};
  });`;
    await open(
      { token: 'ct_expired', baseUrl: underTest.url, script },
      async (page) => {
        await soon(() => eventsOf(page)).toEqual([{ type: 'nameplate:token-expired' }]);
        expect(await page.getByText('Loading…').isVisible()).toBe(true);
      },
      { ignored: /status of 401|signed out/ },
    );
  },
);

test('the component is laid out from the right in a page that runs from right to left', async () => {
  const { id } = await underTest.add('embed-rtl.acme.com');
  await open(await shownFor(id, { lang: 'ar', dir: 'rtl' }), async (page) => {
    await page.locator('nameplate-connect #headline').waitFor();
    const turn = `document.querySelector('nameplate-connect').shadowRoot.querySelector('.body').dir = 'rtl'`;
    await page.evaluate(turn);
    const card = await page.locator('nameplate-connect .card').first().boundingBox();
    const sign = await page.locator('nameplate-connect .state .i').boundingBox();
    expect((sign?.x ?? 0) + (sign?.width ?? 0)).toBeGreaterThan((card?.x ?? 0) + (card?.width ?? 0) - 40);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await picture(page, 'embed-rtl');
  });
});

test('the component takes the colours and the shapes of the app', async () => {
  const { id } = await underTest.add('embed-theme.acme.com');
  const style = `nameplate-connect { --nameplate-card: rgb(1, 2, 3); --nameplate-radius: 0 }
    nameplate-connect::part(headline) { letter-spacing: 3px }`;
  await open(await shownFor(id, { style, lang: 'de' }), async (page) => {
    await soon(() => headline(page)).toContain('Warten auf Ihren Eintrag');
    const styleOf = (selector: string, name: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('nameplate-connect').shadowRoot.querySelector('${selector}')).${name}`,
      );
    expect(await styleOf('.card', 'backgroundColor')).toBe('rgb(1, 2, 3)');
    expect(await styleOf('#headline', 'letterSpacing')).toBe('3px');
    expect(await styleOf('.record', 'backgroundColor')).toBe('rgb(1, 2, 3)');
    expect(await styleOf('.record', 'borderRadius')).toBe('0px');
  });
});

test('the component shows that the server cannot be reached, and continues when the server is back', async () => {
  const { id } = await underTest.add('embed-offline.acme.com');
  await open(
    await shownFor(id),
    async (page) => {
      await page.locator('nameplate-connect #headline').waitFor();
      const offline = page.locator('nameplate-connect [part=offline]');
      await page.route('**/v1/connect?*', (route) => route.abort());
      await soon(async () => {
        await page.clock.runFor(30_000);
        return offline.isVisible();
      }).toBe(true);
      expect((await eventsOf(page)).at(-1)).toMatchObject({ type: 'nameplate:error', code: 'network_error' });
      await page.unroute('**/v1/connect?*');
      await soon(async () => {
        await page.clock.runFor(60_000);
        return offline.isVisible();
      }).toBe(false);
    },
    { ignored: /ERR_FAILED/ },
  );
});

test('the component works as a component of React, with callbacks', async () => {
  const { id } = await underTest.add('embed-react.acme.com');
  await open(await shownFor(id, { usesReact: true }), async (page) => {
    await soon(() => headline(page)).toContain('Waiting for your DNS record');
    expect(await page.locator('nameplate-connect').getAttribute('class')).toBe('mine');
    await underTest.lead(id, ['dns_confirmed', 'certificate_issued']);
    await soon(async () => {
      await page.clock.runFor(10_000);
      return (await eventsOf(page)).map(({ type, status }) => `${type} ${status}`);
    }).toContain('react onActive active');
    expect((await eventsOf(page)).map(({ type }) => type)).toContain('react onStatus');
  });
});
