import type { Provider } from '../provider.ts';

export const vultr: Provider = {
  id: 'vultr',
  name: 'Vultr',
  name_servers: ['vultr.com'],
  panel_url: 'https://my.vultr.com/dns/',
  fields: { type: 'Type', name: 'Name', value: 'Data' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Vultr', menu: ['Products', 'Network', 'DNS'] },
    { say: 'choose' },
    { say: 'rowForRecord' },
  ],
  cautions: [{ say: 'newZoneRecords' }],
};
