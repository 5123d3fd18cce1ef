import type { Reason } from './reasons.ts';

const other = { group: 'other', severity: 'error', retryable: false } as const;
const whitelabel = { group: 'whitelabel', severity: 'error', retryable: false } as const;
const origin = { group: 'origin', severity: 'error', retryable: true } as const;

/**
 * Reasons other than DNS and certificates why a domain does not work, and reasons why the probe of an origin failed (`docs/api.md#app`).
 */
export const OTHER_REASONS = {
  hostname_held: {
    ...other,
    title: 'The hostname is held for review',
    short: 'Held for review',
    meaning:
      'The operator of the service holds the hostname. Nothing is checked, issued or served until it is released.',
    hint: 'Contact support if the hostname belongs to your customer.',
    expected: 'a release of the hold',
  },
  hostname_routed_elsewhere: {
    ...other,
    title: 'Another app serves the hostname',
    short: 'Another app serves it',
    meaning: 'A hostname is served for one app at a time, and another app has proven ownership of this one.',
    hint: 'Remove the TXT value of the other app[ ({found})][ at {name}], or remove the hostname from that app.',
    expected: 'a proof of ownership for this app only',
  },
  window_expired: {
    ...other,
    title: 'The time to add the record has run out',
    short: 'No record within 72 hours',
    meaning: 'The record did not appear within 72 hours, so the checks have ended.',
    hint: 'Add the hostname again: it keeps its connect page and gets another 72 hours.',
    expected: 'the record within 72 hours',
  },
  whitelabel_unverified: {
    ...whitelabel,
    title: 'The white-label host does not point to us',
    short: 'Your own host is not set up',
    meaning:
      "Customers' records point to the app's white-label host, but the CNAME chain of that host does not reach the app's target. The customers' records are right.",
    hint: "Point your own white-label host[ {name}] to its target[ {expected}] with a CNAME record[. Found: {found}]. Your customers' records need no change.",
    expected: "the app's white-label target",
  },
  whitelabel_ended: {
    ...whitelabel,
    title: 'The plan no longer includes white-label',
    short: 'White-label is not in the plan',
    meaning:
      "The record points through the app's white-label host, and the app's plan has not included white-label for 72 hours.",
    hint: "Choose a plan with white-label, or point the CNAME record[ {name}] to the app's own target[ {expected}]. It points to the host[ {found}].",
    expected: "the app's own target",
  },
  origin_not_allowed: {
    ...origin,
    retryable: false,
    title: 'The origin is not allowed',
    short: 'The origin is not allowed',
    meaning:
      "The origin, or one of its redirects, leads to a private or reserved address, to one of our own addresses, or to another app's domain.",
    hint: 'Use an origin with its own public address[. Found: {found}].',
    expected: 'a public HTTPS origin',
  },
  origin_dns_failed: {
    ...origin,
    title: "The origin's hostname cannot be resolved",
    short: 'The origin has no address',
    meaning: "The DNS has no address for the origin's host.",
    hint: 'Check the spelling of the origin[ {name}] and its DNS records.',
    expected: 'an address of the origin',
  },
  origin_timeout: {
    ...origin,
    title: 'The origin takes too long',
    short: 'The origin takes too long',
    meaning: 'The origin did not respond within 10 seconds.',
    hint: 'Check that the server runs and that its firewall allows HTTPS.',
    expected: 'a response within 10 seconds',
  },
  origin_tls_error: {
    ...origin,
    title: "The origin's certificate is not valid",
    short: "The origin's TLS is not valid",
    meaning:
      'The TLS handshake failed, or the certificate has expired, is not trusted or is for another host.',
    hint: "Install a valid certificate for the origin's own hostname[. Found: {found}].",
    expected: "a trusted certificate for the origin's own name",
  },
  origin_connection_failed: {
    ...origin,
    title: 'The origin does not accept the connection',
    short: 'The origin is not reachable',
    meaning: 'The origin refused or broke the connection, or its response was not HTTP.',
    hint: 'Check the port, and that the server runs and speaks HTTPS there.',
    expected: 'an HTTPS response',
  },
  origin_http_error: {
    ...origin,
    title: 'The origin responds with an error',
    short: 'The origin reports an error',
    meaning: 'The origin responded to GET / with a status of 500 or above.',
    hint: "Check the origin's own logs[. It responded with {found}].",
    expected: 'a status below 500',
  },
  origin_too_many_redirects: {
    ...origin,
    title: 'The origin redirects too often',
    short: 'The origin redirects too often',
    meaning: 'GET / on the origin led to more than five redirects in a row.',
    hint: 'Set the origin to the address at which the redirects end, or fix the redirect loop.',
    expected: 'at most 5 redirects',
  },
  origin_bad_redirect: {
    ...origin,
    title: 'The origin redirects to a URL that we cannot follow',
    short: 'The origin redirects wrongly',
    meaning: 'GET / on the origin led to a redirect to plain HTTP, or to a redirect without a usable URL.',
    hint: 'Make the origin redirect only to https URLs[. It redirected to {found}].',
    expected: 'a redirect to an https URL',
  },
} as const satisfies Record<string, Reason>;
