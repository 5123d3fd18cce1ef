import os from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { problemsOf } from './config-problems.ts';

const EDGE = { NAMEPLATE_EDGE_IPV4: '192.0.2.1,192.0.2.2', NAMEPLATE_EDGE_IPV6: '2001:db8::1' };

test('an edge is named after its machine, sends no beats and is in the region default, unless the settings say otherwise', () => {
  expect(readConfig(EDGE).edgeNode).toEqual({
    name: os.hostname().replaceAll(/[^\w.-]/g, '-'),
    addresses: [],
    regions: ['default'],
    dnsTtlMs: 300_000,
  });
  const env = {
    ...EDGE,
    NAMEPLATE_EDGE_NODE: 'fra-1',
    NAMEPLATE_EDGE_ADDRESSES: '2001:DB8:0::1, 192.0.2.2',
    NAMEPLATE_EDGE_REGIONS: 'eu, us',
    NAMEPLATE_DNS_TTL_SECONDS: '60',
  };
  expect(readConfig(env).edgeNode).toEqual({
    name: 'fra-1',
    addresses: ['192.0.2.2', '2001:db8::1'],
    regions: ['eu', 'us'],
    dnsTtlMs: 60_000,
  });
});

test('an address of the machine that is no address of the edge is refused, with the settings that list them', () => {
  expect(problemsOf({ ...EDGE, NAMEPLATE_EDGE_ADDRESSES: '192.0.2.1,192.0.2.3' })).toEqual({
    NAMEPLATE_EDGE_ADDRESSES: expect.stringContaining('NAMEPLATE_EDGE_IPV4 or NAMEPLATE_EDGE_IPV6'),
  });
});
