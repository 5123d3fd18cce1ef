import type { Provider } from '../provider.ts';

export const bluehost: Provider = {
  id: 'bluehost',
  name: 'Bluehost',
  name_servers: ['bluehost.com'],
  panel_url: 'https://my.bluehost.com/',
  fields: { type: 'Type', name: 'Host Record', value: 'Points To', valueByType: { TXT: 'TXT Value' } },
  apex_name: '@',
  apex: 'addresses',
  steps: ['Sign in to Bluehost and open Domains.', 'Choose {domain}, then DNS.', 'Click Add Record.'],
  caution:
    'If your website is hosted at Bluehost, {domain} and www already have A records there: edit or delete the one with the same name.',
};
