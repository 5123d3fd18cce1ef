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
    'Sign in to the Linode Cloud Manager and open Domains.',
    'Choose {domain}.',
    'Click the Add button in the section of the record type.',
  ],
  caution: null,
};
