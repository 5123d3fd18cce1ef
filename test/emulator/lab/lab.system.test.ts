import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { FORCED_OUTCOMES } from '../../../shared/core/domains/test-mode.ts';
import { labOfEachTest } from './lab-of-each-test.ts';
import { labUnderTest } from './lab-under-test.ts';

/** Tests how a developer uses the dashboard with the lab, in a real browser. */
const { browser, lab } = labOfEachTest();

const said = (page: Page, text: string | RegExp) => page.locator('.notice', { hasText: text }).waitFor();
const rows = (page: Page) => page.getByRole('listitem').locator('.row-main').allTextContents();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('in the lab, domains appear and change by themselves, and can be found by text, status and mode', async () => {
  await lab().open('/domains', async (page) => {
    await page.getByText('No test domains yet').waitFor();
    await lab().add('one.acme.com');
    await lab().add('three.acme.com');
    await lab().add('two.acme.com', 'live');
    await expect.poll(async () => (await rows(page)).toSorted()).toEqual(['one.acme.com', 'three.acme.com']);
    await lab().emulator.clock.untilIdle();
    await expect.poll(() => page.locator('.row .st.good').count()).toBe(2);

    await page.getByLabel('Hostname begins with').fill('ONE');
    await expect.poll(() => rows(page)).toEqual(['one.acme.com']);
    expect(page.url()).toMatch(/\/domains\?hostname=ONE$/);
    await page.reload();
    await expect.poll(() => rows(page)).toEqual(['one.acme.com']);
    await page.getByLabel('Hostname begins with').fill('');
    await page.getByRole('link', { name: /^Active/ }).click();
    await expect.poll(async () => (await rows(page)).length).toBe(2);
    await page.getByLabel('Hostname begins with').fill('nothing');
    await page.getByText('No domain matches this filter.').waitFor();
    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await expect.poll(() => rows(page)).toEqual(['two.acme.com']);
  });
});

test('the lab adds a domain through the API, and shows a refusal beside the form', async () => {
  await lab().open('/domains', async (page) => {
    await button(page, 'Add domain').first().click();
    const dialog = page.getByRole('dialog');
    const hostname = dialog.getByLabel('Hostname');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('hostname');
    await hostname.fill('com');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await hostname.fill('careers.acme.com');
    await page.keyboard.press('Enter');
    await said(page, 'Added careers.acme.com.');
    await page.getByRole('heading', { name: 'careers.acme.com' }).waitFor();
    expect(page.url()).toMatch(/\/domains\/dom_/);
  });
});

test('the Add dialog of the lab suggests only hostnames with existing test labels', async () => {
  await lab().open('/domains', async (page) => {
    await button(page, 'Add domain').first().click();
    const list = await page.getByRole('dialog').getByLabel('Hostname').getAttribute('list');
    const suggested = await page.evaluate<string[]>(
      `Array.from(document.querySelectorAll('#${list} option'), ({ value }) => value)`,
    );
    expect(suggested).toEqual(FORCED_OUTCOMES.map(({ label }) => `${label}.acme.com`));
  });
});

test('in the lab, the focused row stays focused while newer rows arrive', async () => {
  for (const name of ['one', 'two', 'three']) {
    await lab().add(`${name}.acme.com`);
    await lab().emulator.clock.advance(1);
  }
  await lab().open('/domains', async (page) => {
    const focused = () => page.evaluate<string>('document.activeElement.innerText');
    await page.locator('a.row').first().waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('j');
    await expect.poll(focused).toContain('two.acme.com');
    await lab().add('newer.acme.com');
    await page.locator('a.row', { hasText: 'newer.acme.com' }).waitFor();
    expect(await focused()).toContain('two.acme.com');
    await page.keyboard.press('j');
    await expect.poll(focused).toContain('one.acme.com');
  });
});

test('a forced error waits for a request of the program, and is not used up by requests of the lab', async () => {
  const id = await lab().add('careers.acme.com');
  await lab().control('PUT /errors', { code: 'card_declined', times: 1 });
  await lab().open(`/domains/${id}`, async (page) => {
    await page.getByRole('heading', { name: 'careers.acme.com' }).waitFor();
    await page.getByRole('link', { name: 'domain.created' }).waitFor();
  });
  expect((await lab().api('GET /domains')).body.error.code).toBe('card_declined');
});

test("a domain's page in the lab has a button for each possible trigger, with the status that follows", async () => {
  const id = await lab().add('careers.acme.com');
  await lab().open(`/domains/${id}`, async (page) => {
    const current = page.locator('.now .st');
    await current.filter({ hasText: 'Waiting for DNS' }).waitFor();
    for (const [trigger, to] of [
      ['dns_seen', 'Confirming DNS'],
      ['dns_confirmed', 'Getting certificate'],
      ['certificate_issued', 'Active'],
      ['hold', 'On hold'],
      ['release', 'Active'],
    ] as const) {
      await button(page, new RegExp(`^${trigger}\\b.*${to}$`)).click();
      await current.filter({ hasText: to }).waitFor();
    }
    await page.getByLabel('Reason for a failure').selectOption('dns_conflicting_record');
    await button(page, /^dns_gone\b.*DNS broken$/).click();
    await current.filter({ hasText: 'DNS broken' }).waitFor();
    await page.locator('.cause', { hasText: 'dns_conflicting_record' }).waitFor();
    expect(await button(page, /^delete\b/).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'All states and triggers' }).getAttribute('href')).toBe(
      `${lab().emulator.url}/docs/states`,
    );
  });
});

test('the lab asks for a confirmation before it deletes a domain, also by keyboard', async () => {
  const id = await lab().add('careers.acme.com');
  const statusNow = async () => (await lab().api(`GET /domains/${id}`)).status;
  await lab().open(`/domains/${id}`, async (page) => {
    const opener = button(page, 'Delete…');
    const dialog = page.getByRole('dialog', { name: 'Delete careers.acme.com from test mode?' });
    await opener.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    // The dialog asks for the hostname first, so a second press of Enter deletes nothing.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await statusNow()).toBe(200);
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Delete…');

    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.type('careers.acme.com');
    await page.keyboard.press('Enter');
    await said(page, 'Deleted careers.acme.com.');
    expect(await statusNow()).toBe(404);
  });
});

test("the lab shows a domain's records, certificate, events, due work and a link to its connect page", async () => {
  const id = await lab().add('careers.acme.com');
  await lab().emulator.clock.untilIdle();
  const { body } = await lab().api(`GET /domains/${id}`);
  await lab().open(`/domains/${id}`, async (page) => {
    const connect = page.getByRole('link', { name: 'Connect page' });
    expect(await connect.getAttribute('href')).toBe(body['connect_url']);
    expect(await connect.getAttribute('rel')).toBe('noreferrer');
    const { port } = new URL(lab().emulator.edgeUrl);
    const atEdge = page.getByRole('link', { name: 'At the edge' });
    expect(await atEdge.getAttribute('href')).toBe(`http://careers.acme.com.localhost:${port}/`);
    await page.locator('.facts', { hasText: 'Due next' }).getByText('renew').waitFor();
    await page.getByText('CNAME', { exact: true }).waitFor();
    await page.getByText('Valid until').waitFor();
    await page.getByRole('link', { name: 'domain.active' }).click();
    await page.getByRole('heading', { name: 'domain.active' }).waitFor();
    expect(page.url()).toMatch(/\/events\/evt_/);
  });
});

test("the lab shows an event's body and attempts, can send the event again, and checks a signature", async () => {
  lab().answer(503);
  await lab().add('careers.acme.com');
  await lab().emulator.clock.advance(0);
  await lab().open('/events', async (page) => {
    await page.getByRole('link', { name: /domain\.created/ }).click();
    await expect.poll(() => page.locator('.attempts .attempt').count()).toBe(1);
    await page.locator('pre', { hasText: '"hostname": "careers.acme.com"' }).waitFor();
    lab().answer(200);
    await button(page, 'Send again now').click();
    await said(page, 'The receiver responded with 200');
    await expect.poll(() => page.locator('.attempts .attempt').count()).toBe(2);
    await page.locator('.detail-head .st', { hasText: 'Delivered' }).waitFor();
    expect(lab().received()).toBe(2);

    await button(page, 'Check').click();
    await page.locator('.verdict.good').waitFor();
    await page.getByLabel('Signature header that your receiver got').fill('t=1,v1=00');
    await button(page, 'Check').click();
    await page.locator('.verdict.bad').waitFor();
  });
});

test('the lab finds events by type and delivery', async () => {
  await lab().add('one.acme.com');
  await lab().add('two.acme.com');
  await lab().emulator.clock.untilIdle();
  await lab().open('/events?delivery=delivered', async (page) => {
    await expect.poll(async () => (await rows(page)).length).toBe(6);
    await page.getByLabel('Type').selectOption('domain.active');
    await expect.poll(async () => (await rows(page)).length).toBe(2);
    await page.getByRole('link', { name: 'Failed', exact: true }).click();
    await page.getByText('No event matches this filter.').waitFor();
  });
});

test('the lab shows edge requests with the forwarded headers as text, and can replay a request', async () => {
  await lab().add('careers.acme.com');
  await lab().emulator.clock.untilIdle();
  const hostile = '/jobs?q=%3Cimg%20src=x%20onerror=alert(1)%3E<b>bold</b>';
  await lab().open('/requests', async (page) => {
    await page.getByText('No requests yet').waitFor();
    expect(await lab().visit('careers.acme.com', hostile)).toBe(200);
    await page.getByRole('link', { name: /GET \/jobs/ }).click();
    await page.locator('.headers th', { hasText: 'X-Service-Signature' }).waitFor();
    await page.getByRole('heading', { name: hostile }).waitFor();
    expect(await page.locator('main b, main img').count()).toBe(0);
    await button(page, 'Replay').click();
    await said(page, 'The response is 200');
    await page.getByRole('heading', { name: 'Response to the replay' }).waitFor();
    await expect.poll(async () => (await rows(page)).length).toBe(2);
    await page.getByRole('link', { name: /^dom_/ }).click();
    await page.getByRole('heading', { name: 'careers.acme.com' }).waitFor();
    await page.goBack();
    await page.getByLabel('Method, host').fill('nothing');
    await page.getByText('No request matches this filter.').waitFor();
  });
});

test('the lab shows captured mail with working links', async () => {
  const id = await lab().add('careers.acme.com');
  const { body } = await lab().api(`GET /domains/${id}`);
  await lab().open('/mail', async (page) => {
    await page.getByText('No mail yet').waitFor();
    await fetch(`${body['connect_url']}/notify`, {
      method: 'POST',
      body: new URLSearchParams({ address: 'ada@example.com' }),
      headers: { origin: lab().emulator.url },
    });
    await lab().emulator.clock.untilIdle();
    await page.getByRole('link', { name: /ada@example\.com/ }).click();
    const links = page.locator('.mail-text a');
    expect(await links.first().getAttribute('href')).toContain(`${lab().emulator.url}/connect/mail/`);
    expect(await links.first().getAttribute('target')).toBe('_blank');
  });
});

test('the lab shows that the emulator is unreachable, and reconnects when it is back', async () => {
  await lab().open('/domains', async (page) => {
    await page.locator('.connection.live').waitFor();
    const port = Number(new URL(lab().emulator.url).port);
    await lab().emulator.close();
    await page.locator('.connection.lost').waitFor();
    await using again = await labUnderTest(browser(), { port });
    await again.add('back.acme.com');
    await page.locator('.connection.live').waitFor();
    await expect.poll(() => rows(page)).toEqual(['back.acme.com']);
  });
});
