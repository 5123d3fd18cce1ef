import type { Provider } from '../provider.ts';

export const hurricaneElectric: Provider = {
  id: 'hurricane-electric',
  name: 'Hurricane Electric',
  name_servers: ['he.net'],
  panel_url: 'https://dns.he.net/',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Value',
    valueByType: { A: 'IPv4 Address', AAAA: 'IPv6 Address', CNAME: 'Target', TXT: 'Text data' },
  },
  apex_name: '@',
  apex: 'alias',
  steps: [
    'Sign in to Hurricane Electric Free DNS.',
    'Click the pencil beside {domain}.',
    'Click "New" with the record type above the list.',
  ],
  caution:
    'Check the list after you save the record. Its name must be your full hostname, with {domain} in it only once.',
};
