import { expect, test } from 'vitest';
import type { App } from '../../../shared/core/apps/app.ts';
import {
  type ExpectationFacts,
  expectationOf,
  neededAddressType,
} from '../../../shared/core/dns/dns-expectation.ts';
import type { Status } from '../../../shared/core/domains/status.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { sampleApp } from '../apps/sample-app.ts';
import { sampleDomain, T0 } from '../domains/sample-domain.ts';

const SETTINGS = {
  names: serviceNames('Service'),
  edgeZone: 'edge.service.example',
  edgeIpv4: ['203.0.113.10'],
  edgeIpv6: [],
  caaIssuers: ['letsencrypt.org'],
};
const FACTS: ExpectationFacts = {
  hasRoute: false,
  hostLost: false,
  otherProofs: [],
  hasWhitelabel: true,
  now: T0,
};
const OWN = 'a1.edge.service.example';
const HOST = 'domains.ats.example';

const APP = sampleApp({ target_label: 'a1' });

test("the expected records of a domain have the domain's own names", () => {
  const domain = sampleDomain({ hostname: 'careers.acme.co.uk' });
  expect(expectationOf(domain, APP, SETTINGS, FACTS)).toEqual({
    hostname: 'careers.acme.co.uk',
    registrable: 'acme.co.uk',
    allowsProxies: true,
    is_apex: false,
    targets: [OWN],
    edgeZone: SETTINGS.edgeZone,
    otherProofs: [],
    host: null,
    edgeIpv4: ['203.0.113.10'],
    edgeIpv6: [],
    txtName: '_service.careers.acme.co.uk',
    txt_value: 'txt',
    txtRequired: true,
    caaIssuers: ['letsencrypt.org'],
  });
});

test.each<[Status, boolean]>([
  ['pending_dns', true],
  ['verifying', true],
  ['issuing', false],
  ['active', false],
  ['cert_failed', false],
  // The hostname may have a new owner since it broke. All apps share the same addresses, so the TXT record is required again.
  ['dns_broken', true],
])('in %s, a domain with the route must prove ownership by TXT again: %s', (status, required) => {
  const domain = sampleDomain({ status });
  expect(expectationOf(domain, APP, SETTINGS, { ...FACTS, hasRoute: true }).txtRequired).toBe(required);
  expect(expectationOf(domain, APP, SETTINGS, FACTS).txtRequired).toBe(true);
});

const IN_GRACE = { whitelabel_grace_ends_at: T0 + 1 };

test.each<[string, Partial<App>, Partial<ExpectationFacts>, string | null, string[], string[]]>([
  [
    'verified, so that customers are shown it',
    { whitelabel_verified: true },
    {},
    null,
    [HOST, OWN],
    ['accepted'],
  ],
  [
    'verified, for a live domain routed through it',
    { whitelabel_verified: true },
    { hasRoute: true },
    HOST,
    [HOST, OWN],
    ['accepted', 'keeps'],
  ],
  [
    'verified, but not in the plan',
    { whitelabel_verified: true },
    { hasWhitelabel: false },
    null,
    [OWN],
    ['accepted'],
  ],
  ['not verified yet', {}, { hasRoute: true }, HOST, [OWN], []],
  [
    'in its grace period, for a domain routed through it',
    IN_GRACE,
    { hasRoute: true },
    HOST,
    [OWN],
    ['accepted', 'keeps'],
  ],
  ['in its grace period, for a new domain', IN_GRACE, {}, null, [OWN], ['bars']],
  ['in its grace period, for a domain that lost the route', IN_GRACE, {}, HOST, [OWN], ['bars']],
  [
    'in its grace period, for a domain routed through another name',
    IN_GRACE,
    { hasRoute: true },
    OWN,
    [OWN],
    [],
  ],
  [
    "in its grace period, but now another app's of the account",
    IN_GRACE,
    { hasRoute: true, hostLost: true },
    HOST,
    [OWN],
    [],
  ],
  ['past its grace period', { whitelabel_grace_ends_at: T0 }, { hasRoute: true }, HOST, [OWN], []],
  [
    'past its grace period, and no longer in the plan',
    { whitelabel_verified: true, whitelabel_grace_ends_at: T0 },
    { hasRoute: true, hasWhitelabel: false },
    HOST,
    [OWN],
    ['ended', 'bars'],
  ],
])(
  'the expected CNAME targets follow the state of the white-label host, which is %s',
  (_, fields, facts, routedThrough, targets, flags) => {
    const app = { ...APP, whitelabel_host: HOST, ...fields };
    const domain = sampleDomain({
      routed_through: routedThrough,
      ...(facts.hasRoute && { status: 'active' }),
    });
    const expected = expectationOf(domain, app, SETTINGS, { ...FACTS, ...facts });
    expect(expected.targets).toEqual(targets);
    expect(expected.host).toMatchObject({ name: HOST, target: OWN });
    expect(
      Object.entries(expected.host ?? {})
        .flatMap(([flag, is]) => (is === true ? [flag] : []))
        .sort(),
    ).toEqual(flags.toSorted());
  },
);

test("the white-label host itself must point to the app's own CNAME target", () => {
  const app = { ...APP, whitelabel_host: HOST, whitelabel_verified: true };
  const expected = expectationOf(sampleDomain({ hostname: HOST }), app, SETTINGS, FACTS);
  expect(expected).toMatchObject({ targets: [OWN], host: null });
});

test.each([
  [['203.0.113.10'], ['2001:db8::10'], 'A'],
  [['203.0.113.10'], [], 'A'],
  [[], ['2001:db8::10'], 'AAAA'],
  [[], [], 'A'],
])(
  'an edge with the IPv4 addresses %j and the IPv6 addresses %j needs %s records',
  (edgeIpv4, edgeIpv6, type) => {
    expect(neededAddressType({ edgeIpv4, edgeIpv6 })).toBe(type);
  },
);
