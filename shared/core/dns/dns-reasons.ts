import type { Reason } from '../reasons.ts';

const error = { group: 'dns', severity: 'error', retryable: false } as const;
const warning = { group: 'dns', severity: 'warning', retryable: false } as const;
/** Findings for which the customer changes nothing: they pass with time, or do no harm. */
const info = { group: 'dns', severity: 'info', retryable: true } as const;

/** Everything that a DNS check can find (`docs/domains.md`). Reasons closer to the cause come first. */
export const DNS_REASONS = {
  domain_not_registered: {
    ...error,
    title: 'The domain is not registered',
    short: 'The domain is not registered',
    meaning:
      'The registry of the top-level domain does not know the domain, so no record below it can be found.',
    hint: 'Check the spelling[ of {name}], then register the domain, or renew it at its registrar if it has lapsed.',
    expected: 'a registered domain',
  },
  dns_delegation_lame: {
    ...error,
    title: 'The name servers do not serve the domain',
    short: 'Name servers do not answer',
    meaning: 'The registrar lists name servers for the domain that do not answer for it.',
    hint: 'At the registrar, set the name servers that the DNS provider gives for this domain[. Set now: {found}].',
    expected: 'name servers that answer for the domain',
  },
  dnssec_invalid: {
    ...error,
    title: 'DNSSEC is broken',
    short: 'DNSSEC is broken',
    meaning:
      'The DNSSEC signatures of the domain do not match the DS record at its registrar, so resolvers reject every answer. This happens after a change of DNS provider.',
    hint: 'At the registrar, remove the old DS record, or replace it with the one that the DNS provider gives.',
    expected: 'a valid DNSSEC chain, or none',
  },
  domain_parked: {
    ...error,
    title: 'The domain is parked',
    short: 'The domain is parked',
    meaning: 'The name servers of the domain belong to a parking service, which answers with its own pages.',
    hint: 'At the registrar, replace the parking name servers[ ({found})] with those of a DNS provider, then add the record there.',
    expected: "a DNS provider's name servers",
  },
  dns_conflicting_record: {
    ...error,
    title: 'Another record conflicts with the CNAME',
    short: 'Another record is in the way',
    meaning:
      'A CNAME must be the only record at its name. This name has other records too, so a resolver may use either the CNAME or the other records.',
    hint: 'Remove the other records[ at {name}][ ({found})], so that only the CNAME[ to {expected}] is left.',
    expected: 'no other record beside the CNAME',
  },
  dns_apex_cname: {
    ...error,
    title: 'This provider has no CNAME at the apex',
    short: 'No CNAME at the apex here',
    meaning:
      'The apex of a domain, or of a delegated zone below it, cannot hold a CNAME, and this DNS provider does not turn one into addresses.',
    hint: 'Use A and AAAA records[ at {name}] instead of a CNAME[: {expected}][. Remove the CNAME to {found}].',
    expected: 'A and AAAA records',
  },
  dns_doubled_host: {
    ...error,
    title: 'The name contains the domain twice',
    short: 'The name has the domain twice',
    meaning:
      'The DNS provider adds the domain to every name. The customer typed the domain as well, so the name of the record contains it twice.',
    hint: 'Change the name of the record[ to {name}]: type it without the domain[. It is now at {found}].',
    expected: 'the record at the hostname itself',
  },
  dns_doubled_target: {
    ...error,
    title: 'The domain was added to the value',
    short: 'The value has the domain added',
    meaning:
      "The CNAME's value ends in the customer's own domain, because the DNS panel read it as a name within that domain.",
    hint: 'Change the value of the record[ {name}][ to {expected}] and end it with a dot, so that the panel does not add the domain[. It is now {found}].',
    expected: 'the CNAME target',
  },
  proxy_plain_http: {
    ...error,
    title: 'The proxy reaches us by plain HTTP',
    short: 'The proxy uses plain HTTP',
    meaning:
      'A proxy ends HTTPS for the hostname and passes requests on by plain HTTP. We redirect such requests to HTTPS, so visitors are sent in a circle. At Cloudflare, this is the SSL mode "Flexible".',
    hint: 'Set the proxy to reach us by HTTPS (at Cloudflare, set SSL/TLS to "Full (strict)")[. Found: {found}].',
    expected: 'a proxy that reaches us by HTTPS',
  },
  proxy_misdirects: {
    ...error,
    title: 'The proxy does not pass all requests on unchanged',
    short: 'The proxy changes requests',
    meaning:
      'The hostname leads to a proxy that redirects, rewrites, caches or strips requests, or passes only some of them on. Visitors would not see the site as it is.',
    hint: 'Let the proxy pass every request on to us, with its host, path, headers and cookies, or remove the proxy[. Found: {found}].',
    expected: 'a proxy that passes every request on unchanged',
  },
  proxy_unreachable: {
    ...error,
    retryable: true,
    title: 'The proxy does not respond',
    short: 'The proxy does not respond',
    meaning:
      'The hostname leads to a proxy that does not respond, or responds only with errors. So neither visitors nor the certificate authority can reach us through the proxy.',
    hint: 'Check that the proxy is set up for the hostname and reaches us. If it redirects to HTTPS, let it pass /.well-known/ on by plain HTTP until we have a certificate[. Found: {found}].',
    expected: 'a proxy that reaches us',
  },
  dns_proxied: {
    ...error,
    title: "The record goes through the DNS provider's proxy",
    short: "The provider's proxy is on",
    meaning:
      "The hostname resolves to a proxy's addresses instead of ours. The certificate authority cannot validate it, and traffic takes a detour.",
    hint: 'Set the record[ {name}] to "DNS only" (at Cloudflare, click the orange cloud until it is grey)[. Found: {found}].',
    expected: 'the record without a proxy',
  },
  dns_reserved_address: {
    ...error,
    title: 'The address is private or reserved',
    short: 'The address is private',
    meaning: 'The hostname resolves to an address that cannot be reached from the internet.',
    hint: 'Replace the address[ {found}][ at {name}] with a record that points to us[: type {type}][, value {expected}].',
    expected: 'a record that points to us',
  },
  dns_stale_aaaa: {
    ...error,
    title: 'The AAAA record points elsewhere',
    short: 'The AAAA record is outdated',
    meaning:
      'The A record is right, but the AAAA record sends visitors with IPv6, and the certificate authority, to another server.',
    hint: 'Remove the AAAA record[ {found}][ at {name}][, or replace it with {expected}].',
    expected: 'no AAAA record, or ours',
  },
  dns_extra_addresses: {
    ...error,
    title: 'The hostname also has addresses that are not ours',
    short: 'It also has other addresses',
    meaning:
      'Some visitors, and the certificate authority, reach another server, because the hostname has addresses of that server too.',
    hint: 'Remove the addresses that are not ours[ at {name}][: {found}][. Keep only {expected}].',
    expected: 'our addresses only',
  },
  dns_record_mismatch: {
    ...error,
    title: 'The record points elsewhere',
    short: 'The record points elsewhere',
    meaning: 'A record with this name exists, but it points to another service.',
    hint: 'Change the record[ {name}] so that it points to us[: type {type}][, value {expected}][. It now points to {found}].',
    expected: 'a record that points to us',
  },
  dns_record_missing: {
    ...error,
    title: 'The record is missing',
    short: 'The record is missing',
    meaning: 'The domain is fine, but it has no record with this name.',
    hint: 'At the DNS provider, add a record[ of type {type}][ named {name}][ with the value {expected}].',
    expected: 'a record that points to us',
  },
  dns_https_elsewhere: {
    ...error,
    title: 'The HTTPS record points elsewhere',
    short: 'The HTTPS record is outdated',
    meaning:
      'An HTTPS record tells browsers which server, port and keys to use. The HTTPS record of this hostname leads browsers to another server, whatever the other records say.',
    hint: 'Remove the HTTPS record[ at {name}][: {found}].',
    expected: 'no HTTPS record, or one that leads to us',
  },
  dns_txt_mismatch: {
    ...error,
    title: 'The TXT record has another value',
    short: 'The TXT record is wrong',
    meaning:
      'There is a TXT record at the name, but it does not hold the value that proves ownership of the domain.',
    hint: 'Change the TXT record[ {name}][ to {expected}, without quotation marks][. It now holds {found}].',
    expected: 'the TXT value of this domain',
  },
  dns_txt_missing: {
    ...error,
    title: 'The TXT record is missing',
    short: 'The TXT record is missing',
    meaning:
      'Addresses alone do not prove ownership of the domain, and the TXT record that proves it is missing.',
    hint: 'At the DNS provider, add a TXT record[ named {name}][ with the value {expected}][. The value is now at {found} instead].',
    expected: 'the TXT value of this domain',
  },
  dns_ns_mismatch: {
    ...warning,
    title: 'Registrar and DNS provider list different name servers',
    short: 'The name servers disagree',
    meaning:
      'The name servers at the registrar differ from those in the zone itself, so two versions of the domain may be in use.',
    hint: 'At the registrar, set the name servers that the DNS provider gives for this domain[: {expected}][. Set now: {found}].',
    expected: 'the same name servers at the registrar and in the zone',
  },
  dns_acme_challenge_conflict: {
    ...warning,
    title: 'Certificates are delegated to another provider',
    short: 'Certificates go elsewhere',
    meaning:
      'A CNAME at _acme-challenge lets another provider obtain certificates for the hostname, which can interfere with ours.',
    hint: 'Remove the CNAME at _acme-challenge[ ({name})], unless the provider behind it[, {found},] is still in use.',
    expected: 'no CNAME at _acme-challenge',
  },
  dns_resolver_blocks: {
    ...warning,
    retryable: true,
    title: 'A public resolver blocks the name',
    short: 'A resolver blocks the name',
    meaning:
      'The operator of a public resolver blocks the name for its users, often because a list says that the name is unsafe. We ask a spare resolver in its place. Three resolvers have to return the record.',
    hint: 'Ask the operator of the resolver[ {found}] to unblock the name. Until then, people who use that resolver cannot open the site.',
    expected: 'an answer that the resolver does not change',
  },
  dns_provider_syncing: {
    ...info,
    title: 'The DNS provider is copying the change',
    short: 'The provider copies the change',
    meaning:
      "The domain's own name servers do not agree yet: the provider is copying the change from one to the next.",
    hint: 'No action needed: wait {wait} until all name servers of the provider have the new record[. Not yet: {found}].',
    expected: 'the same answer from all name servers',
  },
  dns_propagating: {
    ...info,
    title: 'The change is spreading',
    short: 'The change is spreading',
    meaning:
      'The record is right at its DNS provider, but a public resolver still has the old answer in its cache, at most for the TTL of that answer.',
    hint: 'No action needed: wait {wait} until the old answer expires[. A resolver still has {found}].',
    expected: 'the new answer from all three resolvers',
  },
  dns_resolver_unavailable: {
    ...info,
    title: 'The check could not ask the DNS servers',
    short: 'We could not ask DNS',
    meaning: 'A DNS server failed or did not answer in time, so the check says nothing about the record.',
    hint: 'No action needed: the check is repeated automatically.',
    expected: 'an answer',
  },
  proxy_leads_here: {
    ...info,
    retryable: false,
    title: 'A proxy passes requests on to us',
    short: 'A proxy stands in front',
    meaning:
      'The hostname leads to a proxy or CDN that passes requests on to us. The TXT record proves ownership, because no record leads to us directly.',
    hint: 'No action needed[: {found}]. Keep the TXT record, and renew the certificate of the proxy in time if it is your own.',
    expected: 'our edge, directly or through a proxy',
  },
} as const satisfies Record<string, Reason>;
