import type { Provider } from '../provider.ts';

export const squarespace: Provider = {
  id: 'squarespace',
  name: 'Squarespace',
  name_servers: ['squarespacedns.com'],
  panel_url: 'https://account.squarespace.com/domains',
  fields: { type: 'Type', name: 'Host or Name', value: 'Data' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to Squarespace and open Domains.',
    'Choose {domain}, then DNS.',
    'Click Add record under Custom records.',
  ],
  caution:
    'The preset "Squarespace Defaults" has records for {domain} and www. If you connect one of these, delete the preset first.',
};
