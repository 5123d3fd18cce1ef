import type { Provider } from '../provider.ts';

export const cloudflare: Provider = {
  id: 'cloudflare',
  name: 'Cloudflare',
  name_servers: ['ns.cloudflare.com', 'foundationdns.com', 'foundationdns.net', 'foundationdns.org'],
  panel_url: 'https://dash.cloudflare.com/',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Content',
    valueByType: { A: 'IPv4 address', AAAA: 'IPv6 address', CNAME: 'Target' },
  },
  apex_name: '@',
  apex: 'cname_flattening',
  steps: [
    'Sign in to the Cloudflare dashboard and choose {domain}.',
    'Open DNS, then Records.',
    'Click Add record.',
  ],
  caution:
    'Switch the orange cloud off, so that the proxy status of each record is "DNS only" with a grey cloud. With the proxy on, the hostname resolves to addresses of Cloudflare and cannot be connected.',
};
