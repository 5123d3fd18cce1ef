import { type IncomingHttpHeaders, request } from 'node:http';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../bin/browser-script.ts';
import { dashboardUnderTest } from './dashboard-under-test.ts';

/** The limit for the first page: 130 KB of compressed script. */
const SCRIPT_BYTES_MAX = 130 * 1000;

beforeAll(() => bundleBrowserScripts(path.resolve(import.meta.dirname, '../..')));

test("the dashboard's script has at most 130 KB gzipped, and browsers may store it for a year", async () => {
  await using dashboard = await dashboardUnderTest();
  const document = await (await fetch(`${dashboard.url}/dashboard`)).text();
  const [, script = ''] = /src="([^"]+\.js)"/.exec(document) ?? [];
  const { headers, length } = await download(dashboard.url + script);
  expect(headers['content-encoding']).toBe('gzip');
  expect(headers['cache-control']).toContain('immutable');
  expect(length).toBeGreaterThan(10_000);
  expect(length).toBeLessThan(SCRIPT_BYTES_MAX);
});

test("the script of the service's dashboard contains nothing of the emulator's lab", async () => {
  await using dashboard = await dashboardUnderTest();
  const document = await (await fetch(`${dashboard.url}/dashboard`)).text();
  const [, script = ''] = /src="([^"]+\.js)"/.exec(document) ?? [];
  const text = await (await fetch(dashboard.url + script)).text();
  expect(text).toContain('/dashboard/api');
  expect(text).not.toContain('/_emulator');
});

test.each([
  ['https://api.example.com', 'max-age=31536000'],
  ['http://api.example.com', null],
  ['https://localhost:8443', null],
  ['https://api.localhost', null],
])(
  'the documents of a dashboard at %s have the Strict-Transport-Security header %s',
  async (baseUrl, header) => {
    await using dashboard = await dashboardUnderTest({ baseUrl });
    for (const path of ['/dashboard', '/dashboard/sign-in', '/dashboard/app_1/live/domains']) {
      const { headers } = await fetch(dashboard.url + path);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, header]);
    }
  },
);

/** Requests a URL with gzip. `fetch` would decode the body. @returns the headers, and the number of bytes on the wire. */
function download(url: string): Promise<{ headers: IncomingHttpHeaders; length: number }> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip' } })
      .on('response', (response) => {
        let length = 0;
        response.on('data', (part: Buffer) => (length += part.length));
        response.on('end', () => resolve({ headers: response.headers, length }));
      })
      .on('error', reject)
      .end();
  });
}
