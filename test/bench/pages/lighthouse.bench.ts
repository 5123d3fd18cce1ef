import '../../fixtures/load-tsx.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { inviteMember } from '../../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../../shared/operations/members/sign-in.ts';
import { chromiumOptions, NO_CHROMIUM } from '../../connect/chromium.ts';
import { dashboardInBrowser } from '../../dashboard/dashboard-in-browser.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { installApart } from '../../fixtures/install-apart.ts';
import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';
import { type Audit, auditPage } from './audit-page.ts';

const TARGETS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };
const ROUNDS = 3;
const DOMAINS = 60;
/** The connect page is private and forbids search engines, so the audit that fails a page for this does not count. */
const PRIVATE = ['is-crawlable'];
/** The API runs only one diagnosis of a domain in this time. */
const DIAGNOSIS_MS = 15_000;

interface AuditedPage {
  name: string;
  url: string;
  skipped?: readonly string[];
}

/** Audits the pages of every surface with Lighthouse. The dashboard is signed in. Fails if a score misses its target. */
export async function lighthouse(): Promise<BenchRow[]> {
  const installed = installApart(path.resolve(import.meta.dirname, '../../lighthouse'));
  if ('missing' in installed) throw new Error(installed.missing);
  const options = chromiumOptions();
  if (options === null) throw new Error(NO_CHROMIUM);
  await using stack = new AsyncDisposableStack();
  const profile = mkdtempSync(path.join(tmpdir(), 'nameplate-lighthouse-'));
  stack.defer(() => rmSync(profile, { recursive: true, force: true }));
  const port = await freePort();
  // Lighthouse opens its tab in the browser's default context, so the person must be signed in there.
  const browser = await chromium.launchPersistentContext(profile, {
    ...options,
    args: [...options.args, `--remote-debugging-port=${port}`],
  });
  stack.defer(() => browser.close());

  const emulator = stack.use(await startEmulator());
  const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.live });
  const { connect_url } = await client.domains.create({ hostname: 'careers.acme.com' });
  const dashboard = stack.use(await dashboardInBrowser(null));
  for (let count = 0; count < DOMAINS; count++) {
    await dashboard.add(`d${count}.acme.com`, { metadata: { customer: String(count) } });
  }
  const broken = await dashboard.add('caa-forbids.acme.com');
  await dashboard.advance(60_000);
  await inviteMember(dashboard.context, 'test', dashboard.account.account.id, {
    mail: 'ada@example.com',
    role: 'owner',
  });
  const page = await browser.newPage();
  await page.goto(await createSignInLink(dashboard.context, 'test', 'ada@example.com'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.close();

  const app = `${dashboard.url}/dashboard/${dashboard.appId}/test`;
  const pages: AuditedPage[] = [
    { name: 'docs home', url: `${emulator.url}/docs` },
    { name: 'a guide', url: `${emulator.url}/docs/webhooks` },
    { name: 'the reference', url: `${emulator.url}/docs/api/create-domain` },
    { name: 'dashboard home', url: app },
    { name: 'dashboard domains', url: `${app}/domains` },
    { name: 'dashboard domain', url: `${app}/domains/${broken}` },
    { name: 'connect page', url: connect_url, skipped: PRIVATE },
  ];
  const rows: BenchRow[] = [];
  for (const each of pages) {
    const audits: Audit[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await dashboard.advance(DIAGNOSIS_MS);
      audits.push(await auditPage(installed.folder, each.url, port, each.skipped ?? []));
    }
    rows.push(...rowsOf(each, audits));
  }
  if (rows.some(({ target }) => target?.isMet === false)) process.exitCode = 1;
  return rows;
}

/** Prints the times and the failed audits of a page, and returns the median of each score. */
function rowsOf({ name, skipped = [] }: AuditedPage, audits: readonly Audit[]): BenchRow[] {
  const left = skipped.length > 0 ? ` (without ${skipped.join(', ')})` : '';
  for (const { metrics } of audits) console.log(`${name}${left}: ${metrics.join(', ')}`);
  for (const fault of new Set(audits.flatMap(({ faults }) => faults))) console.log(`${name}: ${fault}`);
  return Object.entries(TARGETS).map(([category, min]) => {
    const value = median(audits.map(({ scores }) => scores[category] ?? 0));
    return {
      name: `Lighthouse, ${name}, ${category}`,
      unit: 'points',
      value,
      floor: null,
      target: { text: `${min} points`, isMet: value >= min },
    };
  });
}
