import { HOPS } from '../../shared/core/public-path/public-path.ts';
import type { ReasonCode, ReasonFacts } from '../../shared/core/reasons.ts';

const PROXY = '198.51.100.7';
const ADDRESSES = '192.0.2.10, 2001:db8::10';
const CNAME = { name: 'careers', type: 'CNAME', expected: 'k3v9q2.edge.example.net' };
const TXT = { name: '_service.careers', type: 'TXT', expected: 'q3T8vX2mN5rK7wLp' };
const OLD_NAME_SERVERS = 'ns1.old-provider.example, ns2.old-provider.example';

/**
 * Example facts for the hint on each reason's page, as a check of `careers.acme.com` may find them. Each row has every fact that its hint
 * uses, so that the hint is complete.
 */
export const REASON_EXAMPLES: Partial<Record<ReasonCode, ReasonFacts>> = {
  domain_not_registered: { name: 'acme.com' },
  dns_delegation_lame: { found: OLD_NAME_SERVERS },
  domain_parked: { found: 'ns1.parking.example, ns2.parking.example' },
  dns_conflicting_record: { ...CNAME, found: 'A 203.0.113.7' },
  dns_apex_cname: { name: '@', expected: ADDRESSES, found: 'shops.example.net' },
  dns_doubled_host: { ...CNAME, found: 'careers.acme.com.acme.com' },
  dns_doubled_target: { ...CNAME, found: 'k3v9q2.edge.example.net.acme.com' },
  proxy_plain_http: { found: `${HOPS.flexible} (${PROXY})` },
  proxy_misdirects: { found: `${HOPS.cached} (${PROXY})` },
  proxy_unreachable: { found: `${HOPS.unreachable} (${PROXY})` },
  proxy_leads_here: { found: `${HOPS.tls_ended} (${PROXY})` },
  proxy_https_failed: { found: `${HOPS.proxied} (${PROXY})` },
  dns_proxied: { ...CNAME, found: '104.16.0.7, 104.16.1.7' },
  dns_reserved_address: { ...CNAME, found: '192.168.1.20' },
  dns_stale_aaaa: { name: 'careers', expected: '2001:db8::10', found: '2001:db8:ffff::7' },
  dns_extra_addresses: { name: 'careers', expected: ADDRESSES, found: '203.0.113.7' },
  dns_record_mismatch: { ...CNAME, found: 'shops.example.net' },
  dns_record_missing: CNAME,
  dns_https_elsewhere: { name: '@', found: '1 . ipv4hint=203.0.113.7' },
  dns_txt_mismatch: { ...TXT, found: 'an-older-value' },
  dns_txt_missing: { ...TXT, found: '_service.careers.acme.com.acme.com' },
  dns_ns_mismatch: {
    expected: 'ns1.new-provider.example, ns2.new-provider.example',
    found: OLD_NAME_SERVERS,
  },
  dns_acme_challenge_conflict: { name: '_acme-challenge.careers', found: 'acme.other-host.example' },
  dns_resolver_blocks: { found: '9.9.9.9 (Quad9)' },
  dns_provider_syncing: { wait: 'a few minutes', found: 'ns2.provider.example' },
  dns_propagating: { wait: 'at most 5 minutes', found: 'shops.example.net' },
  caa_forbids: { name: '@', expected: '0 issue "letsencrypt.org"', found: '0 issue "other-ca.example"' },
  caa_lookup_failed: { name: 'careers' },
  ca_rejected: { found: 'the name is on a list of names that are at risk' },
  ca_challenge_failed: { expected: ADDRESSES, found: '203.0.113.7' },
  ca_rate_limited: { wait: '3 hours' },
  hostname_routed_elsewhere: { name: '_service.careers.acme.com', found: 'Vx81mPq0Zs4dTy6b' },
  whitelabel_unverified: {
    name: 'domains',
    expected: 'k3v9q2.edge.example.net',
    found: 'shops.example.net',
  },
  whitelabel_ended: { name: 'careers', expected: 'k3v9q2.edge.example.net', found: 'domains.acme.example' },
  origin_not_allowed: { found: '192.168.1.20' },
  origin_dns_failed: { name: 'app.acme.example' },
  origin_tls_error: { found: 'a certificate for www.acme.example' },
  origin_http_error: { found: '503' },
  origin_bad_redirect: { found: 'http://app.acme.example/login' },
};
