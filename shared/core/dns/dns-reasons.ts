import type { Reason } from '../reason.ts';

const error = { group: 'dns', severity: 'error', retryable: false } as const;
const warning = { group: 'dns', severity: 'warning', retryable: false } as const;
/** For the customer there is nothing to do but wait. */
const info = { group: 'dns', severity: 'info', retryable: true } as const;

/** What a DNS check can find (`docs/domains.md`), the nearest to the cause first. */
export const DNS_REASONS = {
  domain_not_registered: {
    ...error,
    title: 'The domain is not registered',
    meaning:
      'The registry of the top-level domain does not know the domain, so no record below it can be found.',
    hint: 'Check the spelling[ of {name}], then register the domain, or renew it at its registrar if it has lapsed.',
    expected: 'a registered domain',
  },
  dns_delegation_lame: {
    ...error,
    title: 'The name servers do not serve the domain',
    meaning: 'The registrar names servers for the domain that do not answer for it.',
    hint: 'At the registrar, set the name servers that the DNS provider gives for this domain[. Set now: {found}].',
    expected: 'name servers that answer for the domain',
  },
  dnssec_invalid: {
    ...error,
    title: 'DNSSEC is broken',
    meaning:
      'The DNSSEC signatures of the domain do not fit the DS record at its registrar, so resolvers refuse every answer. It happens after a change of DNS provider.',
    hint: 'At the registrar, remove the stale DS record, or replace it by the one the DNS provider gives.',
    expected: 'a valid DNSSEC chain, or none',
  },
  domain_parked: {
    ...error,
    title: 'The domain is parked',
    meaning: 'The name servers of the domain belong to a parking service, which answers with its own pages.',
    hint: 'At the registrar, replace the parking name servers[ ({found})] by those of a DNS provider, then add the record there.',
    expected: "a DNS provider's name servers",
  },
  dns_conflicting_record: {
    ...error,
    title: 'Another record stands in the way',
    meaning:
      'A CNAME must be the only record at its name, and here it is not: resolvers pick one or the other.',
    hint: 'Remove the other records[ at {name}][ ({found})], so that only the CNAME[ to {expected}] is left.',
    expected: 'no other record beside the CNAME',
  },
  dns_apex_cname: {
    ...error,
    title: 'This provider has no CNAME at the apex',
    meaning:
      'The apex of a domain, or of a zone of its own below one, cannot hold a CNAME, and this DNS provider does not replace one by addresses.',
    hint: 'Use A and AAAA records[ at {name}] instead of a CNAME[: {expected}][. Remove the CNAME to {found}].',
    expected: 'A and AAAA records',
  },
  dns_doubled_host: {
    ...error,
    title: 'The domain is in the name twice',
    meaning:
      'The DNS panel adds the domain to the name by itself, and the name was typed in full: the record sits one domain too deep.',
    hint: 'Change the name of the record[ to {name}]: type it without the domain[. It now sits at {found}].',
    expected: 'the record at the hostname itself',
  },
  dns_doubled_target: {
    ...error,
    title: 'The domain was added to the value',
    meaning:
      "The CNAME's value ends in the customer's own domain: the DNS panel took the value for a name within it.",
    hint: 'Change the value of the record[ {name}][ to {expected}] and end it with a dot, which keeps the panel from adding the domain[. It is now {found}].',
    expected: 'the CNAME target',
  },
  dns_proxied: {
    ...error,
    title: "The record goes through the DNS provider's proxy",
    meaning:
      "The hostname resolves to a proxy's addresses in place of ours, so a certificate cannot be proven and traffic takes a detour.",
    hint: 'Set the record[ {name}] to "DNS only" (at Cloudflare, click the orange cloud until it is grey)[. Found: {found}].',
    expected: 'the record without a proxy',
  },
  dns_reserved_address: {
    ...error,
    title: 'The address is private or reserved',
    meaning: 'The hostname resolves to an address that nobody on the internet can reach.',
    hint: 'Replace the address[ {found}][ at {name}] by a record that points to us[: type {type}][, value {expected}].',
    expected: 'a record that points to us',
  },
  dns_stale_aaaa: {
    ...error,
    title: 'The AAAA record points elsewhere',
    meaning:
      'The A record is right, but visitors with IPv6, and the certificate authority, follow the AAAA record to another server.',
    hint: 'Remove the AAAA record[ {found}][ at {name}][, or replace it by {expected}].',
    expected: 'no AAAA record, or ours',
  },
  dns_extra_addresses: {
    ...error,
    title: 'There are addresses of others beside ours',
    meaning:
      'Some visitors, and the certificate authority, reach another server, because the hostname has its addresses too.',
    hint: 'Remove the addresses of others[ at {name}][: {found}][. Only {expected} may be left].',
    expected: 'our addresses only',
  },
  dns_record_mismatch: {
    ...error,
    title: 'The record points elsewhere',
    meaning: 'There is a record at the name, but it points to another service.',
    hint: 'Change the record[ {name}] so that it points to us[: type {type}][, value {expected}][. It now points to {found}].',
    expected: 'a record that points to us',
  },
  dns_record_missing: {
    ...error,
    title: 'The record is missing',
    meaning: 'The domain is fine, but there is no record at the name yet.',
    hint: 'At the DNS provider, add a record[ of type {type}][ named {name}][ with the value {expected}].',
    expected: 'a record that points to us',
  },
  dns_txt_mismatch: {
    ...error,
    title: 'The TXT record has another value',
    meaning:
      'There is a TXT record at the name, but it does not hold the value that proves whose domain it is.',
    hint: 'Change the TXT record[ {name}][ to {expected}][. It now holds {found}].',
    expected: 'the TXT value of this domain',
  },
  dns_txt_missing: {
    ...error,
    title: 'The TXT record is missing',
    meaning: 'Addresses alone do not prove whose domain it is. The TXT record does, and it is not there.',
    hint: 'At the DNS provider, add a TXT record[ named {name}][ with the value {expected}].',
    expected: 'the TXT value of this domain',
  },
  dns_ns_mismatch: {
    ...warning,
    title: 'Registrar and DNS provider name different servers',
    meaning:
      'The name servers set at the registrar are not those that the domain itself names, so two versions of it may be in use.',
    hint: 'At the registrar, set the name servers that the DNS provider gives for this domain[: {expected}][. Set now: {found}].',
    expected: 'the same name servers at the registrar and in the zone',
  },
  dns_acme_challenge_conflict: {
    ...warning,
    title: 'Certificates are delegated to another provider',
    meaning:
      'A CNAME at _acme-challenge lets another provider obtain certificates for the hostname, which can get in the way of ours.',
    hint: 'Remove the CNAME at _acme-challenge[ ({name})], unless the provider behind it[, {found},] is still in use.',
    expected: 'no CNAME at _acme-challenge',
  },
  dns_provider_syncing: {
    ...info,
    title: 'The DNS provider is copying the change',
    meaning:
      "The domain's own name servers do not agree yet: the provider copies the change from one to the next.",
    hint: 'Nothing to do: wait {wait} until all name servers of the provider have the new record[. Not yet: {found}].',
    expected: 'the same answer from all name servers',
  },
  dns_propagating: {
    ...info,
    title: 'The change is on its way',
    meaning:
      'The record is right where it was made, but a public resolver still remembers the old answer, for the TTL of that answer at most.',
    hint: 'Nothing to do: wait {wait} until the old answer is forgotten[. A resolver still has {found}].',
    expected: 'the new answer from all three resolvers',
  },
  dns_resolver_unavailable: {
    ...info,
    title: 'The check could not ask',
    meaning: 'A DNS server did not answer in time or failed, so the check says nothing about the record.',
    hint: 'Nothing to do: the check is repeated by itself.',
    expected: 'an answer',
  },
} as const satisfies Record<string, Reason>;
