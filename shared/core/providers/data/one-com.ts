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
    { say: 'signInChoose', at: 'One.com' },
    { say: 'open', menu: ['Advanced settings', 'DNS settings', 'DNS records'] },
    { say: 'clickType', button: 'Create new record' },
  ],
  cautions: [],
};
