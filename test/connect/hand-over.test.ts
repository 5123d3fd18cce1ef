import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectUnderTest, connectUnderTest, finding } from './connect-under-test.ts';

let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});

afterAll(() => underTest[Symbol.asyncDispose]());

/** Returns the email to a colleague that a page prepares; null if the page offers no such email. */
async function mailOf(connectUrl: string): Promise<{ subject: string; body: string } | null> {
  const markup = await (await fetch(connectUrl)).text();
  const href = /href="mailto:\?([^"]*)"/.exec(markup)?.[1];
  if (href === undefined) return null;
  const fields = new URLSearchParams(href.replaceAll('&amp;', '&').replaceAll('+', '%2B'));
  return { subject: fields.get('subject') ?? '', body: fields.get('body') ?? '' };
}

const CAA = {
  type: 'CAA',
  name: '@',
  expected: '0 issue "letsencrypt.org"',
  found: '0 issue "other-ca.example"',
};
const ISSUANCE_FAILED = ['dns_seen', 'dns_confirmed', 'issuance_failed'] as const;

test('the hand-over mail to the person who manages the DNS asks for the record of a new domain', async () => {
  const { connect_url, dns } = await underTest.add('new.acme.com');
  const mail = await mailOf(connect_url);
  expect(mail?.subject).toBe('DNS record for new.acme.com');
  expect(mail?.body).toContain('please add the DNS record below for acme.com');
  expect(mail?.body).toContain(`Value: ${dns.cname?.value}`);
});

test('if CAA records forbid the certificate, the hand-over mail asks for a CAA record, and not for the correct record', async () => {
  const { id, connect_url } = await underTest.add('caa.acme.com');
  await underTest.lead(id, ISSUANCE_FAILED, 'caa_forbids');
  await underTest.see(id, { progress: 'seen', findings: [finding('caa_forbids', CAA)] });
  const mail = await mailOf(connect_url);
  expect(mail?.subject).toBe('A change for caa.acme.com');
  expect(mail?.body).toContain(finding('caa_forbids', CAA).hint);
  expect(mail?.body).toContain('0 issue "letsencrypt.org"');
  expect(mail?.body).toContain(connect_url);
  expect(mail?.body).not.toMatch(/CNAME|add the DNS record/);
});

test('the hand-over mail asks for the correction of a wrong record, with the expected value', async () => {
  const { id, connect_url, dns } = await underTest.add('wrong.acme.com');
  const mismatch = finding('dns_record_mismatch', { name: 'wrong', found: 'shops.example.net' });
  await underTest.see(id, { findings: [mismatch] });
  const mail = await mailOf(connect_url);
  expect(mail?.body).toContain(mismatch.hint);
  expect(mail?.body).toContain(`Value: ${dns.cname?.value}`);
});

test('the hand-over mail lists a CAA record that is missing together with the other records', async () => {
  const { id, connect_url, dns } = await underTest.add('both.acme.com');
  const findings = [finding('dns_record_missing'), finding('caa_forbids', CAA)];
  await underTest.see(id, { progress: 'untouched', findings });
  const mail = await mailOf(connect_url);
  expect(mail?.body).toContain(finding('caa_forbids', CAA).hint);
  expect(mail?.body).toContain(`Value: ${dns.cname?.value}`);
});

test('the connect page offers no hand-over mail for a failure that passes by itself', async () => {
  const { id, connect_url } = await underTest.add('later.acme.com');
  await underTest.lead(id, ISSUANCE_FAILED, 'ca_unavailable');
  expect(await mailOf(connect_url)).toBeNull();
});
