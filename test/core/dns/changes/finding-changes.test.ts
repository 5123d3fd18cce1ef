import { describe, expect, test } from 'vitest';
import type { DnsExpectation } from '../../../../shared/core/dns/dns-expectation.ts';
import { diagnose } from '../../../../shared/core/dns/dns-findings.ts';
import type { ReasonCode } from '../../../../shared/core/reasons.ts';
import { ADDRESS, CLOUDFLARE, challenge, doubled, ELSEWHERE, HOST, NONE, RIGHT } from '../findings/cases.ts';
import {
  APEX,
  caaLookups,
  FOREIGN_V4,
  FOREIGN_V6,
  lookup,
  PROOF,
  type SaidSurvey,
  SUBDOMAIN,
  surveyOf,
  TARGET,
  V4,
  V6,
} from '../survey-builder.ts';

/** A test case: a survey, and the changes of each finding as `<action> <name> <type> <value>[ instead of <type> <value>]`. */
type Case = [title: string, said: SaidSurvey, changes: Partial<Record<ReasonCode, string[]>>];

const NS1 = { server: 'ns1.host.example' };
const beside = (...records: string[]) => ({
  besideCname: [lookup(HOST, 'TXT', records, NS1)],
});
const atApex = (a: readonly string[], aaaa: readonly string[] = []): SaidSurvey => ({
  zone: [{ a, aaaa: aaaa.length === 0 ? 'nodata' : aaaa, txt: [`TXT ${PROOF}`] }],
});

const FLAT_ALONE = { a: [`A ${V4}`] };
const DOUBLED_PROOF = '_service.acme.com.acme.com';
/** The TXT value as customers may enter it by mistake: within straight, escaped, single or typographic quotation marks. */
const QUOTED = [`"${PROOF}"`, `\\"${PROOF}\\"`, `'${PROOF}' `, `\\226\\128\\156${PROOF}\\226\\128\\157`];

describe('the suggested changes for a subdomain repair its zone', () => {
  test.each<Case>([
    ['without a record', { zone: [NONE] }, { dns_record_missing: [`add careers CNAME ${TARGET}`] }],
    [
      'with a CNAME to another service',
      { zone: [ELSEWHERE] },
      {
        dns_record_mismatch: [`replace careers CNAME ${TARGET} instead of CNAME cname.vercel-dns.com`],
      },
    ],
    [
      'with a CNAME within its own zone',
      { zone: [{ a: ['CNAME lb.acme.com', `A ${FOREIGN_V4}`] }] },
      { dns_record_mismatch: [`replace careers CNAME ${TARGET} instead of CNAME lb.acme.com`] },
    ],
    [
      'with two addresses',
      { zone: [{ a: [`A ${FOREIGN_V4}`, 'A 93.184.215.15'] }] },
      {
        dns_record_mismatch: [
          'remove careers A 93.184.215.15',
          `replace careers CNAME ${TARGET} instead of A ${FOREIGN_V4}`,
        ],
      },
    ],
    [
      'with an address from a wildcard',
      { zone: [ADDRESS], probes: { belowHostname: lookup(`x7.*.${HOST}`, 'A', [`A ${FOREIGN_V4}`]) } },
      { dns_record_mismatch: [`add careers CNAME ${TARGET}`] },
    ],
    [
      'with an address, and a wildcard that leads elsewhere',
      { zone: [ADDRESS], probes: { belowHostname: lookup(`x7.*.${HOST}`, 'A', 'nxdomain') } },
      { dns_record_mismatch: [`replace careers CNAME ${TARGET} instead of A ${FOREIGN_V4}`] },
    ],
    [
      'that receives mail',
      { zone: [ADDRESS], probes: beside('MX 10 mail.acme.com') },
      {
        dns_record_mismatch: [`replace careers A ${V4} instead of A ${FOREIGN_V4}`],
        dns_txt_missing: [`add _service.careers TXT ${PROOF}`],
      },
    ],
    [
      'with a CNAME beside other records',
      { zone: [ADDRESS], probes: beside(`A ${FOREIGN_V4}`, 'TXT old', `CNAME ${TARGET}`) },
      {
        dns_conflicting_record: [`remove careers A ${FOREIGN_V4}`, 'remove careers TXT old'],
      },
    ],
    [
      'with the domain in the value',
      { zone: [{ a: [`CNAME ${TARGET}.acme.com`] }] },
      { dns_doubled_target: [`replace careers CNAME ${TARGET} instead of CNAME ${TARGET}.acme.com`] },
    ],
    [
      'with the domain in the name',
      { zone: [NONE], probes: doubled([`CNAME ${TARGET}`], 'nxdomain') },
      { dns_doubled_host: [`add careers CNAME ${TARGET}`] },
    ],
    [
      'with our address and another',
      { zone: [{ a: [`A ${V4}`, `A ${FOREIGN_V4}`] }] },
      {
        dns_extra_addresses: [`remove careers A ${FOREIGN_V4}`],
        dns_txt_missing: [`add _service.careers TXT ${PROOF}`],
      },
    ],
    [
      'behind a proxy that hides the record',
      { zone: [{ a: ['A 104.16.1.1'] }], delegation: CLOUDFLARE },
      { dns_proxied: [] },
    ],
    [
      'with an address of a proxy, at another provider',
      { zone: [{ a: ['A 104.16.1.1'] }] },
      { dns_proxied: [`replace careers CNAME ${TARGET} instead of A 104.16.1.1`] },
    ],
    [
      'that is a zone of its own',
      { zone: [{ a: 'nodata' }], delegation: { zone: HOST } },
      { dns_apex_cname: [`add @ A ${V4}`], dns_txt_missing: [`add _service TXT ${PROOF}`] },
    ],
    [
      'whose challenge is delegated to another provider',
      { zone: [RIGHT], probes: challenge('x.acme-dns.example') },
      { dns_acme_challenge_conflict: ['remove _acme-challenge.careers CNAME x.acme-dns.example'] },
    ],
    [
      'that only some resolvers see',
      { zone: [RIGHT], resolvers: [RIGHT, NONE, NONE] },
      { dns_propagating: [] },
    ],
  ])('fix the case "%s"', (_, said, changes) => {
    expect(changesOf(SUBDOMAIN, said)).toEqual(changes);
  });
});

describe('the suggested changes for an apex repair its zone', () => {
  test.each<Case>([
    [
      'without a record',
      { zone: [{ a: 'nodata' }] },
      { dns_record_missing: [`add @ A ${V4}`], dns_txt_missing: [`add _service TXT ${PROOF}`] },
    ],
    [
      'with the addresses of another service',
      atApex(['A 76.76.21.21'], [`AAAA ${FOREIGN_V6}`]),
      {
        dns_record_mismatch: [
          `replace @ A ${V4} instead of A 76.76.21.21`,
          `replace @ AAAA ${V6} instead of AAAA ${FOREIGN_V6}`,
        ],
      },
    ],
    [
      'with a foreign AAAA',
      atApex([`A ${V4}`], [`AAAA ${FOREIGN_V6}`]),
      { dns_stale_aaaa: [`replace @ AAAA ${V6} instead of AAAA ${FOREIGN_V6}`] },
    ],
    [
      'with ours and others',
      atApex([`A ${V4}`, `A ${FOREIGN_V4}`]),
      { dns_extra_addresses: [`remove @ A ${FOREIGN_V4}`] },
    ],
    [
      'with a CNAME',
      atApex(['CNAME x.example', `A ${FOREIGN_V4}`]),
      { dns_apex_cname: [`replace @ A ${V4} instead of CNAME x.example`] },
    ],
    [
      'with another value of the proof',
      { zone: [{ a: [`A ${V4}`], txt: ['TXT service-verify-2'] }] },
      { dns_txt_mismatch: [`replace _service TXT ${PROOF} instead of TXT service-verify-2`] },
    ],
    ...QUOTED.map(
      (value): Case => [
        `with the proof entered as ${value}, and another value`,
        { zone: [{ a: [`A ${V4}`], txt: ['TXT one', `TXT ${value}`] }] },
        { dns_txt_mismatch: [`replace _service TXT ${PROOF} instead of TXT ${value}`] },
      ],
    ),
    [
      'with the proof at a name with the domain twice',
      { zone: [FLAT_ALONE], probes: { doubledTxt: lookup(DOUBLED_PROOF, 'TXT', [`TXT ${PROOF}`]) } },
      {
        dns_txt_missing: [`remove _service.acme.com TXT ${PROOF}`, `add _service TXT ${PROOF}`],
      },
    ],
    [
      'with the quoted proof at the apex itself, among others',
      {
        zone: [FLAT_ALONE],
        probes: { besideCname: [lookup('acme.com', 'TXT', ['TXT v=spf1 -all', `TXT "${PROOF}"`])] },
      },
      { dns_txt_missing: [`remove @ TXT "${PROOF}"`, `add _service TXT ${PROOF}`] },
    ],
    [
      'with another value at a name with the domain twice',
      { zone: [FLAT_ALONE], probes: { doubledTxt: lookup(DOUBLED_PROOF, 'TXT', ['TXT x']) } },
      { dns_txt_missing: [`add _service TXT ${PROOF}`] },
    ],
    [
      'with several other values, which stay',
      { zone: [{ a: [`A ${V4}`], txt: ['TXT one', 'TXT two'] }] },
      { dns_txt_mismatch: [`add _service TXT ${PROOF}`] },
    ],
  ])('fix the case "%s"', (_, said, changes) => {
    expect(changesOf(APEX, said)).toEqual(changes);
  });
});

describe('the suggested changes for CAA records let us get a certificate', () => {
  const caa = (...records: string[]): SaidSurvey => ({
    zone: [RIGHT],
    resolvers: [RIGHT, RIGHT, RIGHT],
    probes: { caa: caaLookups(HOST, { 'acme.com': records }) },
  });

  test.each<Case>([
    [
      'of another authority',
      caa('CAA 0 issue "digicert.com"'),
      { caa_forbids: ['add @ CAA 0 issue "letsencrypt.org"'] },
    ],
    [
      'that forbid everyone',
      caa('CAA 0 issue ";"'),
      { caa_forbids: ['add @ CAA 0 issue "letsencrypt.org"'] },
    ],
    [
      'with a critical tag that no authority knows',
      caa('CAA 0 issue "letsencrypt.org"', 'CAA 128 tbs "unknown"'),
      { caa_forbids: ['replace @ CAA 0 issue "letsencrypt.org" instead of CAA 128 tbs "unknown"'] },
    ],
  ])('fix the case "%s"', (_, said, changes) => {
    expect(changesOf(SUBDOMAIN, said)).toEqual(changes);
  });

  test("no changes are suggested for records at a CNAME target outside the customer's zone", () => {
    const said = {
      ...caa(),
      probes: { caa: caaLookups(HOST, { [HOST]: [`CNAME ${TARGET}`, 'CAA 0 issue ";"'] }) },
    };
    expect(changesOf(SUBDOMAIN, said)).toEqual({ caa_forbids: [] });
  });
});

test('the suggested changes keep the TTL of the records that they change', () => {
  const [finding] = diagnose(surveyOf(SUBDOMAIN, { zone: [ELSEWHERE] }), SUBDOMAIN);
  expect(finding?.changes).toMatchObject([{ ttl: 120, zone: 'acme.com' }]);
});

test('no changes are suggested for a name with so many records that nobody would change them one by one', () => {
  const addresses = Array.from({ length: 21 }, (_, n) => `A 93.184.215.${n}`);
  expect(changesOf(SUBDOMAIN, { zone: [{ a: addresses }] })).toEqual({ dns_record_mismatch: [] });
});

test.each([
  [{ doubledTxt: lookup(DOUBLED_PROOF, 'TXT', [`TXT ${PROOF}`]) }, DOUBLED_PROOF],
  [{ besideCname: [lookup('acme.com', 'TXT', [`TXT ${PROOF}`])] }, 'acme.com'],
  [{}, null],
])('the finding of a missing TXT record names the place where the record is instead', (probes, found) => {
  const [finding] = diagnose(surveyOf(APEX, { zone: [FLAT_ALONE], probes }), APEX);
  expect(finding).toMatchObject({ code: 'dns_txt_missing', found });
  if (found !== null) expect(finding?.hint).toContain(`The value is now at ${found} instead.`);
});

function changesOf(expectation: DnsExpectation, said: SaidSurvey): Partial<Record<ReasonCode, string[]>> {
  const findings = diagnose(surveyOf(expectation, said), expectation);
  return Object.fromEntries(
    findings.map(({ code, changes }) => [
      code,
      changes.map(({ action, name, type, value, of }) =>
        [action, name, type, value, ...(of === null ? [] : ['instead of', of.type, of.value])].join(' '),
      ),
    ]),
  );
}
