import { expect, test } from 'vitest';
import { certificateFields } from '../../../service/commands/operator/certificate-view.ts';
import {
  type CertificateOrder,
  newOrder,
  nextOrderStep,
} from '../../../shared/core/certificates/certificate-order.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { sampleDomain } from '../../core/domains/sample-domain.ts';

const AWAITED: CertificateOrder = { ...newOrder(sampleDomain().id, 'issue', 0), unchecked_since: 0 };

function fieldsOf(
  domain: Partial<Domain>,
  { order = null as CertificateOrder | null, has_authorities = true } = {},
) {
  const state = {
    domain: sampleDomain({ mode: 'live', status_reason: null, ...domain }),
    routed: false,
    certificate: null,
    order: order && { ...order, next_step: nextOrderStep(order) },
    next_at: null,
  };
  return certificateFields(state, has_authorities);
}

test.each([
  [
    { status: 'pending_dns', status_reason: 'dns_record_missing' },
    'waiting for its DNS (dns_record_missing)',
  ],
  [{ status: 'dns_broken' }, 'waiting for its DNS'],
  [{ status: 'expired' }, 'its DNS was not set up in time'],
  [{ status: 'held' }, 'the hostname is held'],
  [{ status: 'issuing' }, 'waiting for its turn'],
  [
    { status: 'cert_failed', status_reason: 'caa_forbids' },
    'the last attempt failed; it will be retried (caa_forbids)',
  ],
  [{ status: 'active', mode: 'test' }, 'test domains get no certificate'],
] as const)('the view of a certificate explains why %j has no order: %s', (domain, why) => {
  expect(fieldsOf(domain)[0]).toEqual(['certificate', `Not ordered yet: ${why}`]);
});

test("the operator's view of a certificate says that no certificate authority is set", () => {
  const [first] = fieldsOf({ status: 'issuing' }, { has_authorities: false });
  expect(first).toEqual(['certificate', 'Not ordered yet: NAMEPLATE_CAS is not set']);
});

test("the operator's view of a certificate shows that a domain waits for a check after its release from a hold", () => {
  const fields = new Map(fieldsOf({ status: 'issuing' }, { order: AWAITED }));
  expect(fields.get('certificate')).toContain('waiting for a successful DNS check');
  expect(fields.get('next step')).toBe('wait for a successful DNS check');
});

test("the operator's view of a certificate shows an order at an authority without a reason, and omits empty fields", () => {
  const order = { ...AWAITED, unchecked_since: null, ca: 'pebble', order_url: 'https://ca.example/1' };
  const fields = new Map(fieldsOf({ status: 'issuing' }, { order }));
  expect(fields.has('certificate')).toBe(false);
  expect(fields.get('order at')).toBe('pebble');
  expect(
    [...fields.values()].filter((value) => value === null || value === undefined || value === ''),
  ).toEqual([]);
});
