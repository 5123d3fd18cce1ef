import type { Provider } from '../provider.ts';

export const dynadot: Provider = {
  id: 'dynadot',
  name: 'Dynadot',
  name_servers: ['dyna-ns.net', 'dynadot.com'],
  panel_url: 'https://www.dynadot.com/account/domain/name/list.html',
  fields: { type: 'Record Type', name: 'Subdomain', value: 'IP Address or Target Host' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to Dynadot and open Manage Domains under My Domains.',
    'Choose {domain}, then DNS Settings, and choose Dynadot DNS.',
    'Use Domain Record for {domain} itself, and Subdomain Records for a name below it.',
  ],
  caution: 'Dynadot serves none of your records while the DNS settings are at Parking or Forwarding.',
};
