import { expect, test } from 'vitest';
import { dnsRecords } from '../../../shared/core/dns/dns-records.ts';
import { parseHostname } from '../../../shared/core/domains/hostname.ts';

const app = {
  cname_target: 'a1b2.edge.service.example',
  apex_a: ['192.0.2.1', '192.0.2.2'],
  apex_aaaa: ['2001:db8::1'],
  txt_value: 'service-verify=abc',
  txtLabel: '_service',
  redirectsWww: false,
};

test('a subdomain needs one CNAME record, whose name is relative to the registrable domain', () => {
  expect(dnsRecords({ ...parseHostname('jobs.eu.acme.co.uk', []), ...app })).toEqual({
    cname: { name: 'jobs.eu', value: 'a1b2.edge.service.example' },
    apex: null,
  });
});

test("an apex domain needs A and AAAA records, and a TXT record at the label with the service's name", () => {
  expect(dnsRecords({ ...parseHostname('acme.co.uk', []), ...app })).toEqual({
    cname: null,
    apex: {
      a: ['192.0.2.1', '192.0.2.2'],
      aaaa: ['2001:db8::1'],
      txt: { name: '_service', value: 'service-verify=abc' },
    },
  });
});

test('an apex domain that redirects www also needs a CNAME for www, but a subdomain never does', () => {
  const redirecting = { ...app, redirectsWww: true };
  expect(dnsRecords({ ...parseHostname('acme.co.uk', []), ...redirecting }).apex?.www).toEqual({
    name: 'www',
    value: 'a1b2.edge.service.example',
  });
  expect(dnsRecords({ ...parseHostname('acme.co.uk', []), ...app }).apex).not.toHaveProperty('www');
  expect(dnsRecords({ ...parseHostname('jobs.acme.co.uk', []), ...redirecting }).apex).toBeNull();
});
