import type { Provider } from '../provider.ts';

export const hetzner: Provider = {
  id: 'hetzner',
  name: 'Hetzner',
  name_servers: ['hetzner.com', 'hetzner.de'],
  panel_url: 'https://console.hetzner.com/',
  fields: { type: 'Type', name: 'Name', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to Hetzner Console, choose the project and open DNS.',
    'Choose {domain}.',
    'Add a record.',
  ],
  caution:
    'If you never moved the zone to Hetzner Console, it is at dns.hetzner.com. End the value of a CNAME with a dot. Otherwise Hetzner adds {domain} to it.',
};
