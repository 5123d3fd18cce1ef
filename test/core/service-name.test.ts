import { expect, test } from 'vitest';
import { serviceNames } from '../../shared/core/service-name.ts';

test('the default service name produces the names in the guides', () => {
  expect(serviceNames('Service')).toEqual({
    service_name: 'Service',
    shown_name: 'Nameplate',
    signature_header: 'Service-Signature',
    event_id_header: 'Service-Event-Id',
    delivery_id_header: 'Service-Delivery-Id',
    webhook_user_agent: 'Service-Webhooks/1',
    probe_user_agent: 'Service-Probe/1',
    origin_header_prefix: 'X-Service-',
    domain_id_header: 'X-Service-Domain-Id',
    app_id_header: 'X-Service-App-Id',
    timestamp_header: 'X-Service-Timestamp',
    origin_signature_header: 'X-Service-Signature',
    txtLabel: '_service',
    hostname_is_service_code: 'hostname_is_service',
    test_ca_issuer: 'Service Test CA',
  });
});

test('with another service name, all names contain this name, and none contains the default', () => {
  for (const name of Object.values(serviceNames('AcmeCdn9'))) {
    expect(name.toLowerCase()).toContain('acmecdn9');
    expect(name.toLowerCase()).not.toContain('service');
  }
  expect(serviceNames('AcmeCdn9').txtLabel).toBe('_acmecdn9');
});

test.each([
  '',
  '9Acme',
  'Acme Cdn',
  'Acme-Cdn',
  'acme_cdn',
  'Acmé',
  'Acme\r\nX: y',
  'Acme\n',
  'a'.repeat(32),
])('the service name %j is refused, because it cannot be part of a header and a label', (name) => {
  expect(() => serviceNames(name)).toThrow(RangeError);
});

test.each(['A', 'a'.repeat(31)])('the service name %j is accepted', (name) => {
  expect(serviceNames(name).signature_header).toBe(`${name}-Signature`);
});
