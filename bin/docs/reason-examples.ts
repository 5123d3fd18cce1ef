import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import { detailOf } from '../../shared/core/dns/dns-finding.ts';
import { exampleFinding } from '../../shared/core/dns/example-finding.ts';
import type { StatusDetail } from '../../shared/core/domains/domain.ts';
import { type ReasonCode, type ReasonFacts, reasonDetail } from '../../shared/core/reasons.ts';

/**
 * Returns an example of `status_detail` for the page of a reason, as a check of `careers.acme.com` may return it. The example has every
 * value that the reason's hint uses.
 */
export function exampleDetail(code: ReasonCode): StatusDetail {
  const example = exampleFinding(code, CAREERS);
  return example === null ? reasonDetail(code, FACTS[code]) : detailOf(example);
}

const TARGET = 'k3v9q2.edge.example.net';
const HOST = 'domains.acme.example';

const CAREERS: DnsExpectation = {
  hostname: 'careers.acme.com',
  registrable: 'acme.com',
  is_apex: false,
  targets: [TARGET],
  host: { name: HOST, target: TARGET, found: null, ended: true, accepted: false, keeps: false, bars: true },
  edgeIpv4: ['192.0.2.10'],
  edgeIpv6: ['2001:db8::10'],
  txtName: '_service.careers.acme.com',
  txt_value: 'q3T8vX2mN5rK7wLp',
  txtRequired: true,
  caaIssuers: ['letsencrypt.org'],
};

/** Example values for the hints of the reasons that neither a DNS check nor a CA reports. */
const FACTS: Partial<Record<ReasonCode, ReasonFacts>> = {
  hostname_routed_elsewhere: { name: '_service.careers.acme.com', found: 'Vx81mPq0Zs4dTy6b' },
  whitelabel_unverified: { name: 'domains', expected: TARGET, found: 'shops.example.net' },
  origin_not_allowed: { found: '192.168.1.20' },
  origin_dns_failed: { name: 'app.acme.example' },
  origin_tls_error: { found: 'a certificate for www.acme.example' },
  origin_http_error: { found: '503' },
  origin_bad_redirect: { found: 'http://app.acme.example/login' },
};
