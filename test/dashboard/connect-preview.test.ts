import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectPreview } from '../../shared/dashboard/responses.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';

/** Compares the texts in the dashboard's preview of the connect page with the page that a customer gets. */
let underTest: EmulatorUnderTest;

beforeAll(async () => {
  underTest = await emulatorUnderTest();
});
afterAll(() => underTest[Symbol.asyncDispose]());

async function preview(app: string, domain: string): Promise<{ status: number; body: ConnectPreview }> {
  const path = `/dashboard/api/apps/${app}/connect-preview/${domain}`;
  const response = await fetch(underTest.emulator.url + path);
  return { status: response.status, body: (await response.json()) as ConnectPreview };
}

/** Returns the visible text of a page. */
async function pageText(url: string): Promise<string> {
  const markup = await (await fetch(url)).text();
  const text = markup.replace(/<(style|script)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' ');
  const characters: Record<string, string> = { '&#x27;': "'", '&quot;': '"', '&amp;': '&' };
  return text.replace(/&#x27;|&quot;|&amp;/g, (entity) => characters[entity] ?? '').replace(/\s+/g, ' ');
}

test.each([
  ['careers.acme.com', 'good', 4],
  ['caa-forbids.acme.com', 'wait', 2],
  ['dns-record-missing.acme.com', 'wait', 0],
  ['dns-conflicting-record.acme.com', 'wait', 0],
])(
  'the preview in the dashboard for %s has the same words as the connect page',
  async (hostname, tone, done) => {
    const { api, emulator } = underTest;
    const { id, connect_url } = (await api('POST /domains', { hostname })).body;
    await emulator.clock.untilIdle();
    const { status, body } = await preview(emulator.appId, id);
    expect([status, body.tone, body.steps_done]).toEqual([200, tone, done]);
    const text = await pageText(String(connect_url));
    for (const words of [body.headline, body.text, ...body.findings]) expect(text).toContain(words);
  },
);

test("the dashboard has no preview of the connect page for a deleted, an unknown or another app's domain", async () => {
  const { api, control, emulator } = underTest;
  const other = (await control('POST /apps', { name: 'Agency' })).body;
  const foreign = (await api('POST /domains', { hostname: 'a.agency.com' }, other.test_key)).body.id;
  const deleted = (await api('POST /domains', { hostname: 'gone.acme.com' })).body.id;
  await api(`DELETE /domains/${deleted}`);
  for (const id of [foreign, deleted, 'dom_nothing']) {
    expect([id, (await preview(emulator.appId, id)).status]).toEqual([id, 404]);
  }
  expect((await preview(other.app.id, foreign)).status).toBe(200);
});
