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
    { say: 'signInOpen', at: 'Akamai Control Center', menu: ['Edge DNS'] },
    { say: 'choose' },
    { say: 'addRecord' },
  ],
  cautions: [{ say: 'oneRecordSet' }, { say: 'submitChanges' }],
};
