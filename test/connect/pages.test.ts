import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STATUSES } from '../../shared/core/domains/status.ts';
import { autocommit } from '../../shared/store/store.ts';
import { type ConnectUnderTest, connectUnderTest, finding } from './connect-under-test.ts';
import { STATES } from './states.ts';

let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});

afterAll(() => underTest[Symbol.asyncDispose]());

test('the test states of the connect page cover every status', () => {
  expect(new Set(STATES.map(({ status }) => status))).toEqual(new Set(STATUSES));
});

test.each(STATES)('the connect page of $name states the status in plain words', async (state) => {
  const domain = await underTest.add(state.hostname, state.mode);
  await state.lead(underTest, domain.id);
  const answer = await fetch(domain.connect_url);
  const markup = await answer.text();
  expect(answer.status).toBe(200);
  expect(headline(markup)).toBe(state.headline);
  const text = visibleText(markup);
  for (const words of [...state.says, 'Acme Careers']) expect.soft(text).toContain(words);
  for (const words of state.never ?? []) expect.soft(text).not.toContain(words);
  for (const secret of [domain.id, 'app_', 'dom_', 'metadata', 'a reason of ours']) {
    expect.soft(markup, 'nothing private').not.toContain(secret);
  }
  expectGuarded(answer, markup);
  // The page's script requests the same content with its revision, and gets an empty 204 response if nothing has changed.
  const live = await fetch(`${domain.connect_url}/live?revision=`);
  expect(live.status).toBe(200);
  expect(headline(await live.text())).toBe(state.headline);
  const revision = /data-revision="([^"]+)"/.exec(markup)?.[1];
  expect((await fetch(`${domain.connect_url}/live?revision=${revision}`)).status).toBe(204);
});

test('the connect page still asks for a record after 72 hours if DNS never responded', async () => {
  await using late = await connectUnderTest();
  const domain = await late.add('late.acme.com');
  const text = async () => visibleText(await (await fetch(domain.connect_url)).text());
  expect(await text()).toContain('We keep looking until ');
  const { db } = autocommit(late.composition.context.store);
  await db.updateTable('domains').set({ window_opened_at: 0 }).execute();
  expect(await text()).not.toContain('We keep looking until ');
  expect(await text()).toContain('We keep looking.');
});

test.each([
  '/connect/nobodyknowsthistoken00',
  '/connect/x',
  '/connect/nobodyknowsthistoken00/live',
  "/connect/'%20or%201=1--",
  '/connect/mail/nobodyknowsthistoken00',
  '/connect/mail/nobodyknowsthistoken00/unsubscribe',
])('the path %s responds with 404 and says that the link does not work', async (path) => {
  const answer = await fetch(underTest.url + path);
  const markup = await answer.text();
  expect(answer.status).toBe(404);
  expect(visibleText(markup)).toMatch(/This link (?:doesn't work|is no longer valid)/);
  expectGuarded(answer, markup);
});

test('the connect page strikes out the old value of a change, and escapes both values', async () => {
  const { id, connect_url } = await underTest.add('replaced.acme.com');
  const change = { action: 'replace', type: 'CNAME', zone: 'acme.com', name: 'replaced', ttl: 300 } as const;
  const [value, old] = ['new.example<b>', 'old.example<b>'];
  const changes = [{ ...change, value, of: { type: 'A', value: old } }];
  await underTest.see(id, { findings: [{ ...finding('dns_record_mismatch'), changes }] });
  const markup = await (await fetch(connect_url)).text();
  expect(markup).toContain(
    '<del part="old"><code part="value" dir="ltr">old.<wbr/>example&lt;b&gt;</code></del>',
  );
  expect(markup).toContain('<del part="old"><code part="value" dir="ltr">A</code></del>');
  expect(markup).toContain('<code part="value" dir="ltr">new.<wbr/>example&lt;b&gt;</code>');
});

test('the connect page escapes text from apps and from DNS records', async () => {
  await using hostile = await connectUnderTest('<img src=x onerror=alert(1)>\u202e"&\'</style><script>');
  const domain = await hostile.add('careers.acme.com');
  const found = '"></code><script>alert(1)</script>';
  await hostile.see(domain.id, { findings: [finding('dns_record_mismatch', { found })] });
  const answer = await fetch(`${domain.connect_url}?notice=<script>`);
  const markup = await answer.text();
  expect(markup).not.toMatch(/<img|<script>alert|\u202e/);
  expect(markup.match(/<script>/g)).toHaveLength(1);
  expect(markup).toContain('&lt;img src=x');
  expectGuarded(answer, markup);
});

function headline(markup: string): string | undefined {
  return /<h2 id="headline"[^>]*>([^<]*)</.exec(markup)?.[1];
}

/** Returns the text that a reader sees: no tags, scripts or styles, and words without their possible line breaks. */
function visibleText(markup: string): string {
  return markup
    .replace(/<(script|style)>.*?<\/\1>/gs, '')
    .replace(/<wbr\/?>/g, '')
    .replace(/<a [^>]*href="([^"]*)"[^>]*>/g, ' $1 ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'");
}

/**
 * Expects the headers for a page that only the token in its URL protects, and a policy that allows only the page's own style and script.
 */
function expectGuarded({ headers }: Response, markup: string): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex, nofollow',
  });
  const digestOf = (name: string) => {
    const source = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(markup)?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
  };
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${digestOf('style')}`,
    `script-src ${digestOf('script')}`,
    'img-src data:',
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
  const elsewhere = [
    ...markup.matchAll(
      /<(?:img|link|iframe|script|form)[^>]*(?:src|href|action)="(?!\/|data:image\/|data:,")/g,
    ),
  ];
  expect(elsewhere.map(([tag]) => tag)).toEqual([]);
  expect(markup).not.toMatch(/ (?:style|on[a-z]+)="/);
}
