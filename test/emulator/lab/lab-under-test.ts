import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { bundleBrowserScripts } from '../../../bin/browser-script.ts';
import type { EmulatorOptions } from '../../../emulator/start.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

/** An emulator with a webhook receiver, and its dashboard in a browser. */
export interface LabUnderTest extends EmulatorUnderTest {
  /** Sets the status of the receiver's responses. */
  answer(status: number): void;
  /** Returns the number of webhooks received. */
  received(): number;
  /** Adds a domain and returns its id. */
  add(hostname: string, mode?: 'test' | 'live'): Promise<string>;
  /** Requests a path of a hostname from the edge, as a visitor. @returns the status of the response. */
  visit(host: string, visited: string): Promise<number | undefined>;
  /** Opens a view of the default app in test mode, in a new browser context, passes the page to `work`, and closes it. Errors on the page fail the test. */
  open(view: string, work: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<void>;
}

export async function labUnderTest(
  browser: Browser | null,
  options: EmulatorOptions = {},
): Promise<LabUnderTest> {
  await bundleBrowserScripts(path.resolve(import.meta.dirname, '../../..'));
  let [status, count] = [200, 0];
  const receiver = createServer((req, res) => {
    count += 1;
    req.resume().on('end', () => res.writeHead(status).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  const underTest = await emulatorUnderTest({ webhook, ...options });
  const { emulator, api } = underTest;
  return {
    ...underTest,
    answer(next) {
      status = next;
    },
    received: () => count,
    async add(hostname, mode = 'test') {
      const added = await api('POST /domains', { hostname }, emulator.keys[mode]);
      if (added.status >= 300) throw new Error(`${hostname}: ${JSON.stringify(added.body)}`);
      return added.body.id;
    },
    visit: (host, visited) =>
      new Promise((resolve, reject) => {
        request(emulator.edgeUrl, { path: visited, headers: { host, accept: 'text/html' } })
          .on('response', (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      }),
    async open(view, work, contextOptions = {}) {
      if (browser === null) throw new Error('there is no browser');
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        ...contextOptions,
      });
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(15_000);
        const problems: string[] = [];
        page.on('pageerror', (error) => problems.push(String(error)));
        page.on('console', (message) => {
          // The browser logs every error response, but a refused call is an expected one.
          const text = message.text();
          if (message.type() === 'error' && !text.startsWith('Failed to load resource')) problems.push(text);
        });
        await page.goto(`${emulator.url}/dashboard/${emulator.appId}/test${view}`);
        await work(page);
        if (problems.length > 0) throw new Error(`the page logged errors: ${problems.join('; ')}`);
      } finally {
        await context.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await underTest[Symbol.asyncDispose]();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
