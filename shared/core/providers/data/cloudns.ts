import type { Provider } from '../provider.ts';

export const cloudns: Provider = {
  id: 'cloudns',
  name: 'ClouDNS',
  name_servers: ['cloudns.net'],
  panel_url: 'https://www.cloudns.net/main/',
  fields: { type: 'Type', name: 'Host', value: 'Points to' },
  apex_name: '',
  apex: 'alias',
  steps: [
    'Sign in to ClouDNS and choose {domain} under DNS zones.',
    'Choose the tab of the record type.',
    'Click Add new record.',
  ],
  caution: null,
};
