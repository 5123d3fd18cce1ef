import type { Provider } from '../provider.ts';

export const cloudns: Provider = {
  id: 'cloudns',
  name: 'ClouDNS',
  name_servers: ['cloudns.net'],
  panel_url: 'https://www.cloudns.net/main/',
  fields: { type: 'Type', name: 'Host', value: 'Points to' },
  apex_name: '',
  apex: 'alias',
  steps: [
    { say: 'signInChooseUnder', at: 'ClouDNS', menu: ['DNS zones'] },
    { say: 'typeTab' },
    { say: 'click', button: 'Add new record' },
  ],
  cautions: [],
};
