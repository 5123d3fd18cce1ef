import type { Provider } from '../provider.ts';

export const linode: Provider = {
  id: 'linode',
  name: 'Linode',
  name_servers: ['linode.com'],
  panel_url: 'https://cloud.linode.com/domains',
  fields: {
    type: 'Record section',
    name: 'Hostname',
    value: 'Value',
    valueByType: { A: 'IP Address', AAAA: 'IP Address', CNAME: 'Alias to' },
  },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Linode Cloud Manager', menu: ['Domains'] },
    { say: 'choose' },
    { say: 'clickInType', button: 'Add' },
  ],
  cautions: [],
};
