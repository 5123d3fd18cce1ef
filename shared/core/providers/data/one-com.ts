import type { Provider } from '../provider.ts';

export const oneCom: Provider = {
  id: 'one-com',
  name: 'One.com',
  name_servers: ['one.com'],
  panel_url: 'https://www.one.com/admin/dns.do',
  fields: {
    type: 'Type',
    name: 'Hostname',
    value: 'Value',
    valueByType: { A: 'Will direct to', AAAA: 'Will direct to', CNAME: 'Is an alias of' },
  },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to the One.com control panel and choose {domain}.',
    'Open DNS settings under Advanced settings, then DNS records.',
    'Click Create new record and choose the type.',
  ],
  caution: null,
};
