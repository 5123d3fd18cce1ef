import type { Provider } from '../provider.ts';

export const akamai: Provider = {
  id: 'akamai',
  name: 'Akamai',
  name_servers: ['akam.net'],
  panel_url: 'https://control.akamai.com/',
  fields: { type: 'Record type', name: 'Name', value: 'Data' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to Akamai Control Center and open Edge DNS.',
    'Choose the zone {domain}.',
    'Add a record set.',
  ],
  caution:
    'Akamai keeps all values of the same name and type in one record set. A change takes effect only after you submit its change list.',
};
