import type { Provider } from '../provider.ts';

export const networkSolutions: Provider = {
  id: 'network-solutions',
  name: 'Network Solutions',
  name_servers: ['worldnic.com'],
  panel_url: 'https://www.networksolutions.com/my-account/',
  fields: { type: 'Type', name: 'Host name', value: 'Points to', valueByType: { TXT: 'TXT Value' } },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to Network Solutions and open your domains.',
    'Choose {domain}, then Advanced Tools.',
    'Click Manage beside the advanced DNS records and add a record.',
  ],
  caution: 'If the form asks what the record refers to, choose Other Host for a name below {domain}.',
};
