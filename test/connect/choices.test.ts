import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../shared/core/connect-texts/language.ts';
import { PROVIDERS } from '../../shared/core/providers/providers.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';

/** Tests that a visitor can choose the language and the DNS provider on the connect page. */
let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});

afterAll(() => underTest[Symbol.asyncDispose]());

async function open(url: string, acceptLanguage = '*') {
  const response = await fetch(url, { headers: { 'accept-language': acceptLanguage } });
  return { response, markup: await response.text() };
}

test('the connect page is in the language that the browser prefers, and declares this language', async () => {
  const { connect_url } = await underTest.add('language.acme.com');
  const { response, markup } = await open(connect_url, 'zh, de-AT;q=0.9, en;q=0.5');
  expect(response.headers.get('content-language')).toBe('de');
  expect(markup).toContain('<html lang="de">');
  expect(markup).toContain('Warten auf Ihren Eintrag');
});

test('the connect page is in the language of ?lang=, also in its forms, its refresh and its links', async () => {
  const { connect_url } = await underTest.add('chosen.acme.com');
  const { markup } = await open(`${connect_url}?lang=fr`, 'de');
  expect(markup).toContain('<html lang="fr">');
  const path = new URL(connect_url).pathname;
  expect(markup).toContain(`action="${path}/check?lang=fr"`);
  expect(markup).toContain(`data-path="${path}/live?lang=fr&amp;revision=`);
  for (const tag of LANGUAGE_TAGS) expect(markup).toContain(`href="${path}?lang=${tag}"`);
  const checked = await fetch(`${connect_url}/check?lang=fr`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  expect(checked.headers.get('location')).toContain('?lang=fr&notice=checking');
});

test('the connect page ignores an unknown language or provider in the URL', async () => {
  const { connect_url } = await underTest.add('unknown-choice.acme.com');
  const { markup } = await open(`${connect_url}?lang=xx&provider=<script>`);
  expect(markup).toContain('<html lang="en">');
  expect(markup).not.toContain('provider=%3C');
  expect(markup).toContain(`action="${new URL(connect_url).pathname}/check"`);
});

test('an error page of the connect links is in the language of the visitor', async () => {
  const { markup } = await open(`${underTest.url}/connect/nobodyknowsthistoken00`, 'ja');
  expect(markup).toContain('このリンクは使えません');
});

test('a visitor of the connect page can choose the guide of another provider, or of none', async () => {
  const { id, connect_url } = await underTest.add('picked.acme.com');
  await underTest.see(id, { name_servers: ['ns01.domaincontrol.com'] });
  const { markup: first } = await open(connect_url);
  expect(first).toContain('Not GoDaddy?');
  expect(first).toMatch(/<label for="provider">[^<]+<\/label>/);
  const chosen = (await open(`${connect_url}?provider=namecheap`)).markup;
  expect(chosen).toContain('Add this record at Namecheap');
  expect(chosen).toContain('<option value="namecheap" selected="">');
  expect(chosen).toContain('/check?provider=namecheap"');
  expect((await open(`${connect_url}?provider=other`)).markup).toContain('at your DNS provider');
});

test.each(PROVIDERS)(
  'the connect page of a test hostname can show the guide for $name',
  async ({ id, name }) => {
    const { connect_url } = await underTest.add(`dns-record-missing.at-${id}.example.com`, 'test');
    const { markup } = await open(connect_url);
    expect(markup).toContain(`at ${name.replaceAll('&', '&amp;')}</h2>`);
  },
);

test.each([
  ['?notice=provider_returned', 'You are back from your DNS provider'],
  ['?notice=provider_returned&error=access_denied', 'Your DNS provider has not changed anything'],
])('the connect page explains the return from a DNS provider with %s', async (query, words) => {
  const { connect_url } = await underTest.add(`returned-${query.length}.acme.com`);
  expect((await open(connect_url + query)).markup).toContain(words);
});

test('the connect page shows a hostname in Unicode, and warns of a hostname that looks like another hostname', async () => {
  const plain = (await open((await underTest.add('xn--bcher-kva.acme.com')).connect_url)).markup;
  expect(plain).toContain('<span><bdi>bücher<wbr/>.acme');
  expect(plain).toContain('In DNS: <bdi>xn--bcher-kva');
  // The Punycode label has Cyrillic letters that look like "apple".
  const imitation = (await open((await underTest.add('xn--80ak6aa92e.acme.com')).connect_url)).markup;
  expect(imitation).toContain('<span><bdi>xn--80ak6aa92e');
  expect(imitation).toContain('This name has letters that look like others.');
});
