import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DnsCheck } from '../../shared/store/domains/dns-checks.ts';
import { type ConnectUnderTest, connectUnderTest, finding } from './connect-under-test.ts';

let under_test: ConnectUnderTest;

beforeAll(async () => {
  under_test = await connectUnderTest();
});

afterAll(() => under_test[Symbol.asyncDispose]());

const NOTHING = [finding('dns_record_missing'), finding('dns_txt_missing')];
const OLD_SITE = [finding('dns_record_mismatch', { found: '203.0.113.7' }), finding('dns_txt_missing')];

let made = 0;

/** The page of a new apex domain after a check. */
async function pageAfter(seen: Pick<DnsCheck, 'progress' | 'findings'>): Promise<string> {
  const domain = await under_test.add(`new-apex-${made++}.com`);
  await under_test.see(domain.id, { ...seen, findings: [...seen.findings] });
  return (await fetch(domain.connect_url)).text();
}

/** The tone of the page, and the titles of what it shows, with a `!` before each that is shown as a fault. */
function shown(markup: string): {
  tone: string | undefined;
  headline: string | undefined;
  findings: string[];
} {
  const cards = [...markup.matchAll(/<article class="finding ([^"]*)"><h3>.*?<\/svg>([^<]*)</gs)];
  return {
    tone: /<section class="card status (\w+)"/.exec(markup)?.[1],
    headline: /<h2 id="headline"[^>]*>([^<]*)</.exec(markup)?.[1],
    findings: cards.map(([, name, title]) => (name === 'bad' ? `!${title}` : `${title}`)),
  };
}

const WAITS = { tone: 'waiting', headline: 'Waiting for your DNS records' };

test('an apex without any record is waited for, and nothing is shown as a fault', async () => {
  expect(shown(await pageAfter({ progress: 'untouched', findings: NOTHING }))).toEqual({
    ...WAITS,
    findings: [],
  });
});

test('an apex that has a website elsewhere is waited for, and says what is there', async () => {
  expect(shown(await pageAfter({ progress: 'untouched', findings: OLD_SITE }))).toEqual({
    ...WAITS,
    findings: ['The record points elsewhere'],
  });
});

test('an apex whose CAA records were there before is waited for, and says what to add', async () => {
  const findings = [...NOTHING, finding('caa_forbids')];
  expect(shown(await pageAfter({ progress: 'untouched', findings }))).toEqual({
    ...WAITS,
    findings: ['Our certificate is not allowed yet'],
  });
});

test('a record of several that is still missing is no fault', async () => {
  const findings = [finding('dns_txt_missing')];
  expect(shown(await pageAfter({ progress: 'changed', findings }))).toEqual({
    ...WAITS,
    findings: ['The TXT record is missing'],
  });
});

test('a record that the customer has put in place wrongly is a fault', async () => {
  expect(shown(await pageAfter({ progress: 'changed', findings: OLD_SITE }))).toEqual({
    tone: 'bad',
    headline: 'One thing to fix',
    findings: ['!The record points elsewhere', 'The TXT record is missing'],
  });
});

test('a record that was right and is gone is a fault', async () => {
  expect(shown(await pageAfter({ progress: 'seen', findings: NOTHING }))).toEqual({
    tone: 'bad',
    headline: 'One thing to fix',
    findings: ['!The record is missing', '!The TXT record is missing'],
  });
});
