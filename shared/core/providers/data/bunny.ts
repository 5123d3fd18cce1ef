import type { Provider } from '../provider.ts';

export const bunny: Provider = {
  id: 'bunny',
  name: 'Bunny',
  name_servers: ['bunny.net'],
  panel_url: 'https://dash.bunny.net/dns',
  fields: { type: 'Record Type', name: 'Hostname', value: 'Value' },
  apex_name: '',
  apex: 'cname_flattening',
  steps: ['Sign in to bunny.net and open DNS.', 'Choose the zone {domain}.', 'Click Add Record.'],
  caution:
    'Leave CDN acceleration off for these records. Otherwise the hostname resolves to addresses of Bunny.',
};
