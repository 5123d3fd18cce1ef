import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapturedMail } from '../../emulator/state/captured-mail.ts';
import { DEFAULT_SECRETS } from '../../emulator/state/default-account.ts';
import type { DomainId } from '../../shared/core/ids.ts';
import { findDomainById } from '../../shared/store/domains/domains.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';

/** Tests the forms of the connect page, sent as a browser without JavaScript sends them. */
let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});

afterAll(() => underTest[Symbol.asyncDispose]());

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', origin: 'null' };

function send(
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = SAME_ORIGIN,
) {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
}

/** Follows a redirect and returns the page. */
async function follow(answer: Response): Promise<string> {
  expect(answer.status).toBe(303);
  return (await fetch(new URL(answer.headers.get('location') ?? '', underTest.url))).text();
}

test('"Check again" on the connect page starts a check; for 15 seconds, neither the page nor the API can start another', async () => {
  const { id, connect_url } = await underTest.add('again.acme.com');
  const first = await send(`${connect_url}/check`);
  expect(first.headers.get('location')).toMatch(/^\/connect\/[\w-]{22}\?notice=checking&at=\d+#status$/);
  expect(await follow(first)).toContain('We are checking now.');
  expect(await follow(await send(`${connect_url}/check`))).toContain('Please wait 15 seconds');
  const verify = await fetch(`${underTest.url}/v1/domains/${id}/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEFAULT_SECRETS.live_key}` },
  });
  expect(verify.status).toBe(429);
  await underTest.composition.time.advance({ by_ms: 15_000 });
  const later = await send(`${connect_url}/check`);
  expect(later.headers.get('location')).not.toContain('checked_recently');
});

test('"Check again" on the connect page retries a failed certificate', async () => {
  const { id, connect_url } = await underTest.add('retry.acme.com');
  await underTest.lead(id, ['dns_seen', 'dns_confirmed', 'issuance_failed'], 'ca_unavailable');
  expect(await follow(await send(`${connect_url}/check`))).toContain(
    'We are getting the security certificate',
  );
});

test('the connect page of a test domain shows the fault that its hostname forces, also after "Check again"', async () => {
  const { id, connect_url } = await underTest.add('dns-record-mismatch.acme.com', 'test');
  const page = await (await fetch(connect_url)).text();
  for (const words of ['One thing to fix', 'Change this record', 'shops.example.net'])
    expect(page).toContain(words);
  expect(await follow(await send(`${connect_url}/check`))).toContain('We are checking now.');
  await underTest.composition.time.advance({ by_ms: 1 });
  const { context } = underTest.composition;
  expect(await findDomainById(context.store, id as DomainId)).toMatchObject({
    status: 'pending_dns',
    status_reason: 'dns_record_mismatch',
    last_checked_at: context.clock.now() - 1,
  });
  await underTest.lead(id, ['dns_confirmed']);
  await underTest.composition.time.advance({ by_ms: 4000 });
  expect(await findDomainById(context.store, id as DomainId)).toMatchObject({ status: 'active' });
});

test('"Try again" on the connect page of a test domain retries, and the forced failure occurs again', async () => {
  const { id, connect_url } = await underTest.add('caa-forbids.acme.com', 'test');
  await underTest.composition.time.advance({ by_ms: 10_000 });
  const page = await (await fetch(connect_url)).text();
  for (const words of ['Try again', '0 issue &quot;letsencrypt.org&quot;']) expect(page).toContain(words);
  expect(await follow(await send(`${connect_url}/check`))).toContain(
    'We are getting the security certificate',
  );
  await underTest.composition.time.advance({ by_ms: 5000 });
  expect(await findDomainById(underTest.composition.context.store, id as DomainId)).toMatchObject({
    status: 'cert_failed',
    status_reason: 'caa_forbids',
  });
});

test.each([
  ['issuing', ['dns_seen', 'dns_confirmed']],
  ['expired', ['window_passed']],
] as const)('"Check again" says that there is nothing to check if the domain is %s', async (_, triggers) => {
  const { id, connect_url } = await underTest.add(`nothing-${triggers.length}.acme.com`);
  await underTest.lead(id, triggers);
  expect(await follow(await send(`${connect_url}/check`))).toContain('There is nothing to check');
});

test('the connect page of a deleted domain still loads, but its check responds with 404', async () => {
  const { id, connect_url } = await underTest.add('gone.acme.com');
  await underTest.lead(id, ['delete']);
  expect((await send(`${connect_url}/check`)).status).toBe(404);
  expect((await fetch(connect_url)).status).toBe(200);
});

test.each([
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
  [{ origin: 'null' }, 303],
  [{}, 303],
] as const)('a form sent with the headers %j gets the status %i', async (headers, status) => {
  const { connect_url } = await underTest.add(`origin-${JSON.stringify(headers).length}.acme.com`);
  const answer = await send(`${connect_url}/check`, {}, headers);
  expect(answer.status).toBe(status);
  if (status === 403) expect(await answer.text()).toContain('This did not work');
});

test('the connect page accepts a form whose Origin header names the service itself', async () => {
  const { connect_url } = await underTest.add('own.acme.com');
  expect((await send(`${connect_url}/check`, {}, { origin: underTest.url })).status).toBe(303);
});

test('the connect page refuses a body that is too large for a form before reading it', async () => {
  const { connect_url } = await underTest.add('large.acme.com');
  expect((await send(`${connect_url}/notify`, { address: 'x'.repeat(5000) })).status).toBe(413);
});

test('the connect page explains how to correct an invalid mail address', async () => {
  const { connect_url } = await underTest.add('wrong.acme.com');
  const answer = await send(`${connect_url}/notify`, { address: 'ada at "example"' });
  expect(answer.status).toBe(422);
  const markup = await answer.text();
  expect(markup).toContain('does not look like an email address');
  expect(markup).toContain('<label for="address">Your email address</label>');
  expect(markup).toContain('value="ada at &quot;example&quot;"');
  expect(markup).toContain('aria-invalid="true"');
});

test('the connect page confirms a mail address when a button is pressed, not when the link is opened', async () => {
  const { id, connect_url } = await underTest.add('mail.acme.com');
  const asked = await send(`${connect_url}/notify`, { address: 'ada@example.com' });
  expect(asked.headers.get('location')).toMatch(/\?notice=mail_sent#notify$/);
  expect(await follow(asked)).toContain('Please check your inbox');
  const request = await nextMail(1);
  const link = linkOf(request);
  for (let opened = 0; opened < 2; opened++) {
    expect(await (await fetch(link)).text()).toContain('Do you want us to email you?');
  }
  expect(await follow(await send(link))).toContain('Your address is confirmed');
  await underTest.lead(id, ['dns_seen', 'dns_confirmed', 'certificate_issued']);
  const told = await nextMail(2);
  expect(told.to).toBe('ada@example.com');
  expect(told.text).toContain('mail.acme.com');
});

test('an unsubscribe link works with one request of a mail program (RFC 8058), and shows a person a button', async () => {
  underTest.composition.mails.clear();
  const { connect_url } = await underTest.add('leave.acme.com');
  await send(`${connect_url}/notify`, { address: 'eve@example.com' });
  const { unsubscribe_url } = await nextMail(1);
  if (unsubscribe_url === null) throw new Error('the mail cannot be unsubscribed from');
  expect(await (await fetch(unsubscribe_url)).text()).toContain('Stop emails?');
  const ended = await send(unsubscribe_url, { 'List-Unsubscribe': 'One-Click' }, {});
  expect(ended.status).toBe(200);
  expect(await ended.text()).toContain('You will get no more emails');
  expect((await fetch(unsubscribe_url)).status).toBe(404);
  expect((await send(unsubscribe_url)).status).toBe(200);
});

async function nextMail(count: number): Promise<CapturedMail> {
  await expect.poll(() => underTest.composition.mails.list().length).toBe(count);
  const [newest] = underTest.composition.mails.list();
  if (newest === undefined) throw new Error('no mail was sent');
  return newest;
}

function linkOf({ text }: CapturedMail): string {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? '';
}
