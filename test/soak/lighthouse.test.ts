import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../shared/operations/members/sign-in.ts';
import { chromiumOptions, INSTALL_MS_MAX, NO_CHROMIUM } from '../connect/chromium.ts';
import { type DashboardInBrowser, dashboardInBrowser } from '../dashboard/dashboard-in-browser.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { freePort } from '../fixtures/free-port.ts';
import { installApart } from '../fixtures/install-apart.ts';
import { auditPage } from './lighthouse-audit.ts';

/**
 * Runs Lighthouse on the dashboard as a signed-in person on a desktop. `npm run soak -- lighthouse` prints the scores. Performance depends
 * on the machine, so the test prints its score without a check. The target is 95.
 */
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const VIEWPORT = { width: 1350, height: 940 };
const DOMAINS = 60;

const installed = installApart(path.resolve(import.meta.dirname, '../lighthouse'));
const options = chromiumOptions();

describeUnlessMissing(
  'missing' in installed ? installed.missing : options === null ? NO_CHROMIUM : null,
  'Lighthouse',
  () => {
    let dashboard: DashboardInBrowser;
    let signedIn: BrowserContext;
    let port: number;
    let domain: string;
    const profile = mkdtempSync(path.join(tmpdir(), 'nameplate-lighthouse-'));

    beforeAll(async () => {
      dashboard = await dashboardInBrowser(null);
      for (let count = 0; count < DOMAINS; count++) {
        await dashboard.add(`d${count}.acme.com`, { metadata: { customer: String(count) } });
      }
      domain = await dashboard.add('caa-forbids.acme.com');
      await dashboard.advance(60_000);
      port = await freePort();
      // Lighthouse opens its tab in the browser's default context, so the person must be signed in there.
      signedIn = await chromium.launchPersistentContext(profile, {
        ...options,
        args: [...(options?.args ?? []), `--remote-debugging-port=${port}`],
        viewport: VIEWPORT,
      });
      await inviteMember(dashboard.context, 'test', dashboard.account.account.id, {
        mail: 'ada@example.com',
        role: 'owner',
      });
      const page = await signedIn.newPage();
      await page.goto(await createSignInLink(dashboard.context, 'test', 'ada@example.com'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      await page.close();
    }, INSTALL_MS_MAX);

    afterAll(async () => {
      await signedIn?.close();
      await dashboard[Symbol.asyncDispose]();
      rmSync(profile, { recursive: true, force: true });
    });

    test.each([
      ['home', () => ''],
      ['domains', () => '/domains'],
      ['a domain', () => `/domains/${domain}`],
    ])('Lighthouse finds no fault of accessibility or best practices on %s', async (name, view) => {
      if ('missing' in installed) throw new Error(installed.missing);
      const url = `${dashboard.url}/dashboard/${dashboard.appId}/test${view()}`;
      const { scores, metrics, faults, shownUrl } = await auditPage(installed.folder, url, port, CATEGORIES);
      const words = CATEGORIES.map((each) => `${each} ${scores[each] ?? 'none'}`);
      console.log(`lighthouse ${name}: ${words.join(', ')} (${metrics.join(', ')})`);
      expect(shownUrl).toBe(url);
      expect(faults).toEqual([]);
      expect([scores['accessibility'], scores['best-practices']]).toEqual([100, 100]);
    });
  },
);
