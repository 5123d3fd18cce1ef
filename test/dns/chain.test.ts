import { afterEach, describe, expect, test } from 'vitest';
import type { Row } from '../fixtures/dns/dns-server.ts';
import {
  APEX,
  HOST,
  outcomes,
  RIGHT,
  type SmallInternet,
  type SmallInternetOptions,
  SUBDOMAIN,
  smallInternet,
  TARGET,
  TXT_VALUE,
  WRONG,
} from './small-internet.ts';

let net: SmallInternet;

afterEach(() => net[Symbol.asyncDispose]());

describe('a chain of CNAME records', () => {
  test('that leaves the zone is followed into the next zone, and only up to the target', async () => {
    const survey = await surveyed(WRONG, SUBDOMAIN, { brand: [['shop.brand.test', 'CNAME', TARGET]] });
    expect(survey.authorities[0]?.a.records.map(({ value }) => value)).toEqual(['shop.brand.test', TARGET]);
    expect(outcomes(survey.authorities)).toEqual(['right', 'right']);
    expect(net.edge.asked).toEqual([]);
    expect(net.brand.asked).toEqual(['shop.brand.test A', 'shop.brand.test AAAA']);
  });

  test('has the response code of the last name in the chain', async () => {
    const survey = await surveyed(WRONG);
    expect(survey.authorities[0]?.a).toMatchObject({
      outcome: 'nxdomain',
      records: [{ value: 'shop.brand.test' }],
    });
  });

  test('is believed only for names in the zone of the server that returned the chain', async () => {
    net = await smallInternet({ acme: WRONG });
    for (const server of [net.acme, net.acmeSecond]) {
      server.fault = () => ({
        extra: [
          ['shop.brand.test', 'CNAME', TARGET],
          ['shop.brand.test', 'A', '192.0.2.10'],
        ],
      });
    }
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(outcomes(survey.authorities)).toEqual(['wrong', 'wrong']);
  });

  test('leaves out records of names that are not in the chain', async () => {
    net = await smallInternet({ acme: [[HOST, 'A', '198.51.100.7']] });
    net.acme.fault = () => ({
      extra: [
        ['other.acme.test', 'CNAME', TARGET],
        [TARGET, 'A', '192.0.2.10'],
      ],
    });
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(outcomes(survey.authorities)).toEqual(['wrong', 'wrong']);
    expect(survey.authorities[0]?.a.records.map(({ value }) => value)).toEqual(['198.51.100.7']);
  });

  test.each<[string, Row[], Row[]]>([
    ['back to itself', [[HOST, 'CNAME', HOST]], []],
    ['in a circle through two zones', [...WRONG], [['shop.brand.test', 'CNAME', HOST]]],
  ])('that goes %s is a wrong record, and is not followed further', async (_, acme, brand) => {
    const survey = await surveyed(acme, SUBDOMAIN, { brand });
    expect(survey.authorities[0]?.a.failure).toBe('loop');
    expect(outcomes(survey.authorities)).toEqual(['wrong', 'wrong']);
  });

  test('that passes through too many zones is no longer followed', async () => {
    const hop = (index: number) => (index % 2 === 0 ? `hop${index}.acme.test` : `hop${index}.brand.test`);
    const rows: Row[] = Array.from({ length: 20 }, (_, index) => [hop(index), 'CNAME', hop(index + 1)]);
    const of = (zone: string) => rows.filter(([name]) => name.endsWith(zone));
    const survey = await surveyed([[HOST, 'CNAME', hop(0)], ...of('acme.test')], SUBDOMAIN, {
      brand: of('brand.test'),
    });
    expect(survey.authorities[0]?.a.failure).toBe('loop');
  });

  test('that ends at a name that cannot be looked up is a wrong record', async () => {
    const survey = await surveyed([[HOST, 'CNAME', `${TARGET} `]]);
    expect(outcomes(survey.authorities)).toEqual(['wrong', 'wrong']);
    expect(survey.authorities[0]?.a.records[0]?.value).toBe(`${TARGET}\\032`);
  });

  test('that has two targets for one name is malformed', async () => {
    net = await smallInternet({ acme: RIGHT });
    net.acme.fault = () => ({ extra: [[HOST, 'CNAME', 'shop.brand.test']] });
    const survey = await net.dns.survey(SUBDOMAIN, 'first');
    expect(survey.authorities[0]?.a).toMatchObject({ outcome: 'unknown', failure: 'malformed' });
  });
});

describe('a DNS survey judges the addresses of a name without a CNAME', () => {
  test('accepts an apex with our addresses and its TXT record', async () => {
    const survey = await surveyed(
      [
        ['acme.test', 'A', '192.0.2.10'],
        ['acme.test', 'AAAA', '2001:db8::10'],
        ['_service.acme.test', 'TXT', TXT_VALUE],
      ],
      APEX,
    );
    expect(outcomes(survey.authorities, APEX)).toEqual(['right', 'right']);
    expect(outcomes(survey.resolvers, APEX)).toEqual(['right', 'right', 'right']);
    expect(net.acme.asked.toSorted()).toEqual(['_service.acme.test TXT', 'acme.test A', 'acme.test AAAA']);
  });

  test('accepts a subdomain with our addresses and its TXT record', async () => {
    const survey = await surveyed([
      [HOST, 'A', '192.0.2.10'],
      [`_service.${HOST}`, 'TXT', TXT_VALUE],
    ]);
    expect(outcomes(survey.authorities)).toEqual(['right', 'right']);
  });

  test('rejects a subdomain with our addresses but without a TXT record', async () => {
    const survey = await surveyed([[HOST, 'A', '192.0.2.10']]);
    expect(survey.authorities[0]?.txt).toMatchObject({ outcome: 'nxdomain' });
    expect(outcomes(survey.authorities)).toEqual(['wrong', 'wrong']);
  });
});

async function surveyed(acme: readonly Row[], expectation = SUBDOMAIN, options: SmallInternetOptions = {}) {
  net = await smallInternet({ ...options, acme });
  return net.dns.survey(expectation, 'first');
}
