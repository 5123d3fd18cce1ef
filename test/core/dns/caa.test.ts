import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caaVerdict, readCaaIssuer, readCaaRecord } from '../../../shared/core/dns/caa.ts';
import { caaLookups, lookup, type Said } from './survey-builder.ts';

const HOST = 'careers.acme.com';
const OURS = ['letsencrypt.org', 'pki.goog'];
const ACCOUNT = 'https://ca.example/acct/1';
const ORDER = { method: 'http-01', accountUri: ACCOUNT, wildcard: false };

function verdictOf(said: Readonly<Record<string, Said>>, order = ORDER) {
  return caaVerdict(caaLookups(HOST, said), HOST, OURS, order);
}

describe('CAA records allow issuance', () => {
  test.each<[string, Readonly<Record<string, Said>>]>([
    ['no CAA anywhere', {}],
    ['names that do not exist', { [HOST]: 'nxdomain', 'acme.com': 'nxdomain' }],
    ['one of our authorities', { 'acme.com': ['CAA 0 issue "letsencrypt.org"'] }],
    ['one of ours among others', { 'acme.com': ['CAA 0 issue "digicert.com"', 'CAA 0 issue "pki.goog"'] }],
    ['in capitals', { 'acme.com': ['CAA 0 ISSUE "LetsEncrypt.ORG"'] }],
    ['with spaces around it', { 'acme.com': ['CAA 0 issue "  letsencrypt.org ;"'] }],
    [
      'a nearer set than the one that forbids',
      {
        [HOST]: ['CAA 0 issue "letsencrypt.org"'],
        'acme.com': ['CAA 0 issue ";"'],
      },
    ],
    ['an error above the set that decides', { [HOST]: ['CAA 0 issue "letsencrypt.org"'], com: 'servfail' }],
    ['a set without issue', { 'acme.com': ['CAA 0 iodef "mailto:a@acme.com"'] }],
    ['a rule for wildcards alone', { 'acme.com': ['CAA 0 issuewild ";"'] }],
    ['an unknown tag that is not critical', { 'acme.com': ['CAA 0 tbs "x"'] }],
    ['a critical tag that is understood', { 'acme.com': ['CAA 128 issue "letsencrypt.org"'] }],
    ['our account', { 'acme.com': [`CAA 0 issue "letsencrypt.org; accounturi=${ACCOUNT}"`] }],
    ['our method', { 'acme.com': ['CAA 0 issue "letsencrypt.org; validationmethods=dns-01,http-01"'] }],
    ['unknown parameters', { 'acme.com': ['CAA 0 issue "letsencrypt.org; policy=ev"'] }],
    ['the set of a CNAME target', { [HOST]: ['CNAME x.example', 'CAA 0 issue "letsencrypt.org"'] }],
  ])('in the case "%s"', (_, said) => {
    expect(verdictOf(said)).toEqual({ allowed: true });
  });
});

describe('CAA records forbid issuance', () => {
  test.each<[string, Readonly<Record<string, Said>>, string]>([
    ['only other authorities', { 'acme.com': ['CAA 0 issue "digicert.com"'] }, 'acme.com'],
    ['no authority', { 'acme.com': ['CAA 0 issue ";"'] }, 'acme.com'],
    ['an empty value', { 'acme.com': ['CAA 0 issue ""'] }, 'acme.com'],
    ['the top-level domain', { com: ['CAA 0 issue "registry.example"'] }, 'com'],
    ['the set of a CNAME target', { [HOST]: ['CNAME x.example', 'CAA 0 issue "digicert.com"'] }, 'x.example'],
    [
      'an unknown critical tag beside ours',
      {
        [HOST]: ['CAA 0 issue "letsencrypt.org"', 'CAA 128 tbs "x"'],
      },
      HOST,
    ],
    ['a name that ends in ours', { 'acme.com': ['CAA 0 issue "notletsencrypt.org"'] }, 'acme.com'],
    ['a name below ours', { 'acme.com': ['CAA 0 issue "a.letsencrypt.org"'] }, 'acme.com'],
    [
      'another account',
      { 'acme.com': ['CAA 0 issue "letsencrypt.org; accounturi=https://ca.example/acct/2"'] },
      'acme.com',
    ],
    [
      'two accounts in one record',
      {
        'acme.com': [`CAA 0 issue "letsencrypt.org; accounturi=${ACCOUNT}; accounturi=${ACCOUNT}"`],
      },
      'acme.com',
    ],
    [
      'another method',
      { 'acme.com': ['CAA 0 issue "letsencrypt.org; validationmethods=dns-01"'] },
      'acme.com',
    ],
    ['no method', { 'acme.com': ['CAA 0 issue "letsencrypt.org; validationmethods="'] }, 'acme.com'],
    ['a broken parameter', { 'acme.com': ['CAA 0 issue "letsencrypt.org; nonsense"'] }, 'acme.com'],
    ['a semicolon too many', { 'acme.com': ['CAA 0 issue "letsencrypt.org; a=b;"'] }, 'acme.com'],
    [
      'an unreadable record beside ours',
      { 'acme.com': ['CAA 0 issue "letsencrypt.org"', 'CAA \\# 3 00ff'] },
      'acme.com',
    ],
  ])('in the case "%s"', (_, said, at) => {
    expect(verdictOf(said)).toMatchObject({ allowed: false, code: 'caa_forbids', at });
  });

  test('the result contains the records that forbid issuance, unchanged', () => {
    const said = { 'acme.com': ['CAA 0 issue "digicert.com"', 'CAA 0 issuewild ";"'] };
    expect(verdictOf(said)).toMatchObject({ found: '0 issue "digicert.com", 0 issuewild ";"' });
  });
});

describe('a failed lookup of CAA records forbids issuance', () => {
  test.each<[string, Readonly<Record<string, Said>>, string, string]>([
    ['at the name', { [HOST]: 'servfail', 'acme.com': ['CAA 0 issue "letsencrypt.org"'] }, HOST, 'servfail'],
    ['on the way to the root', { 'acme.com': 'timeout' }, 'acme.com', 'timeout'],
  ])('no certificate is issued if the lookup fails %s', (_, said, at, found) => {
    expect(verdictOf(said)).toEqual({ allowed: false, code: 'caa_lookup_failed', at, found });
  });

  test('no certificate is issued if a lookup was skipped', () => {
    const [own] = caaLookups(HOST, {});
    expect(caaVerdict(own === undefined ? [] : [own], HOST, OURS, ORDER)).toMatchObject({
      code: 'caa_lookup_failed',
      at: 'acme.com',
    });
  });

  test('the failure does not matter if another server answered the same question', () => {
    const twice = [lookup(HOST, 'CAA', 'timeout'), ...caaLookups(HOST, {})];
    expect(caaVerdict(twice, HOST, OURS, ORDER)).toEqual({ allowed: true });
  });
});

test('for a wildcard, issuewild decides, or issue if there is no issuewild', () => {
  const wildcard = { ...ORDER, wildcard: true };
  const ownRule = { 'acme.com': ['CAA 0 issue "digicert.com"', 'CAA 0 issuewild "letsencrypt.org"'] };
  expect(verdictOf(ownRule, wildcard)).toEqual({ allowed: true });
  expect(verdictOf(ownRule)).toMatchObject({ code: 'caa_forbids' });
  expect(verdictOf({ 'acme.com': ['CAA 0 issue "digicert.com"'] }, wildcard)).toMatchObject({
    allowed: false,
  });
});

test('parameters of CAA records are ignored until the ACME account and the method are known', () => {
  const said = {
    'acme.com': ['CAA 0 issue "letsencrypt.org; accounturi=https://a.example; validationmethods=x"'],
  };
  const unknown = { method: null, accountUri: null, wildcard: false };
  expect(caaVerdict(caaLookups(HOST, said), HOST, OURS, unknown)).toEqual({ allowed: true });
});

test('the CAA parser reads the presentation form with its escapes', () => {
  expect(readCaaRecord('128 Issue "a\\"b\\\\c\\059d"')).toEqual({
    critical: true,
    tag: 'issue',
    value: 'a"b\\c;d',
  });
  for (const bad of [
    '',
    '0 issue',
    '256 issue "a"',
    '0 is-sue "a"',
    '0 issue "a" b',
    '0 issue "a"b"',
    '-1 issue "a"',
  ]) {
    expect(readCaaRecord(bad)).toBeNull();
  }
});

test('no CAA record allows an authority that the record does not name', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(fc.nat(255), fc.oneof(text, fc.stringMatching(/^[a-z.;= \\"-]{0,40}$/)), (flags, value) => {
      fc.pre(!value.toLowerCase().includes('letsencrypt') && !value.toLowerCase().includes('pki'));
      fc.pre(!/\\\d/.test(value));
      const verdict = verdictOf({ 'acme.com': [`CAA ${flags} issue "${value}"`] });
      expect(verdict).toMatchObject({ allowed: false });
    }),
  );
});

test('the CAA parser reads a long hostile value quickly', () => {
  const long = 65_000;
  for (const value of [
    ' '.repeat(long),
    `a${'-'.repeat(long)}`,
    ';'.repeat(long),
    `x; ${'a='.repeat(long / 2)}`,
  ]) {
    const issuer = readCaaIssuer(`${value} .`);
    expect(issuer?.domain ?? '').not.toBe('letsencrypt.org');
  }
});
