import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DnsCheck } from '../../shared/store/domains/dns-checks.ts';
import { type ConnectUnderTest, connectUnderTest, finding } from './connect-under-test.ts';

let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});

afterAll(() => underTest[Symbol.asyncDispose]());

const NOTHING = [finding('dns_record_missing'), finding('dns_txt_missing')];
const OLD_SITE = [finding('dns_record_mismatch', { found: '203.0.113.7' }), finding('dns_txt_missing')];

let made = 0;

/** Returns the connect page of a new apex domain after a DNS check with this result. */
async function pageAfter(seen: Pick<DnsCheck, 'progress' | 'findings'>): Promise<string> {
  const domain = await underTest.add(`new-apex-${made++}.com`);
  await underTest.see(domain.id, { ...seen, findings: [...seen.findings] });
  return (await fetch(domain.connect_url)).text();
}

/** Returns the tone and headline of a page, and the titles of its findings, with a `!` before each fault. */
function shown(markup: string): {
  tone: string | undefined;
  headline: string | undefined;
  findings: string[];
} {
  const cards = [...markup.matchAll(/<article class="finding ([^"]*)"[^>]*><h3>.*?<\/svg>([^<]*)</gs)];
  return {
    tone: /<section class="card (\w+)" id="status"/.exec(markup)?.[1],
    headline: /<h2 id="headline"[^>]*>([^<]*)</.exec(markup)?.[1],
    findings: cards.map(([, name, title]) => (name === '' ? `${title}` : `!${title}`)),
  };
}

const WAITS = { tone: 'wait', headline: 'Waiting for your DNS records' };

test('the connect page asks for the records of an apex that has none, and shows no fault', async () => {
  expect(shown(await pageAfter({ progress: 'untouched', findings: NOTHING }))).toEqual({
    ...WAITS,
    findings: [],
  });
});

test('the connect page asks for the records of an apex with a website elsewhere, and shows the existing records', async () => {
  expect(shown(await pageAfter({ progress: 'untouched', findings: OLD_SITE }))).toEqual({
    ...WAITS,
    findings: ['The record points elsewhere'],
  });
});

test('if older CAA records at an apex forbid the certificate, the connect page asks for a CAA record and shows what to add', async () => {
  const findings = [...NOTHING, finding('caa_forbids')];
  expect(shown(await pageAfter({ progress: 'untouched', findings }))).toEqual({
    ...WAITS,
    findings: ['Our certificate is not allowed yet'],
  });
});

test('the connect page shows no fault while one of several records is still missing', async () => {
  const findings = [finding('dns_txt_missing')];
  expect(shown(await pageAfter({ progress: 'changed', findings }))).toEqual({
    ...WAITS,
    findings: ['The TXT record is missing'],
  });
});

test('the connect page shows a fault, but not in red, if the customer has entered a wrong record', async () => {
  expect(shown(await pageAfter({ progress: 'changed', findings: OLD_SITE }))).toEqual({
    tone: 'wait',
    headline: 'One thing to fix',
    findings: ['!The record points elsewhere', 'The TXT record is missing'],
  });
});

test('the connect page shows a fault in red if a correct record has disappeared', async () => {
  expect(shown(await pageAfter({ progress: 'seen', findings: NOTHING }))).toEqual({
    tone: 'bad',
    headline: 'One thing to fix',
    findings: ['!The record is missing', '!The TXT record is missing'],
  });
});

test('a domain that expired and was added again shows nothing of its first 72 hours', async () => {
  const hostname = `new-apex-${made++}.com`;
  const { id, connect_url } = await underTest.add(hostname);
  await underTest.see(id, { progress: 'seen', findings: OLD_SITE });
  await underTest.lead(id, ['window_passed']);
  expect((await underTest.add(hostname)).status).toBe('pending_dns');
  const markup = await (await fetch(connect_url)).text();
  expect(shown(markup)).toEqual({ ...WAITS, findings: [] });
});
