import { expect, test } from 'vitest';
import type { ContentField } from '../../../shared/connect/content/connect-content.ts';
import { blocksOf, contentOf } from '../../../shared/connect/content/content-of.ts';
import { makeFinding } from '../../../shared/core/dns/dns-finding.ts';
import type { ConnectPage } from '../../../shared/operations/connect/get-connect-page.ts';
import { PAGE, viewWith } from './view-with.ts';

const RECORD = { type: 'CNAME', name: 'careers' } as const;
const CHECKED = '2026-01-01T00:00:00.000Z';

const blocksWith = (change: Partial<ConnectPage> = {}, provider: string | null = null) =>
  blocksOf(viewWith(change, provider));
const kindsWith = (change: Partial<ConnectPage>) =>
  contentOf(viewWith(change), 'dom_1').blocks.map(({ kind }) => kind);
const valuesOf = (fields: readonly ContentField[] = []) =>
  fields.map(({ label, old, value }) => [label, old, value]);

test("the connect page shows the records of a new domain above the checks, with the provider's names of the fields", () => {
  expect(kindsWith({})).toEqual(['head', 'status', 'records', 'checks', 'folds', 'links']);
  const { records } = blocksWith();
  expect(records).toMatchObject({
    title: 'Add this record at Cloudflare',
    one_click: null,
    ways: [
      { title: 'Open the DNS records of acme.com', link: { text: 'Open Cloudflare' } },
      { title: 'Enter this in the form' },
      { title: 'Save. We do the rest.' },
    ],
  });
  expect(valuesOf(records?.ways[1]?.records[0]?.fields)).toEqual([
    ['Type', null, 'CNAME'],
    ['Name', null, 'careers'],
    ['Target', null, 'k3v9.edge.example.net'],
  ]);
});

test('the connect page shows a finding above the records, and compares the found value with the expected one', () => {
  const wrong = makeFinding('dns_record_mismatch', RECORD, {
    found: 'old.example.net',
    expected: 'k3v9.edge.example.net',
  });
  const change = { findings: [wrong], progress: 'changed' } as const;
  expect(kindsWith(change)).toEqual(['head', 'status', 'findings', 'records', 'checks', 'folds', 'links']);
  const { findings, folds } = blocksWith(change);
  expect(findings?.list[0]).toMatchObject({ code: 'dns_record_mismatch', tone: 'wait', changes: [] });
  expect(valuesOf(findings?.list[0]?.compared)).toEqual([
    ['What we see now', null, 'old.example.net'],
    ['What it should be', null, 'k3v9.edge.example.net'],
  ]);
  expect(folds?.list.map(({ id }) => id)).toEqual(['steps', 'providers']);
});

test.each([
  [
    'add',
    null,
    [
      ['Type', null, 'CNAME'],
      ['Name', null, 'careers'],
      ['Value', null, 'new.example.net'],
    ],
  ],
  [
    'replace',
    { type: 'A', value: '192.0.2.1' },
    [
      ['Type', 'A', 'CNAME'],
      ['Name', null, 'careers'],
      ['Replace', '192.0.2.1', null],
      ['with', null, 'new.example.net'],
    ],
  ],
  [
    'remove',
    null,
    [
      ['Type', null, 'CNAME'],
      ['Name', null, 'careers'],
      ['Value', 'new.example.net', null],
    ],
  ],
] as const)(
  'the change "%s" takes the place of the record, which is folded, and strikes out the values that go',
  (action, of, expected) => {
    const change = { action, type: 'CNAME', name: 'careers', value: 'new.example.net', of, relates_to: null };
    const wrong = {
      ...makeFinding('dns_record_mismatch', RECORD, { found: 'x.example.net' }),
      changes: [change],
    };
    const { status, findings, records, folds } = blocksWith({
      findings: [wrong as never],
      progress: 'changed',
    });
    expect(valuesOf(records?.ways[1]?.records[0]?.fields)).toEqual(expected);
    expect([status.text, findings]).toEqual(['The record points elsewhere', null]);
    expect(folds?.list.map(({ id }) => id)).toEqual(['records', 'providers']);
  },
);

test('the connect page offers the automatic connection only for the provider that hosts the zone', () => {
  const url = 'https://dns.example/apply';
  expect(blocksWith({ one_click_url: url }).records?.one_click?.link).toEqual({
    text: 'Connect automatically with Cloudflare',
    href: url,
  });
  expect(blocksWith({ one_click_url: url }, 'godaddy').records?.one_click).toBeNull();
});

test.each([
  [{}, 'Check now', 1],
  [{ last_checked_at: CHECKED }, 'Check again', 1],
  [{ last_checked_at: CHECKED, next_check_at: CHECKED, checkable: false }, null, 2],
  [{ last_checked_at: CHECKED, status: 'cert_failed' }, 'Try again now', 1],
] as const)('the checks of %j have the button %j', (change, button, times) => {
  const { checks } = blocksWith(change);
  expect(checks?.button).toBe(button);
  expect(checks?.times).toHaveLength(times);
});

test.each(['issuing', 'active', 'held', 'expired', 'deleted'] as const)(
  'the connect page shows no checks for a domain in %s',
  (status) => {
    expect(blocksWith({ status, last_checked_at: CHECKED, next_check_at: CHECKED }).checks).toBeNull();
  },
);

test('the connect page folds away the record for an early certificate, and leaves it out once the certificate exists', () => {
  const dns = {
    ...PAGE.dns,
    acme_challenge: { name: '_acme-challenge.careers', value: 'k3v9.acme.example.net' },
  };
  const moveWith = (change: Partial<ConnectPage>) =>
    blocksWith(change).folds?.list.find(({ id }) => id === 'move');
  expect(valuesOf(moveWith({ dns })?.parts[0]?.record.fields).map(([, , value]) => value)).toEqual([
    'CNAME',
    '_acme-challenge.careers',
    'k3v9.acme.example.net',
  ]);
  expect(moveWith({ dns, ready_to_switch: true })).toBeUndefined();
  expect(moveWith({ dns, status: 'verifying' })).toBeUndefined();
});

test.each([
  ['dns_record_mismatch', 'A record with this name exists, but it points to another service.'],
  ['dns_doubled_target', expect.stringMatching(/end it with a dot/)],
] as const)('below the change that fixes %s, the connect page does not repeat the change', (code, text) => {
  const value = 'k3v9.edge.example.net';
  const of = { type: 'CNAME', value: 'old.example.net' };
  const replacement = { ...RECORD, action: 'replace', zone: 'acme.com', value, ttl: 300, of } as const;
  const finding = makeFinding(code, RECORD, { found: of.value, expected: value });
  const findings = [{ ...finding, changes: [replacement] }];
  expect(blocksWith({ status: 'dns_broken', findings }).records?.ways[1]).toMatchObject({ text });
});

test('a new status changes the revision of the connect page, but a new time does not', () => {
  const revisionWith = (change: Partial<ConnectPage>) => contentOf(viewWith(change), 'dom_1').revision;
  expect(revisionWith({ now: '2026-01-01T00:00:09.000Z' })).toBe(revisionWith({}));
  expect(revisionWith({ status: 'issuing' })).not.toBe(revisionWith({}));
});

test('the connect page says first that the visitor can switch now, once the certificate exists', () => {
  expect(blocksWith({ ready_to_switch: true }).status).toMatchObject({
    tone: 'good',
    headline: 'You can switch now',
    text: expect.stringContaining('The certificate for careers.acme.com is in place.'),
  });
});

test.each([
  [{}, 'loose'],
  [{ status: 'active' }, 'fixed'],
  [{ status: 'cert_failed', has_certificate: true }, 'fixed'],
  [{ status: 'dns_broken', has_certificate: true }, 'loose'],
  [{ status: 'active', mode: 'test' }, 'paper'],
] as const)('the plate of a domain with %j is %s', (change, plate) => {
  expect(blocksWith(change).head.plate).toBe(plate);
});
