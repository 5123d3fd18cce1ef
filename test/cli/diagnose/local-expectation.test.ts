import { expect, test } from 'vitest';
import { type ExpectationSources, localExpectation } from '../../../cli/diagnose/local-expectation.ts';
import type { AppResource } from '../../../shared/schema/app.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { appOf, domainOf } from '../resources.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const NOTHING: ExpectationSources = { target: undefined, addresses: [], app: null, domain: null, now: NOW };

function app(fields: Partial<AppResource> = {}): AppResource {
  return appOf({ whitelabel_host: 'go.brand.com', ...fields }) as AppResource;
}

function targets(sources: Partial<ExpectationSources>): readonly string[] {
  return localExpectation('careers.acme.com', { ...NOTHING, ...sources }).expectation.targets;
}

test("diagnose expects the app's own targets, and its white-label host while it is verified or in its grace period", () => {
  const own = 'abc.edge.example.com';
  expect(targets({})).toEqual([]);
  expect(targets({ app: app() })).toEqual([own]);
  expect(targets({ app: app({ whitelabel_verified: true }) })).toEqual(['go.brand.com', own]);
  expect(targets({ app: app({ whitelabel_grace_ends_at: '2026-11-20T12:00:01.000Z' }) })).toEqual([
    own,
    'go.brand.com',
  ]);
  expect(targets({ app: app({ whitelabel_grace_ends_at: '2026-11-20T12:00:00.000Z' }) })).toEqual([own]);
  expect(targets({ app: app(), target: 'Other.Example.com.' })).toEqual(['other.example.com']);
});

const APEX = {
  cname: null,
  apex: { a: ['192.0.2.10'], aaaa: ['2001:db8::10'], txt: { name: '_service', value: 'proof' } },
};

test("diagnose expects an apex domain's A and AAAA records, and its TXT record until the domain has been live", () => {
  const told = (fields: Partial<DomainResource>) => {
    const domain = domainOf({ hostname: 'acme.com', is_apex: true, dns: APEX, ...fields }) as DomainResource;
    return localExpectation('acme.com', { ...NOTHING, app: app(), domain }).expectation;
  };
  expect(told({})).toMatchObject({
    edgeIpv4: ['192.0.2.10'],
    edgeIpv6: ['2001:db8::10'],
    txtName: '_service.acme.com',
    txt_value: 'proof',
    txtRequired: true,
  });
  expect(told({ status: 'active' }).txtRequired).toBe(false);
  expect(told({ status: 'dns_broken', status_reason: 'hostname_routed_elsewhere' }).txtRequired).toBe(true);
});

test.each([
  ['acme.com', {}, 'nameplate domains add acme.com'],
  ['acme.com', { app: app() }, '--address'],
  ['acme.com', { target: 'a.example.com' }, '--address'],
  ['careers.acme.com', {}, 'nameplate login'],
  ['careers.acme.com', { addresses: ['192.0.2.1'] }, '--target'],
])(
  'diagnose does not know the target of %s from %j alone, and says how to specify the target',
  (name, sources, how) => {
    expect(localExpectation(name, { ...NOTHING, ...sources }).unknown).toContain(how);
  },
);

test.each([
  ['acme.com', { addresses: ['2001:db8::1'] }],
  ['careers.acme.com', { app: app() }],
  ['careers.acme.com', { target: 'a.example.com' }],
])('diagnose derives the target of %s from %j', (name, sources) => {
  expect(localExpectation(name, { ...NOTHING, ...sources }).unknown).toBeNull();
});
