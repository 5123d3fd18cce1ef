import type { Provider } from '../provider.ts';

export const enom: Provider = {
  id: 'enom',
  name: 'eNom',
  name_servers: ['name-services.com'],
  panel_url: 'https://www.enom.com/',
  fields: { type: 'Record Type', name: 'Host Name', value: 'Address' },
  apex_name: '@',
  apex: 'addresses',
  steps: ['Sign in to eNom and open your domains.', 'Choose {domain}, then its host records.', 'Add a row.'],
  caution:
    'Many companies sell domains through eNom. If you have no account there, sign in at the company where you bought the domain.',
};
