import type { Provider } from '../provider.ts';

export const godaddy: Provider = {
  id: 'godaddy',
  name: 'GoDaddy',
  name_servers: ['domaincontrol.com'],
  panel_url: 'https://dcc.godaddy.com/control/portfolio',
  fields: { type: 'Type', name: 'Name', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to GoDaddy and open your Domain Portfolio.',
    'Choose {domain}, then DNS.',
    'Click Add New Record.',
  ],
  caution:
    'Forwarding puts addresses of GoDaddy at the name: delete it under Forwarding first. A new domain also has an A record named @ with the value Parked, which has to go when {domain} itself is to be connected.',
};
