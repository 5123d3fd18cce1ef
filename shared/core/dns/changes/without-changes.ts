import type { DNS_REASONS } from '../dns-reasons.ts';

/** The codes of all findings that a DNS check can report. */
type FoundCode =
  | keyof typeof DNS_REASONS
  | 'caa_forbids'
  | 'caa_lookup_failed'
  | 'proxy_https_failed'
  | 'whitelabel_ended'
  | 'whitelabel_unverified';

const TIME = 'Only time is needed';
const PROXY =
  "The fault is in the proxy's settings. A record that leads to the edge directly would bypass the proxy, which your customer may want to keep";

/** Findings that no change to the customer's records fixes, and why. `docs/domains.md` lists them. */
export const WITHOUT_CHANGES = {
  domain_not_registered: 'Only a registrar can register or renew the domain',
  dns_delegation_lame: 'Only the DNS provider knows which name servers serve the domain',
  domain_parked: "A parking service's zone cannot be changed. The domain first needs a DNS provider",
  dns_ns_mismatch: 'Only your customer knows which of the two lists of name servers is right',
  proxy_plain_http: PROXY,
  proxy_misdirects: PROXY,
  proxy_unreachable: PROXY,
  proxy_https_failed: PROXY,
  proxy_leads_here: 'Nothing has to change',
  dns_provider_syncing: TIME,
  dns_propagating: TIME,
  dns_resolver_blocks: 'The record is not at fault. Only the operator of the resolver can unblock the name',
  dns_resolver_unavailable: TIME,
  caa_lookup_failed:
    'The name servers fail, or the zone cannot prove that a record is missing. No record is known to be wrong',
  whitelabel_unverified: "The record at fault is in the app's own zone",
} as const satisfies Partial<Record<FoundCode, string>>;

/** The findings that a change to records fixes, at least in most cases. */
export type FixableCode = Exclude<FoundCode, keyof typeof WITHOUT_CHANGES>;

/** The cases in which no change to records fixes a finding, although a change fixes that finding in other cases. */
export const CASES_WITHOUT_CHANGES: readonly { code: FixableCode | null; when: string; why: string }[] = [
  {
    code: 'dnssec_invalid',
    when: 'If a DS record belongs to a key of the zone',
    why: 'The signatures are missing, expired or wrong. Only the DNS provider can sign the zone again, and removing the DS record would turn DNSSEC off',
  },
  {
    code: 'dns_proxied',
    when: 'If the zone is at Cloudflare',
    why: 'The proxy hides the record. A switch turns the proxy off, not a record',
  },
  {
    code: null,
    when: 'If it needs more than 20 changes',
    why: 'Your customer has to decide what such a name is for',
  },
];
