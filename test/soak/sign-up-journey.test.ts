import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../bin/browser-script.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/core/instant.ts';
import { launchChromium, NO_CHROMIUM } from '../connect/chromium.ts';
import { describePebble } from '../fixtures/acme/pebble.ts';
import { describeRealInternet } from '../fixtures/describe-real-internet.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { auditAsCsv, auditOfJourney, auditOnPage, ordered } from '../journey/audit-log.ts';
import { type JourneyWorld, startJourney } from '../journey/journey-world.ts';
import { choose, openRow, press, select, type } from '../journey/keyboard.ts';
import { addAuthenticator, meet, type Person } from '../journey/person.ts';
import { addCard, choosePlan, openLivePlan, payOpenInvoice } from '../journey/plan-page.ts';
import { verified, verifiedTestEvent } from '../journey/verified-delivery.ts';
import { changesOfViewer, VIEWS_OF_VIEWER } from '../journey/viewer.ts';

const ADA = 'ada@example.com';
const VERA = 'vera@example.com';
const HOSTNAME = 'careers.acme.test';
const SERVED = '200 hello from the origin';
const PATIENT = { timeout: 20_000, interval: 100 };

/** Both people use their pages with the keyboard alone. */
describeRealInternet('From the sign-up to a suspended account and back, on two nodes', () => {
  describePebble('with Pebble', () => {
    describePostgres('on Postgres', () => {
      let browser: Browser | null;
      let world: JourneyWorld;
      let ada: Person;
      let vera: Person;
      let liveKey = '';
      let secret = '';
      /** True after a failed step. The test skips all later steps, because each step needs all earlier steps. */
      let isBroken = false;

      beforeAll(async () => {
        await bundleBrowserScripts(path.resolve(import.meta.dirname, '../..'));
        browser = await launchChromium();
        if (browser === null) return;
        world = await startJourney();
        ada = await meet(browser, world, ADA);
        vera = await meet(browser, world, VERA);
      });

      beforeEach(({ skip, onTestFailed }) => {
        if (browser === null) skip(NO_CHROMIUM);
        if (isBroken) skip('a step before it failed');
        onTestFailed(() => {
          isBroken = true;
        });
      });

      afterAll(async () => {
        await browser?.close();
        await world?.[Symbol.asyncDispose]();
      });

      const { poll } = expect;

      test('a person signs up with a mailed link, and names the account', async () => {
        const { page } = ada;
        await page.goto(`${world.gateway.url}/dashboard`);
        await type(page, page.getByLabel('Email address'), ADA);
        await page.keyboard.press('Enter');
        await page.getByText('a link is on its way').waitFor();
        await page.goto(await ada.signInLink());
        await ada.press('Sign in');
        await type(page, page.getByLabel('Name of your company or product'), 'Acme');
        await page.keyboard.press('Enter');
        expect(await page.getByRole('dialog').locator('code').textContent()).toMatch(/^sk_test_/);
        await ada.press('I have copied it');
        await page.getByRole('heading', { name: 'Home' }).waitFor();
        expect(await page.locator('.app-name').textContent()).toBe('Acme');
      });

      test("the owner adds a card on Stripe's page, and chooses a plan", async () => {
        await openLivePlan(ada);
        await addCard(ada, 'Add a card', 'Card that pays');
        await ada.page.getByText('ending in 4242').waitFor();
        await choosePlan(ada, 'growth');
        await ada.page.getByText('You chose the plan growth.').waitFor();
        await ada.page.getByText('Renews').waitFor();
      });

      test('the owner sets the origin, and creates a live key that is shown once', async () => {
        const { page } = ada;
        await ada.open('App');
        await ada.set('Address', world.origin.url);
        await page.getByText('Saved.').waitFor();
        await ada.open('Keys');
        await ada.press('New key…');
        await type(page, page.getByLabel('Name'), 'production server');
        await choose(page, page.getByRole('combobox', { name: 'Mode' }), 'live');
        await ada.pressInDialog('Create');
        liveKey = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
        expect(liveKey).toMatch(/^sk_live_/);
        await ada.press('I have copied it');
      });

      test('a domain that the key adds goes live on both nodes, with a certificate from Pebble', async () => {
        const { status, body } = await world.call(liveKey, 'POST /domains', { hostname: HOSTNAME });
        expect(status).toBe(201);
        const { cname } = body['dns'] as { cname: { value: string } };
        await world.setRecords([`careers CNAME ${cname.value}.`]);
        await world.call(liveKey, `POST /domains/${body.id}/verify`);
        const shown = async () => (await world.call(liveKey, `GET /domains/${body.id}`)).body;
        await poll(shown, PATIENT).toMatchObject({ status: 'active' });
        await poll(() => world.visit(HOSTNAME), PATIENT).toEqual([SERVED, SERVED]);
        await ada.open('Domains');
        await openRow(ada.page, ada.page.getByRole('link', { name: HOSTNAME }));
        await ada.page.getByRole('heading', { name: HOSTNAME }).waitFor();
        await ada.page.locator('.detail-head').getByText('active').waitFor();
      });

      test('a new sign-in reveals the signing secret, which verifies a delivery', async () => {
        const { page, context } = ada;
        await ada.open('Webhook');
        await ada.set('Address', world.receiver.url);
        await page.getByText('Saved.').waitFor();
        await world.call(liveKey, 'POST /domains', { hostname: 'shop.acme.test' });
        const [arrival] = await world.receiver.until(1, ({ hostname }) => hostname === 'shop.acme.test');
        // Waits until the delivery is recorded. Otherwise, its lease would expire when the clock moves, and the event would be sent again.
        const event = async () => (await world.call(liveKey, `GET /events/${arrival?.event_id}`)).body;
        await poll(event, PATIENT).toMatchObject({ delivery: { status: 'delivered' } });
        await world.moveClock(11 * MINUTE_MS);
        await ada.press('Reveal');
        const dialog = page.getByRole('dialog', { name: 'Confirm it is you' });
        await ada.pressInDialog('Email me a sign-in link');
        await dialog.getByText('a link is on its way').waitFor();
        const tab = await context.newPage();
        await tab.goto(await ada.signInLink());
        await press(tab, tab.getByRole('button', { name: 'Sign in', exact: true }));
        await tab.getByRole('heading', { name: 'Webhook' }).waitFor();
        await tab.close();
        secret = await ada.fact('Secret');
        expect(await dialog.count()).toBe(0);
        expect(await verified(arrival, secret)).toBe('domain.created');
      });

      test('a test event shows the response, but does not appear in the event log', async () => {
        await ada.press('Send test event');
        await ada.page.getByText('Test event sent.').waitFor();
        await ada.page.locator('.facts').getByText('200').waitFor();
        expect(await verifiedTestEvent(world.receiver, secret)).toBe('domain.active');
        const { body } = await world.call(liveKey, 'GET /events');
        const types = (body['data'] as { type: string }[]).map(({ type }) => type);
        expect(types).toEqual(['domain.created', 'domain.active', 'domain.verified', 'domain.created']);
      });

      test('an event can be delivered again', async () => {
        const { page } = ada;
        const [first] = await world.receiver.until(1, ({ hostname }) => hostname === 'shop.acme.test');
        await ada.open('Events');
        await openRow(page, page.getByRole('link', { name: /^domain\.created .*shop\.acme\.test/ }));
        await page.getByRole('heading', { name: 'domain.created' }).waitFor();
        await ada.press('Redeliver');
        await page.getByText('The receiver responded with 200.').waitFor();
        const again = await world.receiver.until(2, ({ event_id }) => event_id === first?.event_id);
        expect(await verified(again[1], secret)).toBe('domain.created');
        await poll(() => page.locator('.attempts > li').count(), PATIENT).toBe(2);
      });

      test("a viewer signs in at the company's identity provider, and cannot change anything", async () => {
        await ada.open('Members');
        await ada.press('Invite…');
        await type(ada.page, ada.page.getByLabel('Email address'), VERA);
        await select(ada.page, ada.page.getByRole('radio', { name: /^viewer/ }));
        await ada.page.keyboard.press('Enter');
        await ada.page.getByText(`Invited ${VERA}.`).waitFor();
        await vera.mail(/^You were added to Acme/);
        world.issuer.person.mail = VERA;
        const { page } = vera;
        await page.goto(`${world.gateway.url}/dashboard`);
        await press(page, page.getByRole('link', { name: 'Sign in with Acme ID' }));
        await page.getByRole('heading', { name: 'Home' }).waitFor();
        await press(page, page.getByRole('link', { name: 'Live', exact: true }));
        for (const view of VIEWS_OF_VIEWER) {
          await vera.open(view);
          await page.waitForLoadState('networkidle');
          const names = await page.locator('main button').allTextContents();
          expect([view, names.filter((name) => !/^(?:CSV|Leave…|)$/.test(name.trim()))]).toEqual([view, []]);
        }
        expect(await changesOfViewer(vera)).toEqual([]);
      });

      test('the owner registers a passkey, signs out, and signs in with it', async () => {
        const { page } = ada;
        await addAuthenticator(ada);
        await ada.open('Sessions');
        await ada.press('Add…');
        await type(page, page.getByLabel('Name, such as the device'), 'Laptop');
        await page.keyboard.press('Enter');
        await page.getByText('Added Laptop.').waitFor();
        await ada.press('Sign out');
        await ada.press('Use a passkey');
        await page.getByRole('heading', { name: 'Home' }).waitFor();
      });

      test('the owner rotates the signing secret, and both secrets verify a delivery', async () => {
        const { page } = ada;
        await press(page, page.getByRole('link', { name: 'Live', exact: true }));
        await ada.open('Webhook');
        await ada.press('Rotate…');
        await ada.pressInDialog('Rotate');
        await poll(() => ada.fact('Previous'), PATIENT).toBe(secret);
        const rotated = await ada.fact('Secret');
        expect(rotated).not.toBe(secret);
        await ada.press('Send test event');
        await page.getByText('Test event sent.').waitFor();
        for (const each of [secret, rotated])
          expect(await verifiedTestEvent(world.receiver, each)).toBe('domain.active');
      });

      test('a declined card does not change the plan', async () => {
        const { page } = ada;
        await ada.open('Plan');
        await addCard(ada, 'Use another card', /declined/);
        await page.getByText('ending in 0341').waitFor();
        await choosePlan(ada, 'scale');
        await page.getByRole('dialog').getByText('card was declined.').waitFor();
        await page.keyboard.press('Escape');
        const [item] = world.stripe.account.subscriptionOf(customer()).items.data;
        expect(item?.price.id).toBe('price_growth');
      });

      test('after a failed renewal, mails follow for a week, and then the account is suspended', async () => {
        world.stripe.account.endPeriod(customer());
        await ada.mail(/^A payment for Acme failed$/);
        await ada.page.reload();
        await ada.page.getByText('payment failed').waitFor();
        for (let mails = 0; mails < 2; mails++) {
          await world.moveClock(3 * DAY_MS);
          await ada.mail(/^A payment for Acme failed$/);
          // Uses the session, because a session ends if it is not used for a week.
          await ada.page.reload();
          await ada.page.getByText('payment failed').waitFor();
        }
        await world.moveClock(DAY_MS + MINUTE_MS);
        await ada.mail(/^Acme is suspended$/);
        await ada.page.reload();
        await ada.page.getByText('The account is suspended.').waitFor();
      });

      test('a suspended account cannot change anything, but its domain is still served', async () => {
        await ada.open('App');
        await ada.set('Name', 'Renamed');
        await ada.page.getByText('The account is suspended').waitFor();
        const refused = await world.call(liveKey, 'POST /domains', { hostname: 'blog.acme.test' });
        expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'account_suspended' } }]);
        expect(await world.visit(HOSTNAME)).toEqual([SERVED, SERVED]);
      });

      test("the owner pays on Stripe's portal, and the account is active again", async () => {
        await ada.open('Plan');
        await payOpenInvoice(ada);
        await ada.mail(/^Acme is active again$/);
        await ada.page.reload();
        await ada.page.getByText('Renews').waitFor();
        expect(await ada.page.getByText(/suspended|payment failed/).count()).toBe(0);
        await ada.open('App');
        await ada.set('Name', 'Acme Careers');
        await ada.page.getByText('Saved.').waitFor();
      });

      test('the audit log shows all these actions in order, on the page and as CSV', async () => {
        await ada.open('Audit log');
        const lines = await auditOnPage(ada);
        expect(ordered(lines)).toEqual(auditOfJourney(ADA, VERA));
        const saved = await auditAsCsv(ada);
        expect(saved.map(({ actor, action }) => `${actor} ${action}`)).toEqual(
          lines.map((line) => line.split(' ', 2).join(' ')),
        );
        const times = saved.map(({ at }) => at);
        expect(times).toEqual(times.toSorted());
      });

      test('no request broke a rule of Stripe, no page logged an error, and only the owner got mails about payments', () => {
        // Ignores `/favicon.ico`, which the browser requests from every host.
        const violations = world.stripe.violations.filter((each) => !each.startsWith('GET /favicon.ico'));
        expect(violations).toEqual([]);
        expect([...ada.problems, ...vera.problems]).toEqual([]);
        expect(vera.subjects()).toEqual(['You were added to Acme on Service']);
        expect(ada.subjects().filter((subject) => !subject.startsWith('Sign in'))).toEqual([
          'A payment for Acme failed',
          'A payment for Acme failed',
          'A payment for Acme failed',
          'Acme is suspended',
          'Acme is active again',
        ]);
      });

      function customer(): string {
        return [...world.stripe.account.customers.keys()][0] ?? '';
      }
    });
  });
});
