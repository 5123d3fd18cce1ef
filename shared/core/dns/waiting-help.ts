import type { CodeHelp } from '../code-help.ts';

/** The causes of the findings that no change to the zone fixes, and what to do about them. */
export const WAITING_HELP = {
  dns_resolver_blocks: {
    causes: [
      {
        cause: 'A list of unsafe names has the domain, often because it is new or was misused before',
        tell: '`dig @9.9.9.9 careers.acme.com A` gives NXDOMAIN without an SOA record, or an extended error such as `EDE: 17 (Filtered)`.',
        fix: 'The customer asks the operator of the resolver to unblock the domain. A lookup on the website of the operator names the list.',
      },
    ],
    related: ['[The servers that a check asks](../domains.md#who-is-asked)'],
  },
  dns_provider_syncing: {
    causes: [
      {
        cause: 'The record was changed minutes ago',
        tell: '`dig @ns1.provider.example careers.acme.com CNAME` and the same query to `ns2` have different answers.',
        fix: 'Wait a few minutes. If they still differ after a day, ask the support of the provider.',
      },
    ],
    related: ['[Results of a check](../domains.md#results-of-a-check)'],
  },
  dns_propagating: {
    causes: [
      {
        cause: 'A resolver still has the old answer in its cache',
        tell: '`dig @1.1.1.1 careers.acme.com CNAME` shows the old value with a TTL that counts down, and the name servers have the new one.',
        fix: 'Wait for that TTL, such as 300 seconds. Before the next move, lower the TTL of the record a day ahead.',
      },
    ],
    related: ['[Moving without downtime](../moving-in.md)', '[Diagnosis](../domains.md#diagnosis)'],
  },
  dns_resolver_unavailable: {
    causes: [
      {
        cause: 'The name servers of the domain do not respond',
        tell: 'The reason stays for more than an hour, and `dig careers.acme.com CNAME` times out for you too.',
        fix: 'Ask the support of the DNS provider. Nameplate repeats the check.',
      },
      {
        cause: 'A public resolver has an outage',
        tell: 'Many domains have this reason at the same time.',
        fix: 'Wait. The status of your domains does not change.',
      },
    ],
    related: ['[The servers that a check asks](../domains.md#who-is-asked)'],
  },
} as const satisfies Record<string, CodeHelp>;
