import type { CodeHelp } from './code-help.ts';
import type { OTHER_REASONS } from './other-reasons.ts';

const PROBE = '[The probe](../origins.md#the-probe)';
const WHITELABEL = '[White-label](../domains.md#white-label)';

/** The causes of the other reasons, and how to fix them. */
export const OTHER_HELP = {
  hostname_held: {
    causes: [
      {
        cause: 'The operator reviews the hostname',
        tell: 'The domain has the status `held`, and you received `domain.held`. The hostname may resemble a known brand.',
        fix: 'Contact the support of the service, and say which customer owns `careers.acme.com`.',
      },
    ],
    related: ['[Holds](../domains.md#holds)', '[Error `hostname_held`](../errors/hostname_held.md)'],
  },
  hostname_routed_elsewhere: {
    causes: [
      {
        cause: 'The customer moved the hostname to another app',
        tell: 'A subdomain was `active` and became `dns_broken`. The CNAME has the target of the other app.',
        fix: 'If the hostname belongs to your app, set the CNAME to `dns.cname.value` again. Otherwise delete the domain.',
      },
      {
        cause: 'The TXT record of the former app is still in the zone',
        tell: 'An apex stays in `verifying`. `dig +short _service.acme.com TXT` prints two values, and `found` has the other one.',
        fix: 'The customer removes the old value, such as `Vx81mPq0Zs4dTy6b`.',
      },
    ],
    related: ['[One hostname, several apps](../domains.md#one-hostname-several-apps)'],
  },
  window_expired: {
    causes: [
      {
        cause: 'The customer has not added the record',
        tell: 'The last check had [`dns_record_missing`](dns_record_missing.md), and the DNS panel does not list the record.',
        fix: 'Send `connect_url` to the customer again, and add the hostname again: `npx nameplate domains add careers.acme.com`.',
      },
      {
        cause: 'The record was wrong for 72 hours',
        tell: '`npx nameplate domains diagnose careers.acme.com` lists findings.',
        fix: 'Fix the findings first. Then add the hostname again.',
      },
    ],
    related: ['[The 72 hours](../domains.md#the-72-hours)', '[The connect page](../connect-page.md)'],
  },
  whitelabel_unverified: {
    causes: [
      {
        cause: 'The CNAME of your own host was changed or removed',
        tell: '`dig +short domains.acme.example CNAME` does not print `whitelabel_target` of your app.',
        fix: 'Set the CNAME of `domains.acme.example` to `k3v9q2.edge.example.net`.',
      },
      {
        cause: 'Your own host goes through a proxy',
        tell: '`dig +short domains.acme.example` prints addresses of a CDN.',
        fix: 'Turn off the proxy for that name. At Cloudflare, the cloud has to be grey.',
      },
    ],
    related: [WHITELABEL],
  },
  whitelabel_ended: {
    causes: [
      {
        cause: 'The account changed to a plan without white-label, or its trial ended',
        tell: 'The dashboard shows the plan, and the app still has a `whitelabel_host`.',
        fix: 'Choose a plan with white-label. The domains recover at their next checks.',
      },
      {
        cause: 'You stopped using white-label on purpose',
        tell: 'You removed `whitelabel_host`, and customers still point to `domains.acme.example`.',
        fix: 'Ask the customers to point to `k3v9q2.edge.example.net`, which each connect page shows.',
      },
    ],
    related: ['[The end of white-label](../plans-and-limits.md#the-end-of-white-label)', WHITELABEL],
  },
  origin_not_allowed: {
    causes: [
      {
        cause: 'The host of the origin has a private address',
        tell: '`dig +short origin.acme-careers.com` prints an address such as `192.168.1.20`.',
        fix: 'Give the origin a public address, or put a tunnel with a public HTTPS address in front of it.',
      },
      {
        cause: 'A redirect of the origin leads to a domain of Nameplate',
        tell: '`curl -sIL https://origin.acme-careers.com` ends at one of your customers’ hostnames.',
        fix: 'Let the origin respond under its own name, and choose the customer by the header `Host`.',
      },
    ],
    related: [PROBE, '[Error `origin_not_allowed`](../errors/origin_not_allowed.md)'],
  },
  origin_dns_failed: {
    causes: [
      {
        cause: 'The host has a typo, or its record is gone',
        tell: '`dig origin.acme-careers.com A` gives NXDOMAIN or no address.',
        fix: 'Correct `origin_url`: `npx nameplate apps update --origin https://origin.acme-careers.com`.',
      },
      {
        cause: 'The name exists only in an internal network',
        tell: 'The name resolves on your own machine, and not with `dig @1.1.1.1`.',
        fix: 'Publish the name in public DNS.',
      },
    ],
    related: [PROBE],
  },
  origin_timeout: {
    causes: [
      {
        cause: 'A firewall drops the connection',
        tell: '`curl -m 10 -sI https://origin.acme-careers.com` times out from outside of your network, and works inside.',
        fix: 'Permit port 443 from the addresses of the edge.',
      },
      {
        cause: 'The first response takes too long',
        tell: 'The connection succeeds, and `curl -w "%{time_starttransfer}"` prints more than 10 seconds.',
        fix: 'Let `GET /` respond without slow work, such as starting the app or running a large query.',
      },
    ],
    related: [PROBE, '[Probes of your origin](../dashboard.md#probes-of-your-origin)'],
  },
  origin_tls_error: {
    causes: [
      {
        cause: 'The certificate is for another name',
        tell: '`curl -sI https://origin.acme-careers.com` says that the certificate is for `www.acme.example`.',
        fix: 'Install a certificate for `origin.acme-careers.com`.',
      },
      {
        cause: 'The certificate has expired, or a link of its chain is missing',
        tell: '`openssl s_client -connect origin.acme-careers.com:443 -servername origin.acme-careers.com` prints a verify error.',
        fix: 'Renew the certificate, and let the server send the intermediate certificates too.',
      },
      {
        cause: 'The certificate is self-signed',
        tell: 'The same command prints “self-signed certificate”.',
        fix: 'Use a certificate of a public authority. Your load balancer can obtain one.',
      },
    ],
    related: [PROBE],
  },
  origin_connection_failed: {
    causes: [
      {
        cause: 'Nothing listens on the port',
        tell: '`curl -sI https://origin.acme-careers.com` says “Connection refused”.',
        fix: 'Start the server, or correct the port in `origin_url`.',
      },
      {
        cause: 'The server speaks plain HTTP there',
        tell: '`curl` says “wrong version number”, and `curl http://origin.acme-careers.com:443` works.',
        fix: 'Turn on HTTPS for the port, or use the port that has it.',
      },
    ],
    related: [PROBE],
  },
  origin_http_error: {
    causes: [
      {
        cause: 'The app fails',
        tell: '`curl -sI https://origin.acme-careers.com/` prints 500, and the log of the app has an exception.',
        fix: 'Fix the exception. `GET /` needs a status below 500, even without a known host.',
      },
      {
        cause: 'The load balancer has no healthy server',
        tell: 'The status is 502, 503 or 504, and the log of the app has no request.',
        fix: 'Look at the health checks of the load balancer.',
      },
    ],
    related: [PROBE, '[Probes of your origin](../dashboard.md#probes-of-your-origin)'],
  },
  origin_too_many_redirects: {
    causes: [
      {
        cause: 'The app redirects between two addresses',
        tell: '`curl -sIL https://origin.acme-careers.com` shows the same `Location` again and again, often `http` and `https`.',
        fix: 'Let the app read `X-Forwarded-Proto`, so that it knows that the visitor uses HTTPS.',
      },
      {
        cause: 'The page comes after more than five redirects',
        tell: 'The same command ends with a 200 after six or more steps.',
        fix: 'Set `origin_url` to the last address.',
      },
    ],
    related: [PROBE],
  },
  origin_bad_redirect: {
    causes: [
      {
        cause: 'The app redirects to plain HTTP',
        tell: '`curl -sI https://origin.acme-careers.com` shows a `Location` such as `http://app.acme.example/login`.',
        fix: 'Configure the base address of the app with `https`.',
      },
      {
        cause: 'The `Location` is empty or not an address',
        tell: 'The same command shows no address after `Location:`.',
        fix: 'Correct the redirect rule of the app or of its web server.',
      },
    ],
    related: [PROBE],
  },
} as const satisfies Record<keyof typeof OTHER_REASONS, CodeHelp>;
