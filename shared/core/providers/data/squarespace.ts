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
    { say: 'signInOpen', at: 'Squarespace', menu: ['Domains'] },
    { say: 'chooseOpen', menu: ['DNS'] },
    { say: 'clickUnder', button: 'Add record', menu: ['Custom records'] },
  ],
  cautions: [{ say: 'presetRecords', option: 'Squarespace Defaults' }],
};
