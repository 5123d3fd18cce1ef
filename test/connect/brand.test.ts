import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateApp } from '../../shared/store/accounts/apps.ts';
import { findDomainById } from '../../shared/store/domains/domains.ts';
import { autocommit } from '../../shared/store/store.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';

let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});

afterAll(() => underTest[Symbol.asyncDispose]());

const LOGO = 'data:image/png;base64,iVBORw0KGgo=';

/** Returns the address of the icon in the browser tab. */
function iconOf(markup: string): string | undefined {
  return /<link rel="icon" href="([^"]*)"\/>/.exec(markup)?.[1];
}

test('the connect page of an app without a brand offers a prepared mail to the app when only the app can help', async () => {
  const { id, connect_url } = await underTest.add('unbranded.acme.com');
  await underTest.lead(id, ['window_passed']);
  const markup = await (await fetch(connect_url)).text();
  expect(markup).toContain('Ask Acme Careers</h2>');
  expect(decodeURIComponent(/href="mailto:\?([^"]*)"/.exec(markup)?.[1] ?? '')).toContain(connect_url);
  expect(markup).not.toContain('<img');
  expect(iconOf(markup)).toBe('data:,');
});

test("the connect page shows the app's logo, colour and links, and its policy allows no other content", async () => {
  const { id, connect_url } = await underTest.add('branded.acme.com');
  const { store } = underTest.composition.context;
  const domain = await findDomainById(store, id as never);
  if (domain === null) throw new Error('no domain');
  await updateApp(autocommit(store), domain.app_id, {
    brand_color: '#0b7040',
    brand_logo: LOGO,
    support_url: 'mailto:help@acme.com',
    return_url: 'https://app.acme.com/domains',
  });
  const response = await fetch(connect_url);
  const markup = await response.text();
  expect(markup).toContain(`<img src="${LOGO}" alt=""/>`);
  expect(iconOf(markup)).toBe(LOGO);
  expect(markup).toContain(
    'href="https://app.acme.com/domains" rel="noopener noreferrer">Back to Acme Careers',
  );
  expect(markup).toContain('href="mailto:help@acme.com" rel="noopener noreferrer">Contact Acme Careers');
  const styles = [...markup.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = '']) => text);
  expect(styles).toHaveLength(2);
  for (const name of ['accent', 'fill', 'plate']) expect(styles[1]).toContain(`--${name}:#0b7040`);
  const digests = styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toContain(`style-src ${digests.join(' ')}`);
  expect(policy).toContain('img-src data:');
  await underTest.lead(id, ['window_passed']);
  const expired = await (await fetch(connect_url)).text();
  expect(expired).toContain('class="btn lead" href="mailto:help@acme.com"');
});

test('an error page of the connect links has an empty tab icon, which reveals no brand', async () => {
  const response = await fetch(`${underTest.url}/connect/nobodyknowsthistoken00`);
  expect(response.status).toBe(404);
  expect(iconOf(await response.text())).toBe('data:,');
});
