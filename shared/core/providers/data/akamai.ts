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
    'All the values of one type at one name are one record set. A change counts only once its change list is submitted.',
};
