import { CERTIFICATE_REASONS } from '../../certificates/certificate-reasons.ts';
import { DNS_REASONS } from '../../dns/dns-reasons.ts';
import { OTHER_REASONS } from '../../other-reasons.ts';
import type { ShownReason } from '../finding-text.ts';

const { hostname_routed_elsewhere, whitelabel_unverified, whitelabel_ended } = OTHER_REASONS;

/**
 * The catalog of reasons in the customer's words. A reason without an entry below has the same text for the customer as for the app's
 * developers.
 */
export const EN_FINDINGS = {
  ...DNS_REASONS,
  ...CERTIFICATE_REASONS,
  proxy_leads_here: {
    title: 'Your domain goes through a proxy',
    meaning: 'A proxy or CDN passes your visitors on to {app}. That works.',
    hint: 'No action needed: keep the TXT record, because it shows that the domain is yours.',
  },
  proxy_plain_http: {
    title: 'Your proxy uses plain HTTP',
    meaning: 'Your proxy or CDN reaches {app} without HTTPS, so visitors would be redirected in a loop.',
    hint: 'Let the proxy use HTTPS. At Cloudflare, set SSL/TLS to "Full (strict)".',
  },
  proxy_misdirects: {
    title: 'Your proxy changes or holds back requests',
    meaning:
      'A proxy or CDN is in front of your domain. It does not pass every request on to {app} unchanged.',
    hint: 'Let the proxy pass on every request with its path, headers and cookies, and turn caching off. Or turn the proxy off.',
  },
  proxy_unreachable: {
    title: 'Your proxy does not respond',
    meaning: 'A proxy or CDN is in front of your domain, and visitors do not reach {app} through it.',
    hint: 'Check the settings of the proxy. If it redirects to HTTPS, let /.well-known/ through over plain HTTP until the domain is live.',
  },
  proxy_https_failed: {
    title: 'HTTPS fails at your proxy',
    meaning:
      'Visitors get an error, because your proxy has no valid certificate or cannot reach {app} over HTTPS.',
    hint: 'Give the proxy a valid certificate for the domain. Or turn the proxy off.',
  },
  caa_forbids: {
    ...CERTIFICATE_REASONS.caa_forbids,
    title: 'Our certificate is not allowed yet',
    meaning:
      'A CAA record of your domain lists the companies that may issue certificates for it. Ours is not among them.',
  },
  caa_lookup_failed: {
    ...CERTIFICATE_REASONS.caa_lookup_failed,
    title: 'We cannot see who may issue certificates',
    meaning:
      "Your DNS provider's servers fail when they are asked for CAA records. Without a response, no certificate may be issued.",
  },
  ca_rejected: {
    ...CERTIFICATE_REASONS.ca_rejected,
    hint: 'The certificate authority does not issue certificates for this name. Ask {app} for help.',
  },
  ca_refused: {
    title: 'We cannot get the certificate at the moment',
    meaning: 'The certificate authority asks us to act first. Your DNS records are not the cause.',
    hint: "You don't have to change anything in your DNS. Ask {app} for help.",
  },
  dns_propagating: {
    ...DNS_REASONS.dns_propagating,
    meaning: 'The record is correct. Parts of the internet still remember the old one.',
  },
  dns_resolver_blocks: {
    title: 'A DNS service blocks your domain',
    meaning:
      'The operator of a large DNS service blocks your domain for its users, often because a list says that the domain is unsafe.',
    hint: 'Ask the operator[ of {found}] to unblock your domain. Until then, people who use that service cannot open your site.',
  },
  dns_resolver_unavailable: {
    title: 'We could not check just now',
    meaning: 'A DNS server did not respond. That says nothing about your record. We try again automatically.',
    hint: 'If the record below is not there yet, add it now.',
  },
  hostname_routed_elsewhere: {
    ...hostname_routed_elsewhere,
    title: 'Another service uses this domain',
    meaning: 'A domain can be connected to one service at a time. Yours is connected to another one.',
    hint: 'First disconnect the domain from the other service. Then restore the records for {app}.',
  },
  whitelabel_unverified: {
    ...whitelabel_unverified,
    title: '{app} needs to fix something',
    meaning: 'Your record points to an address of {app} that does not work at the moment.',
    hint: "You don't need to do anything. If this continues, ask {app}.",
  },
  whitelabel_ended: {
    ...whitelabel_ended,
    title: 'The record needs a new value',
    meaning: 'Your record points to an address that {app} no longer uses.',
    hint: 'Change the record to the value below.',
  },
} satisfies Record<ShownReason, { title: string; meaning: string; hint: string }>;

/** The parts of sentences that say how long to wait. */
export const EN_WAITS = {
  fewMinutes: 'a few minutes',
  atMost: 'at most {duration}',
} as const;
