import type { CodeHelp } from '../code-help.ts';
import type { DNS_REASONS } from './dns-reasons.ts';
import { PROXY_HELP } from './proxy-help.ts';
import { WAITING_HELP } from './waiting-help.ts';

const RECORDS = '[Records](../domains.md#records)';
const DIAGNOSIS = '[Diagnosis](../domains.md#diagnosis)';
const PROVIDERS = '[DNS providers](../providers.md)';

/** The causes of each result of a DNS check, and how to fix them. */
export const DNS_HELP = {
  domain_not_registered: {
    causes: [
      {
        cause: 'The hostname has a typo',
        tell: 'Compare it with the address that the customer uses: `carers.acme.com` for `careers.acme.com`, or `acme.co` for `acme.com`.',
        fix: 'Delete the domain and add the right hostname.',
      },
      {
        cause: 'The registration has lapsed',
        tell: '`whois acme.com` says that the domain is free, in redemption or pending deletion, and the customer used it before.',
        fix: 'The customer renews the domain at their registrar. Nameplate continues by itself.',
      },
    ],
    related: [DIAGNOSIS],
  },
  dns_delegation_lame: {
    causes: [
      {
        cause: 'The domain moved to another DNS provider',
        tell: '`dig +trace acme.com NS` ends at the old name servers, and `dig @ns1.old-provider.example acme.com SOA` is refused.',
        fix: 'At the registrar, replace them with the name servers that the new provider shows for `acme.com`.',
      },
      {
        cause: 'The provider removed the zone',
        tell: 'The name servers are those of the right provider, but they refuse the query. The account there has no zone `acme.com`, or it is unpaid.',
        fix: 'Create the zone again at the provider, with all its records, or pay the open invoice.',
      },
    ],
    related: ['[`dns_ns_mismatch`](dns_ns_mismatch.md)', DIAGNOSIS],
  },
  dnssec_invalid: {
    causes: [
      {
        cause: 'The DNS provider changed, and the registrar still has the old DS record',
        tell: '`dig acme.com A` gives SERVFAIL, and `dig +cd acme.com A` gives an answer. `dig acme.com DS` has a key tag that `dig acme.com DNSKEY +multiline` lacks.',
        fix: 'At the registrar, remove the old DS record. Add the new one that the provider shows, or leave DNSSEC off.',
      },
      {
        cause: 'The signatures have expired',
        tell: 'The key tags agree, but `dig +cd +dnssec acme.com SOA` shows an RRSIG whose end is in the past.',
        fix: 'The provider has to sign the zone again. Ask their support, or turn DNSSEC off and on there.',
      },
    ],
    related: [DIAGNOSIS],
  },
  domain_parked: {
    causes: [
      {
        cause: 'The domain was bought and never set up',
        tell: '`dig acme.com NS` names a parking service, such as `ns1.sedoparking.com`, and a browser shows advertisements.',
        fix: "At the registrar, choose the registrar's own DNS or another provider. Then add the record of Nameplate there.",
      },
      {
        cause: 'The domain has expired and the registrar parked it',
        tell: 'The domain worked before, and `whois acme.com` shows an expiry date in the past.',
        fix: 'Renew the domain. The registrar then restores its name servers.',
      },
    ],
    related: ['[`domain_not_registered`](domain_not_registered.md)', PROVIDERS],
  },
  dns_conflicting_record: {
    causes: [
      {
        cause: 'The old host had A or AAAA records',
        tell: '`dig careers.acme.com A` shows an address such as `203.0.113.7`, and the DNS panel lists it beside the CNAME.',
        fix: 'Remove the A and AAAA records of `careers`. Keep the CNAME to `k3v9q2.edge.example.net`.',
      },
      {
        cause: 'The name has MX or TXT records',
        tell: '`dig careers.acme.com MX` and `dig careers.acme.com TXT` show records, so the name receives mail or is verified elsewhere.',
        fix: 'If the records are needed, use the addresses in `dns` with the TXT record instead of the CNAME. Otherwise remove them.',
      },
    ],
    related: [RECORDS, '[`dns_record_mismatch`](dns_record_mismatch.md)'],
  },
  dns_apex_cname: {
    causes: [
      {
        cause: 'The hostname is the apex of the domain',
        tell: 'The hostname has no label before the registered name, such as `acme.com`. The panel refuses the CNAME, or other records of the apex disappear.',
        fix: 'Remove the CNAME at `@`. Add an A record `192.0.2.10`, an AAAA record `2001:db8::10` and the TXT record from `dns.apex`.',
      },
      {
        cause: 'The hostname is a zone of its own',
        tell: '`dig careers.acme.com NS` lists name servers, so `careers.acme.com` is delegated.',
        fix: 'In that zone, use the same A, AAAA and TXT records at `@`.',
      },
    ],
    related: [RECORDS, PROVIDERS],
  },
  dns_doubled_host: {
    causes: [
      {
        cause: 'The panel adds the domain to each name',
        tell: '`dig careers.acme.com.acme.com CNAME` has an answer, and `dig careers.acme.com CNAME` has none.',
        fix: 'Change the name of the record from `careers.acme.com` to `careers`.',
      },
    ],
    related: [PROVIDERS, '[`dns_doubled_target`](dns_doubled_target.md)'],
  },
  dns_doubled_target: {
    causes: [
      {
        cause: 'The panel adds the domain to each value without a final dot',
        tell: '`dig +short careers.acme.com CNAME` prints `k3v9q2.edge.example.net.acme.com.`, with the domain of the customer at its end.',
        fix: 'Enter `k3v9q2.edge.example.net.` with the dot at its end.',
      },
    ],
    related: [PROVIDERS, '[`dns_doubled_host`](dns_doubled_host.md)'],
  },
  dns_reserved_address: {
    causes: [
      {
        cause: 'The record has an address of an internal network',
        tell: '`dig +short careers.acme.com` prints an address such as `192.168.1.20` or `10.0.0.5`.',
        fix: 'Replace the record with a CNAME from `careers` to `k3v9q2.edge.example.net`.',
      },
      {
        cause: 'Internal and public DNS are mixed up',
        tell: 'The company has a DNS server of its own for its offices, and the record was added to the public zone by mistake.',
        fix: 'Keep the internal address in the internal zone only. Add the CNAME to the public zone.',
      },
    ],
    related: [RECORDS],
  },
  dns_stale_aaaa: {
    causes: [
      {
        cause: 'Only the A record was changed',
        tell: '`dig +short careers.acme.com A` prints our address, and `dig +short careers.acme.com AAAA` prints that of the old host.',
        fix: 'Remove the AAAA record, or change it to the address in `dns.apex.aaaa`.',
      },
      {
        cause: 'The provider adds an AAAA record by itself',
        tell: 'The panel does not list the record, but shows a switch for IPv6 or for web hosting.',
        fix: "Turn off that provider's hosting or IPv6 option for the name.",
      },
    ],
    related: [RECORDS, '[`dns_extra_addresses`](dns_extra_addresses.md)'],
  },
  dns_extra_addresses: {
    causes: [
      {
        cause: 'The record of the old host is still there',
        tell: '`dig +short careers.acme.com A` prints our address and another one, such as `203.0.113.7`.',
        fix: 'Remove the other A records. Keep only the addresses in `dns.apex.a`.',
      },
      {
        cause: 'The provider forwards the name or balances its load',
        tell: 'The panel has a forwarding, a parking page or a load balancer for the name.',
        fix: 'Turn it off, then check that only our addresses are left.',
      },
    ],
    related: [RECORDS, '[`dns_stale_aaaa`](dns_stale_aaaa.md)'],
  },
  dns_record_mismatch: {
    causes: [
      {
        cause: 'The record still points to the old host',
        tell: '`dig +short careers.acme.com CNAME` prints a name such as `shops.example.net`.',
        fix: 'Change the value of the record `careers` to `k3v9q2.edge.example.net`.',
      },
      {
        cause: "The value is that of another app or another customer's domain",
        tell: 'The value ends in the edge zone, but its first label is not that of `dns.cname.value`.',
        fix: 'Copy `dns.cname.value` of this domain into the record. Each app has its own target.',
      },
      {
        cause: 'The change was made in a zone that resolvers do not use',
        tell: 'The panel shows the right value, and `dig acme.com NS` names the servers of another provider.',
        fix: 'Make the change at the provider whose name servers the registrar lists.',
      },
    ],
    related: [RECORDS, '[Moving without downtime](../moving-in.md)'],
  },
  dns_record_missing: {
    causes: [
      {
        cause: 'The record was not added yet',
        tell: 'The domain is new, and `dig careers.acme.com CNAME` gives NXDOMAIN or an empty answer.',
        fix: 'At the DNS provider of `acme.com`, add a CNAME named `careers` with the value `k3v9q2.edge.example.net`.',
      },
      {
        cause: 'The record was added at the wrong provider',
        tell: 'The panel shows the record, and `dig acme.com NS` names the servers of another provider.',
        fix: 'Add the record at the provider of the current name servers, or change the name servers at the registrar.',
      },
      {
        cause: 'The record was removed',
        tell: 'The domain was `active` before and is now `dns_broken`.',
        fix: 'Add the record again. The domain recovers at its next check, without a new window.',
      },
    ],
    related: [RECORDS, '[`dns_doubled_host`](dns_doubled_host.md)', '[The connect page](../connect-page.md)'],
  },
  dns_https_elsewhere: {
    causes: [
      {
        cause: 'The former host or CDN added the record, and someone copied it to the new zone',
        tell: '`dig +short acme.com HTTPS` names another server, or has `ipv4hint`, `ipv6hint`, `port` or `ech` of another server.',
        fix: 'Remove the record. If the provider adds it to proxied records, turn the proxy off.',
      },
    ],
    related: [RECORDS, DIAGNOSIS],
  },
  dns_txt_mismatch: {
    causes: [
      {
        cause: 'The value was copied incompletely or with quotes',
        tell: '`dig +short _service.careers.acme.com TXT` prints a part of `dns.apex.txt.value`, or the value with extra quotes.',
        fix: 'Paste the whole value, such as `q3T8vX2mN5rK7wLp`, without quotes.',
      },
      {
        cause: 'The record belongs to a domain that was deleted',
        tell: 'The value has the right form and differs in each character. A domain that is added again after a deletion has a new value.',
        fix: 'Replace the value with `dns.apex.txt.value` of the current domain.',
      },
    ],
    related: [RECORDS, '[`dns_txt_missing`](dns_txt_missing.md)'],
  },
  dns_txt_missing: {
    causes: [
      {
        cause: 'Only the addresses were added',
        tell: '`dig +short acme.com A` prints our address, and `dig _service.acme.com TXT` has no answer.',
        fix: 'Add a TXT record with the name in `dns.apex.txt.name` and the value in `dns.apex.txt.value`.',
      },
      {
        cause: 'The panel added the domain to the name twice',
        tell: '`dig +short _service.acme.com.acme.com TXT` prints the value.',
        fix: 'Change the name of the record to `_service`.',
      },
    ],
    related: [RECORDS, '[`dns_txt_mismatch`](dns_txt_mismatch.md)'],
  },
  dns_ns_mismatch: {
    causes: [
      {
        cause: 'A change of DNS provider is half done',
        tell: '`dig +trace acme.com NS` shows one set of servers at the registry, and `dig acme.com NS` another set in the zone.',
        fix: 'At the registrar, set the servers that the provider in use gives. Remove the zone at the former provider.',
      },
    ],
    related: ['[`dns_delegation_lame`](dns_delegation_lame.md)', DIAGNOSIS],
  },
  dns_acme_challenge_conflict: {
    causes: [
      {
        cause: 'The former host obtained certificates by DNS',
        tell: '`dig +short _acme-challenge.careers.acme.com CNAME` prints a name of the former host.',
        fix: 'Remove the CNAME once the former host no longer serves the hostname.',
      },
      {
        cause: 'A CDN that is still in use needs it',
        tell: 'The name belongs to the CDN in front of the hostname.',
        fix: 'Leave it. Nameplate then validates by HTTP, and the warning has no effect.',
      },
    ],
    related: ['[Moving without downtime](../moving-in.md)'],
  },
  ...WAITING_HELP,
  ...PROXY_HELP,
} as const satisfies Record<keyof typeof DNS_REASONS, CodeHelp>;
