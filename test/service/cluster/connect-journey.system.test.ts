import { Resolver } from 'node:dns/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../../bin/browser-script.ts';
import { readConfig } from '../../../service/config.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import { triggerDomain } from '../../../shared/operations/domains/trigger-domain.ts';
import type { ChangedDomain } from '../../../shared/schema/domain.ts';
import { faults } from '../../connect/accessibility.ts';
import { launchChromium, NO_CHROMIUM } from '../../connect/chromium.ts';
import { picture } from '../../connect/picture.ts';
import { headline, later, onReload, said, soon, visit } from '../../connect/visit.ts';
import { describeRealInternet } from '../../fixtures/describe-real-internet.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type RealInternet, startRealInternet } from '../../fixtures/real-internet.ts';
import { headerOf, startMailServer, type TestMailServer, textOf } from '../../fixtures/smtp-server.ts';
import { api, createDeployment } from '../run-service.ts';

const EDGE_ZONE = 'edge.test';
const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 740 } };

describeRealInternet('A customer with a link, a browser, a mailbox and a zone connects a domain', () => {
  describePostgres('on Postgres', () => {
    const disposable = new AsyncDisposableStack();
    const logged: string[] = [];
    let browser: Browser | null;
    let net: RealInternet;
    let mail: TestMailServer;
    let mailsBefore = 0;
    let node: ServiceNode;
    let key: string;
    let now = Date.parse('2026-01-01T00:00:00Z');

    beforeAll(async () => {
      await bundleBrowserScripts(path.resolve(import.meta.dirname, '../../..'));
      browser = await launchChromium();
      disposable.defer(() => browser?.close());
      net = disposable.use(
        await startRealInternet({
          'acme.test': { records: [], servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'] },
          'globex.test': { records: ['jobs CNAME sites.globex.test.', 'sites A 192.0.2.80'] },
          [EDGE_ZONE]: { records: ['* A 192.0.2.1', '* AAAA 2001:db8::1'] },
        }),
      );
      mail = disposable.use(await startMailServer());
      const deployment = disposable.use(await createDeployment());
      const terms = ['--plan', 'scale', '--card-on-file', '--trial-ends-at', 'none'];
      const { document } = await deployment.json(['accounts', 'create', 'Acme Careers', ...terms]);
      key = document.live_key;
      const config = readConfig({
        ...deployment.env,
        NAMEPLATE_EDGE_ZONE: EDGE_ZONE,
        NAMEPLATE_RESOLVERS: net.resolverAddresses.join(),
        SMTP_URL: mail.url,
        NAMEPLATE_MAIL_FROM: 'connect@service.example',
      });
      const settings = { ...config.settings, allowLoopback: true };
      const log = createJsonLog('trace', { write: (line) => logged.push(line) });
      node = await startNode({ ...config, settings }, log, {
        // This clock advances by one millisecond at each reading, so that later events have later times.
        clock: { now: () => now++ },
        authorityPort: net.authorityPort,
      });
      disposable.defer(() => node.stop());
      settings.baseUrl = apiUrl();
    });

    beforeEach(({ skip }) => {
      if (browser === null) skip(NO_CHROMIUM);
      mailsBefore = mail.received.length;
    });

    afterAll(() => disposable.disposeAsync());

    test('copies the record, reads that it is missing, and sees the page show the live domain without a reload', async () => {
      const { id, hostname, connect_url, dns } = await add('careers.acme.test');
      const target = dns.cname?.value ?? '';
      const options = { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] };
      await open(connect_url, options, async (page) => {
        await page.evaluate('window.was_opened_once = true');
        expect(await headline(page)).toBe('Waiting for your DNS record');
        await picture(page, 'opened');
        await page.getByRole('button', { name: 'Copy the Value' }).click();
        await soon(() => said(page)).toBe('Copied the Value');
        expect(await page.evaluate('navigator.clipboard.readText()')).toBe(target);

        await page.getByRole('button', { name: /^Check (?:now|again)$/ }).click();
        // Waits for the last announcement to screen readers, which may come with the response to the click or later.
        await later(page, () => said(page)).toMatch(
          /^(?!We are checking).*We have not found the record yet\.$/,
        );
        expect(await page.locator('#result').textContent()).toBe('We have not found the record yet.');
        expect(await page.getByText('We are checking now.').count()).toBe(0);
        // The DNS check has also found the DNS provider, which the page now names.
        expect(await page.locator('#records-title').textContent()).toBe('Add this record at Cloudflare');
        expect(await faults(page)).toEqual([]);
        await picture(page, 'missing');

        await askForMail(page, 'ada@acme');
        await soon(() => said(page)).toContain('does not look like an email address');
        const checked = await lastChecked(page);
        await timeOfNextCheck(id);
        await later(page, () => lastChecked(page)).not.toBe(checked);
        expect(await page.getByLabel('Your email address').inputValue(), 'as it was typed').toBe('ada@acme');
        await askForMail(page, 'ada@acme.test');
        await soon(() => said(page)).toContain('Please check your inbox');
        await picture(page, 'mail asked for');
        await confirm(await page.context().newPage(), 'ada@acme.test');

        // Looks up the hostname too early, so that a resolver caches for an hour that the record is missing.
        await lookUpTooEarly(hostname);
        await net.change('acme.test', [`careers CNAME ${target}.`]);
        await timeOfNextCheck(id);
        await later(page, () => headline(page)).toBe('We found your record');
        expect(await page.locator('#findings').textContent()).toContain('The change is spreading');
        expect(await page.getByText('Please check your inbox').isVisible()).toBe(true);
        await picture(page, 'verifying');
        await forget('acme.test');
        await timeOfNextCheck(id);
        await later(page, () => headline(page)).toBe('Your record is correct');
        expect(await page.getByText('Next check').count(), 'what comes next is no check').toBe(0);
        await picture(page, 'issuing');
        await issueCertificate(id);
        // The browser uses the real clock, so this wait is as long as a customer's.
        await soon(() => headline(page)).toBe('Your domain is live');
        expect(await page.getByRole('link', { name: `Open ${hostname}` }).isVisible()).toBe(true);
        expect(await page.evaluate('window.was_opened_once'), 'never loaded again').toBe(true);
        expect(await faults(page)).toEqual([]);
        await picture(page, 'live');
      });
      await expectOneMail(hostname, 'ada@acme.test');
    });

    test('succeeds without JavaScript, and after the correction of a wrong record', async () => {
      const { id, hostname, connect_url, dns } = await add('jobs.globex.test');
      const target = dns.cname?.value ?? '';
      await open(connect_url, { ...PHONE, javaScriptEnabled: false }, async (page) => {
        expect(await page.getByText(target, { exact: true }).isVisible()).toBe(true);
        expect(await page.getByRole('button', { name: 'Copy the Value' }).isVisible()).toBe(false);

        await page.getByRole('button', { name: /^Check (?:now|again)$/ }).click();
        expect(await page.getByText('We are checking now.').textContent()).toContain('Then reload the page.');
        now += 10_000;
        // Waits until the notice of the check is gone. The click may have requested a second check if the first one had already ended.
        await onReload(page, () => page.getByText('We are checking now.').count()).toBe(0);
        expect(await headline(page), 'of an old record').toBe('Waiting for your DNS record');

        await net.change('globex.test', ['jobs CNAME pages.globex.test.']);
        await onNextCheck(page, id).toBe('One thing to fix');
        expect(await page.locator('main').textContent()).toMatch(
          /The record points elsewhere.*Replace *pages\.globex\.test *with/s,
        );
        await picture(page, 'no script elsewhere');
        await open(connect_url, PHONE, async (scripted) => expect(await faults(scripted)).toEqual([]));

        await askForMail(page, 'bob@globex.test');
        expect(await page.getByText('Please check your inbox').isVisible()).toBe(true);
        await confirm(await page.context().newPage(), 'bob@globex.test');

        await net.change('globex.test', [`jobs CNAME ${target}.`]);
        await onNextCheck(page, id).toBe('Your record is correct');
        await issueCertificate(id);
        await onReload(page, () => headline(page)).toBe('Your domain is live');
        await picture(page, 'no script live');
      });
      await expectOneMail(hostname, 'bob@globex.test');
    });

    const apiUrl = () => `http://127.0.0.1:${node.addresses.api?.port}`;

    async function add(hostname: string): Promise<ChangedDomain> {
      const { status, body } = await api(apiUrl(), key, 'POST /domains', { hostname });
      expect(status).toBe(201);
      return body as unknown as ChangedDomain;
    }

    async function open(
      url: string,
      options: BrowserContextOptions,
      work: (page: Page) => Promise<void>,
    ): Promise<void> {
      if (browser === null) throw new Error(NO_CHROMIUM);
      await visit(browser, url, options, work);
    }

    async function askForMail(page: Page, address: string): Promise<void> {
      await page.getByLabel('Your email address').fill(address);
      await page.getByRole('button', { name: 'Email me' }).click();
    }

    const lastChecked = (page: Page) => page.locator('#checks time').first().getAttribute('datetime');

    const mails = () => mail.received.slice(mailsBefore);

    /** Opens the link in the first mail, and clicks the button on the page. */
    async function confirm(page: Page, address: string): Promise<void> {
      await soon(async () => mails().map(({ to }) => to)).toEqual([[address]]);
      const [link = ''] = mails().flatMap((each) => /^http:\S+/m.exec(textOf(each)) ?? []);
      await page.goto(link);
      await picture(page, 'mail to confirm');
      await page.getByRole('button', { name: 'Yes, email me' }).click();
      await soon(() => page.getByText('Your address is confirmed').isVisible()).toBe(true);
      await page.close();
    }

    async function expectOneMail(hostname: string, address: string): Promise<void> {
      const seen = async () => mails().map((each) => [...each.to, headerOf(each, 'Subject')]);
      const wanted = [
        [address, `Confirm your email address for updates about ${hostname}`],
        [address, `${hostname} is live`],
      ];
      await soon(seen).toEqual(wanted);
      const { runner, context } = node.composition;
      await runner.exclusively(async () => undefined);
      expect(await seen(), 'when nothing is under way any more').toEqual(wanted);
      // The service mails about a broken connection until the owner of the address unsubscribes, here as a mail program does (RFC 8058).
      const [unsubscribe = ''] = mails().map((each) => headerOf(each, 'List-Unsubscribe').slice(1, -1));
      expect((await fetch(unsubscribe, { method: 'POST' })).status).toBe(200);
      const tables = await sql<{ name: string }>`
        select table_name as name from information_schema.tables where table_schema = 'public'
      `.execute(context.store.db);
      expect(tables.rows).toContainEqual({ name: 'mail_subscriptions' });
      for (const { name } of tables.rows) {
        const held = await sql`
          select 1 from ${sql.table(name)} as held where held::text ilike ${`%${address}%`}
        `.execute(context.store.db);
        expect(held.rows, `the address in ${name}`).toEqual([]);
      }
      expect(logged.length).toBeGreaterThan(0);
      expect(logged.join('')).not.toContain(address);
    }

    /** Moves the service's clock to the next check that the API shows, and runs the work that is due. */
    async function timeOfNextCheck(id: string): Promise<void> {
      const { body } = await api(apiUrl(), key, `GET /domains/${id}`);
      now = Math.max(now, Date.parse(String(body['next_check_at'])));
      node.composition.context.notices.publish({ kind: 'work' });
    }

    /**
     * Polls the headline. A running check may have queried DNS before the change, so the clock moves to the next check before each reading.
     */
    const onNextCheck = (page: Page, id: string) =>
      onReload(page, async () => {
        await timeOfNextCheck(id);
        return headline(page);
      });

    async function lookUpTooEarly(hostname: string): Promise<void> {
      const resolver = new Resolver();
      resolver.setServers(net.resolverAddresses.slice(0, 1));
      await expect(resolver.resolveCname(hostname)).rejects.toThrow('ENOTFOUND');
    }

    /** Clears the resolvers' caches, as if the TTLs had expired. Resolvers use the machine's clock. */
    async function forget(zone: string): Promise<void> {
      await Promise.all(net.resolvers.map((resolver) => resolver.forget(zone)));
    }

    /** Stores an issued certificate directly, because other tests cover orders. */
    async function issueCertificate(id: string): Promise<void> {
      await triggerDomain(node.composition.context, id, 'certificate_issued');
    }
  });
});
