import { describe, expect, test } from 'vitest';
import { SUBDOMAIN } from '../survey-builder.ts';
import { all, type Case, codesOf, ELSEWHERE, NONE, RIGHT, SERVFAIL, TIMEOUT } from './cases.ts';

describe('what only time cures', () => {
  test.each<Case>([
    ['one server of the zone behind', { zone: [RIGHT, NONE] }, ['dns_provider_syncing']],
    [
      'one behind, and resolvers too',
      { zone: [RIGHT, NONE], resolvers: [RIGHT, NONE, NONE] },
      ['dns_provider_syncing'],
    ],
    ['a resolver behind', { zone: [RIGHT], resolvers: [RIGHT, RIGHT, NONE] }, ['dns_propagating']],
    ['all resolvers behind', { zone: [RIGHT], ...all(ELSEWHERE) }, ['dns_propagating']],
    [
      'a resolver behind, the zone out of reach',
      { zone: [TIMEOUT], resolvers: [RIGHT, RIGHT, ELSEWHERE] },
      ['dns_propagating'],
    ],
    [
      'most resolvers without, the zone out of reach',
      { zone: [TIMEOUT], resolvers: [RIGHT, NONE, NONE] },
      ['dns_record_missing'],
    ],
    [
      'resolvers that still have it, the zone without',
      { zone: [NONE], ...all(RIGHT) },
      ['dns_record_missing'],
    ],
    [
      'a resolver that fails',
      { zone: [RIGHT], resolvers: [RIGHT, RIGHT, TIMEOUT] },
      ['dns_resolver_unavailable'],
    ],
    [
      'a resolver behind and one that fails',
      { zone: [RIGHT], resolvers: [RIGHT, NONE, TIMEOUT] },
      ['dns_propagating', 'dns_resolver_unavailable'],
    ],
    ['all resolvers fail', all(TIMEOUT), ['dns_resolver_unavailable']],
    ['the zone fails and nobody else was asked', { zone: [TIMEOUT, SERVFAIL] }, ['dns_resolver_unavailable']],
    ['one server of the zone fails', { zone: [TIMEOUT, RIGHT], ...all(RIGHT) }, []],
    ['nobody could be asked', { delegation: null }, ['dns_resolver_unavailable']],
  ])('%s', (_, said, codes) => {
    expect(codesOf(SUBDOMAIN, said)).toEqual(codes);
  });
});
