import type { CodeHelp } from '../code-help.ts';
import type { CertificateReason } from './certificate-reasons.ts';

const CERTIFICATES = '[Certificates](../domains.md#certificates)';
const ATTEMPTS = '[Failed attempts](../domains.md#failed-attempts)';

/** The causes of each reason why a certificate cannot be obtained or renewed, and how to fix them. */
export const CERTIFICATE_HELP = {
  caa_forbids: {
    causes: [
      {
        cause: 'The domain permits another authority only',
        tell: '`dig +short acme.com CAA` prints records such as `0 issue "other-ca.example"`, and none names our authority.',
        fix: 'Add a CAA record at `@` with the value `0 issue "letsencrypt.org"`. Leave the others.',
      },
      {
        cause: 'An `accounturi` or `validationmethods` parameter does not match',
        tell: 'A record names our authority, with a parameter after a semicolon.',
        fix: 'Add a record without parameters, or use the records of `issuance_lock` in the diagnosis.',
      },
    ],
    related: ['[Lock issuance to Nameplate](../domains.md#lock-issuance-to-nameplate)', ATTEMPTS],
  },
  caa_lookup_failed: {
    causes: [
      {
        cause: 'The name servers do not support CAA queries',
        tell: '`dig careers.acme.com CAA` gives SERVFAIL or times out, and `dig careers.acme.com A` works.',
        fix: 'The DNS provider has to answer CAA queries, with an empty answer if there is no record. Otherwise use another provider.',
      },
      {
        cause: 'DNSSEC is broken',
        tell: '`dig +cd careers.acme.com CAA` works, and without `+cd` it fails.',
        fix: 'Follow [`dnssec_invalid`](dnssec_invalid.md).',
      },
    ],
    related: [CERTIFICATES, '[`caa_forbids`](caa_forbids.md)'],
  },
  ca_rejected: {
    causes: [
      {
        cause: 'The name is on a blocklist of the authority',
        tell: '`status_detail.found` quotes the authority, for example that the name is on a list of high-risk names.',
        fix: 'Ask the operator to contact the authority, or to add another one to `NAMEPLATE_CAS`.',
      },
    ],
    related: ['[Certificate authorities](../deploying.md#certificate-authorities)', ATTEMPTS],
  },
  ca_refused: {
    causes: [
      {
        cause: 'The authority has paused the hostname',
        tell: '`nameplate service certificates show careers.acme.com` quotes the authority, with a link.',
        fix: 'The operator opens the link, unpauses the hostname, and calls `verify`.',
      },
      {
        cause: 'The authority does not accept the account',
        tell: 'The command quotes the authority, for example about an external account or new terms.',
        fix: 'The operator follows these words, or corrects the entry in `NAMEPLATE_CAS`. If the account was deactivated, Nameplate registers a new one.',
      },
    ],
    related: ['[Certificate authorities](../deploying.md#certificate-authorities)', ATTEMPTS],
  },
  proxy_https_failed: {
    causes: [
      {
        cause: 'The proxy’s certificate does not cover the hostname',
        tell: '`curl -vI https://careers.acme.com` stops with a certificate error, and the certificate is not ours.',
        fix: 'Give the proxy a certificate for `careers.acme.com`.',
      },
      {
        cause: 'The proxy connects to us without the server name',
        tell: 'The handshake with the proxy succeeds, and its response is 525, 526 or 502.',
        fix: 'Let the proxy send `careers.acme.com` as the server name (SNI) to `k3v9q2.edge.example.net`.',
      },
    ],
    related: ['[Behind a proxy](../domains.md#behind-a-proxy)', CERTIFICATES],
  },
  ca_challenge_failed: {
    causes: [
      {
        cause: 'Some of the addresses are not ours',
        tell: '`dig +short careers.acme.com A` or `AAAA` prints an address such as `203.0.113.7`.',
        fix: 'Remove that address. The hostname may lead to our addresses only.',
      },
      {
        cause: 'A firewall or a country filter stands in front of the hostname',
        tell: 'The addresses are right, or lead through a proxy. A visit from another country fails.',
        fix: 'Let requests to `/.well-known/acme-challenge/` pass from every country.',
      },
      {
        cause: 'DNS gives different answers in different parts of the world',
        tell: 'The zone has geographic rules, or its servers do not agree.',
        fix: 'Give the same CNAME to everyone.',
      },
    ],
    related: [ATTEMPTS, '[`dns_extra_addresses`](dns_extra_addresses.md)'],
  },
  ca_rate_limited: {
    causes: [
      {
        cause: 'Many hostnames of one registered domain were added at once',
        tell: 'Other hostnames below `acme.com` wait with the same reason.',
        fix: 'Wait: each gets its certificate in turn. The operator can add a second authority.',
      },
      {
        cause: 'The same hostname was deleted and added repeatedly',
        tell: 'The hostname has several `domain.created` and `domain.deleted` events within a week.',
        fix: 'Keep the domain instead of adding it again. The limit ends after a week.',
      },
    ],
    related: [ATTEMPTS, '[Certificate authorities](../deploying.md#certificate-authorities)'],
  },
  ca_unavailable: {
    causes: [
      {
        cause: 'The authority has an outage',
        tell: 'Its status page says so, and other domains wait with the same reason.',
        fix: 'Wait. Nameplate retries, and switches to the next authority if the operator has set one.',
      },
      {
        cause: 'The nodes cannot reach the authority',
        tell: 'The reason stays although the authority works. An operator sees failed connections in the log.',
        fix: 'The operator allows connections from the nodes to the address of the authority.',
      },
    ],
    related: ['[Certificate authorities](../deploying.md#certificate-authorities)', ATTEMPTS],
  },
  edge_not_ready: {
    causes: [
      {
        cause: 'The edge has not received the certificate or the challenge yet',
        tell: 'The reason disappears within ten minutes.',
        fix: 'Wait. Nameplate checks again by itself.',
      },
      {
        cause: 'The node cannot reach its own public address',
        tell: '`found` says that there was no response to the node that checks, and the edge works from elsewhere. The network has no hairpin.',
        fix: 'The operator sets `NAMEPLATE_EDGE_PROBE_ADDRESSES` to the inner addresses of the edge.',
      },
      {
        cause: 'The address of the edge leads elsewhere',
        tell: 'The reason stays for all domains. The operator finds that `NAMEPLATE_EDGE_IPV4` is not the address of a node with the role `edge`.',
        fix: 'The operator corrects the address or the load balancer in front of it.',
      },
    ],
    related: ['[Deploying](../deploying.md)', CERTIFICATES],
  },
} as const satisfies Record<CertificateReason, CodeHelp>;
