import type { Provider } from '../provider.ts';

export const bluehost: Provider = {
  id: 'bluehost',
  name: 'Bluehost',
  name_servers: ['bluehost.com'],
  panel_url: 'https://my.bluehost.com/',
  fields: { type: 'Type', name: 'Host Record', value: 'Points To', valueByType: { TXT: 'TXT Value' } },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Bluehost', menu: ['Domains'] },
    { say: 'chooseOpen', menu: ['DNS'] },
    { say: 'click', button: 'Add Record' },
  ],
  cautions: [{ say: 'ownRecords' }],
};
