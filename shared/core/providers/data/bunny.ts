import type { Provider } from '../provider.ts';

export const bunny: Provider = {
  id: 'bunny',
  name: 'Bunny',
  name_servers: ['bunny.net'],
  panel_url: 'https://dash.bunny.net/dns',
  fields: { type: 'Record Type', name: 'Hostname', value: 'Value' },
  apex_name: '',
  apex: 'cname_flattening',
  steps: [
    { say: 'signInOpen', at: 'bunny.net', menu: ['DNS'] },
    { say: 'choose' },
    { say: 'click', button: 'Add Record' },
  ],
  cautions: [{ say: 'accelerationOff', option: 'CDN acceleration' }],
};
