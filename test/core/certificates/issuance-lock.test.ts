import { expect, test } from 'vitest';
import { issuanceLock } from '../../../shared/core/certificates/ca.ts';
import { caaVerdict } from '../../../shared/core/dns/caa.ts';
import { aLookup } from '../../operations/certificates/right-dns.ts';

const OURS = 'https://acme.example/acct/1';
const ca = { caa_issuers: ['ca.example', 'also-ca.example'] };

test('the CAA lock has a record for each authority at which we have an account', () => {
  const other = { caa_issuers: ['other.example'] };
  expect(
    issuanceLock([
      { ca, accountUrl: OURS },
      { ca: other, accountUrl: null },
    ]),
  ).toEqual([`0 issue "ca.example; accounturi=${OURS}"`]);
});

test.each(['https://acme.example/"', 'https://acme.example/;x', 'https://acme.example/\\', 'https://a b'])(
  'the CAA lock leaves out the account URL %j, which a CAA record cannot contain',
  (accountUrl) => {
    expect(issuanceLock([{ ca, accountUrl }])).toEqual([]);
  },
);

test.each([
  [OURS, true],
  ['https://acme.example/acct/2', false],
])('the CAA lock allows a certificate order of the account %s: %s', (accountUri, allowed) => {
  const records = issuanceLock([{ ca, accountUrl: OURS }]).map((value) => ['CAA', value] as const);
  const order = { method: null, accountUri, wildcard: false };
  const lookups = [aLookup('acme.com', 'CAA', records)];
  expect(caaVerdict(lookups, 'acme.com', ca.caa_issuers, order).allowed).toBe(allowed);
});
