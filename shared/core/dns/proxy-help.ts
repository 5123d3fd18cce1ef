import type { CodeHelp } from '../code-help.ts';

const PROVIDERS = '[DNS providers](../providers.md)';
const PROXIES = '[Behind a proxy](../domains.md#behind-a-proxy)';

/** The causes of each result of a DNS check that concerns a proxy in front of the hostname, and how to fix them. */
export const PROXY_HELP = {
  proxy_plain_http: {
    causes: [
      {
        cause: 'Cloudflare has the SSL mode “Flexible”',
        tell: '`curl -sI https://careers.acme.com` shows a redirect to the same address, and the panel shows the mode.',
        fix: 'At Cloudflare, set SSL/TLS to “Full (strict)”.',
      },
      {
        cause: 'Another proxy connects to port 80',
        tell: 'The configuration of the proxy has `http://` in front of our target.',
        fix: 'Connect to `https://k3v9q2.edge.example.net`, and send `careers.acme.com` as the server name and as `Host`.',
      },
    ],
    related: [PROXIES],
  },
  proxy_misdirects: {
    causes: [
      {
        cause: 'The proxy redirects or rewrites paths',
        tell: '`curl -sI https://careers.acme.com/some/path` shows a redirect or a page that your origin does not have.',
        fix: 'Turn off page rules, forwarding and rewrites for the hostname.',
      },
      {
        cause: 'The proxy caches everything, or strips cookies and headers',
        tell: 'A second request has a header `Age`, or a cache status such as `HIT`, for a page that must not be cached.',
        fix: "Let the cache follow the origin's `Cache-Control`, and pass on all headers and cookies.",
      },
    ],
    related: [PROXIES],
  },
  proxy_unreachable: {
    causes: [
      {
        cause: 'The proxy does not know the hostname',
        tell: '`curl -sI http://careers.acme.com` shows an error page of the proxy, such as a 404 or 421.',
        fix: 'Add the hostname to the configuration of the proxy, with our target behind it.',
      },
      {
        cause: 'The proxy cannot reach us',
        tell: 'The proxy responds with 502, 522 or a timeout.',
        fix: 'Check its target `k3v9q2.edge.example.net` and that its firewall permits port 443.',
      },
      {
        cause: 'The proxy redirects to HTTPS without a certificate of its own',
        tell: 'Plain HTTP gives a redirect, and HTTPS fails in the handshake.',
        fix: 'Let `/.well-known/` pass by plain HTTP until the certificate exists.',
      },
    ],
    related: [PROXIES],
  },
  dns_proxied: {
    causes: [
      {
        cause: 'The orange cloud of Cloudflare is on',
        tell: '`dig +short careers.acme.com` prints addresses of Cloudflare, such as `104.16.0.7`, instead of the CNAME.',
        fix: 'In the DNS panel, click the orange cloud of `careers` until it is grey (“DNS only”).',
      },
      {
        cause: 'The app does not permit proxies',
        tell: 'The customer wants to keep the proxy, and `allow_proxied` of the app is false.',
        fix: 'Set `allow_proxied` to true, and ask the customer for the TXT record.',
      },
    ],
    related: [PROXIES, PROVIDERS],
  },
  proxy_leads_here: {
    causes: [
      {
        cause: 'The customer uses a CDN or proxy on purpose',
        tell: 'The domain is `active`, and the diagnosis has `path.leads_here` true.',
        fix: 'Leave it as it is. The TXT record must stay, because it proves ownership.',
      },
    ],
    related: [PROXIES],
  },
} as const satisfies Record<string, CodeHelp>;
