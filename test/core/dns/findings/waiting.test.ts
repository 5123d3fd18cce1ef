import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../../shared/core/dns/dns-findings.ts';
import { SUBDOMAIN, surveyOf } from '../survey-builder.ts';
import { all, BLOCKED, type Case, codesOf, ELSEWHERE, NONE, RIGHT, SERVFAIL, TIMEOUT } from './cases.ts';

describe('some findings disappear with time', () => {
  test.each<Case>([
    ["one of the zone's servers is behind", { zone: [RIGHT, NONE] }, ['dns_provider_syncing']],
    [
      'one server is behind, and so are resolvers',
      { zone: [RIGHT, NONE], resolvers: [RIGHT, NONE, NONE] },
      ['dns_provider_syncing'],
    ],
    ['a resolver is behind', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, NONE] }, ['dns_propagating']],
    ['all resolvers are behind', { zone: [RIGHT], ...all(ELSEWHERE) }, ['dns_propagating']],
    [
      'a resolver is behind, and the zone is unreachable',
      { zone: [TIMEOUT], resolvers: [RIGHT, RIGHT, ELSEWHERE] },
      ['dns_propagating'],
    ],
    [
      'most resolvers lack the record, and the zone is unreachable',
      { zone: [TIMEOUT], resolvers: [RIGHT, NONE, NONE] },
      ['dns_record_missing'],
    ],
    [
      'resolvers still have the record, but the zone lacks it',
      { zone: [NONE], ...all(RIGHT) },
      ['dns_record_missing'],
    ],
    ['a resolver fails', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, TIMEOUT] }, ['dns_resolver_unavailable']],
    [
      'one resolver is behind and one fails',
      { zone: [RIGHT], resolvers: [RIGHT, NONE, TIMEOUT] },
      ['dns_propagating', 'dns_resolver_unavailable'],
    ],
    ['all resolvers fail', all(TIMEOUT), ['dns_resolver_unavailable']],
    [
      'the zone fails and no other server was asked',
      { zone: [TIMEOUT, SERVFAIL] },
      ['dns_resolver_unavailable'],
    ],
    ["one of the zone's servers fails", { zone: [TIMEOUT, RIGHT], ...all(RIGHT) }, []],
    [
      'a resolver blocks the name',
      { zone: [RIGHT], resolvers: [RIGHT, RIGHT, BLOCKED] },
      ['dns_resolver_blocks'],
    ],
    [
      'a spare stands in for a resolver that blocks the name',
      { zone: [RIGHT], ...all(RIGHT), replaced: [BLOCKED] },
      ['dns_resolver_blocks'],
    ],
    ['a spare stands in for a resolver that refuses', { ...all(RIGHT), replaced: [{ a: 'refused' }] }, []],
    [
      'one resolver blocks the name, one fails and one is behind',
      { zone: [RIGHT], resolvers: [NONE, TIMEOUT, BLOCKED] },
      ['dns_resolver_blocks', 'dns_propagating', 'dns_resolver_unavailable'],
    ],
    ['no server could be asked', { delegation: null }, ['dns_resolver_unavailable']],
  ])('the findings have the expected codes if %s', (_, said, codes) => {
    expect(codesOf(SUBDOMAIN, said)).toEqual(codes);
  });

  test('a finding names the operator of a resolver that blocks the name', () => {
    const said = { zone: [RIGHT], resolvers: [RIGHT, RIGHT, BLOCKED] };
    expect(diagnose(surveyOf(SUBDOMAIN, said), SUBDOMAIN)).toMatchObject([
      { found: '9.9.9.9 (Quad9)', hint: expect.stringContaining('9.9.9.9 (Quad9)'), changes: [] },
    ]);
  });
});
