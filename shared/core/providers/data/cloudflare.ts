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
    { say: 'signInChoose', at: 'Cloudflare' },
    { say: 'open', menu: ['DNS', 'Records'] },
    { say: 'click', button: 'Add record' },
  ],
  cautions: [{ say: 'orangeCloud', value: 'DNS only' }],
};
