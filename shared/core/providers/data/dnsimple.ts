import type { Provider } from '../provider.ts';

export const dnsimple: Provider = {
  id: 'dnsimple',
  name: 'DNSimple',
  name_servers: ['dnsimple.com', 'dnsimple-edge.net', 'dnsimple-edge.org'],
  panel_url: 'https://dnsimple.com/dashboard',
  fields: { type: 'Type', name: 'Name', value: 'Content' },
  apex_name: '',
  apex: 'alias',
  steps: [
    { say: 'signInChoose', at: 'DNSimple' },
    { say: 'openClick', menu: ['DNS'], button: 'Manage' },
    { say: 'clickType', button: 'Add record' },
  ],
  cautions: [{ say: 'deleteSameName', type: 'ALIAS, URL' }],
};
