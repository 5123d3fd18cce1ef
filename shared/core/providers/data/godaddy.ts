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
    'Turn off Forwarding for this name first. If you connect {domain} itself and the domain is new, also delete the A record named @ with the value Parked.',
};
