import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { bundleBrowserScripts } from '../../bin/browser-script.ts';
import type { Role } from '../../shared/core/accounts/member.ts';
import type { Settings } from '../../shared/core/settings.ts';
import { inviteMember } from '../../shared/operations/members/change-members.ts';
import { createSignInLink } from '../../shared/operations/members/sign-in.ts';
import { bringAxe } from '../connect/accessibility.ts';
import { type DashboardUnderTest, dashboardUnderTest, type TestBrowser } from './dashboard-under-test.ts';

/** The dashboard with sign-in, a webhook receiver, and Chromium. */
export interface DashboardInBrowser extends DashboardUnderTest {
  /** The owner, signed in without a browser. Tests use this client to prepare and check data. */
  owner: TestBrowser;
  appId: string;
  /** Sets the status and the body of the receiver's responses. */
  answer(status: number, body?: string): void;
  /** Returns the bodies of the webhooks that the receiver got, oldest first. */
  received(): readonly string[];
  /** Calls the API of an app and mode as the owner. @returns the response's body. @throws if the response is an error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of many shapes
  api(call: string, body?: object, mode?: 'live' | 'test'): Promise<any>;
  /** Adds a domain and returns its id. */
  add(hostname: string, options?: { mode?: 'live' | 'test'; metadata?: object }): Promise<string>;
  /** Moves the clock, and runs the work that becomes due. */
  advance(ms: number): Promise<void>;
  /** Opens a new browser context that is signed in. Errors on its pages fail the test. */
  signIn(role: Role, options?: BrowserContextOptions): Promise<SignedInPage>;
  /** Opens a context without a session. */
  visit(options?: BrowserContextOptions): Promise<SignedInPage>;
}

export interface SignedInPage extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Opens a path below `/dashboard/{app}/{mode}`, such as `/domains`. */
  open(view: string, mode?: 'live' | 'test'): Promise<void>;
}

export async function dashboardInBrowser(
  browser: Browser | null,
  settings: Partial<Settings> = {},
  options: Parameters<typeof dashboardUnderTest>[1] = {},
): Promise<DashboardInBrowser> {
  await bundleBrowserScripts(path.resolve(import.meta.dirname, '../..'));
  const bodies: string[] = [];
  let [status, text] = [200, ''];
  const receiver = createServer((req, res) => {
    let body = '';
    req.on('data', (part) => (body += part));
    req.on('end', () => {
      bodies.push(body);
      res.writeHead(status, { 'content-type': 'text/html' }).end(text);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const dashboard = await dashboardUnderTest(settings, options);
  const { url, context, account, composition } = dashboard;
  const appId: string = account.app.id;
  const owner = await dashboard.signedIn('owner', 'setup@example.com');
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;

  async function api(call: string, body?: object, mode: 'live' | 'test' = 'test') {
    const [method = '', below = ''] = call.split(' ');
    const received = await owner.send(`${method} /apps/${appId}/${mode}${below}`, body);
    if (received.status >= 300) throw new Error(`${call}: ${JSON.stringify(received.body)}`);
    return received.body;
  }

  async function visit(options: BrowserContextOptions = {}): Promise<SignedInPage> {
    if (browser === null) throw new Error('there is no browser');
    const opened = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    await bringAxe(opened);
    const page = await opened.newPage();
    page.setDefaultTimeout(15_000);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      // The browser logs every error response, but a refused call is an expected one.
      const line = message.text();
      if (message.type() === 'error' && !line.startsWith('Failed to load resource')) problems.push(line);
    });
    return {
      page,
      context: opened,
      async open(view, mode = 'test') {
        await page.goto(`${url}/dashboard/${appId}/${mode}${view}`);
      },
      async [Symbol.asyncDispose]() {
        await opened.close();
        if (problems.length > 0) throw new Error(`the page logged errors: ${problems.join('; ')}`);
      },
    };
  }

  await api('PATCH /apps/current', { webhook_url: webhook }, 'live');
  return {
    ...dashboard,
    owner,
    appId,
    answer(next, body = '') {
      [status, text] = [next, body];
    },
    received: () => bodies,
    api,
    async add(hostname, { mode = 'test', metadata } = {}) {
      return (await api('POST /domains', { hostname, ...(metadata && { metadata }) }, mode)).id;
    },
    async advance(ms) {
      await composition.time.advance({ by_ms: ms });
    },
    visit,
    async signIn(role, options) {
      const mail = `${role}@example.com`;
      const { body } = await owner.send(`GET /accounts/${account.account.id}/members`);
      if (!body.data.some((member: { mail: string }) => member.mail === mail)) {
        await inviteMember(context, 'test', account.account.id, { mail, role });
      }
      const opened = await visit(options);
      await opened.page.goto(await createSignInLink(context, 'test', mail));
      await opened.page.getByRole('button', { name: 'Sign in' }).click();
      await opened.page.getByRole('heading', { name: 'Home' }).waitFor();
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await dashboard[Symbol.asyncDispose]();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
