import type { Provider } from '../provider.ts';

export const bluehost: Provider = {
  id: 'bluehost',
  name: 'Bluehost',
  name_servers: ['bluehost.com'],
  panel_url: 'https://my.bluehost.com/',
  fields: { type: 'Type', name: 'Host Record', value: 'Points To', value_of: { TXT: 'TXT Value' } },
  apex_name: '@',
  apex: 'addresses',
  steps: ['Sign in to Bluehost and open Domains.', 'Choose {domain}, then DNS.', 'Click Add Record.'],
  caution:
    'A domain with hosting at Bluehost has A records of its own for {domain} and www: edit or delete the one that has the same name.',
};
