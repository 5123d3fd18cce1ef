import type { Provider } from '../provider.ts';

export const enom: Provider = {
  id: 'enom',
  name: 'eNom',
  name_servers: ['name-services.com'],
  panel_url: 'https://www.enom.com/',
  fields: { type: 'Record Type', name: 'Host Name', value: 'Address' },
  apex_name: '@',
  apex: 'addresses',
  steps: [{ say: 'signInDomains', at: 'eNom' }, { say: 'chooseRecords' }, { say: 'addRecord' }],
  cautions: [{ say: 'reseller' }],
};
