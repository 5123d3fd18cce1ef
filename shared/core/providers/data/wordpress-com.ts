import type { Provider } from '../provider.ts';

export const wordpressCom: Provider = {
  id: 'wordpress-com',
  name: 'WordPress.com',
  name_servers: ['wordpress.com'],
  panel_url: 'https://wordpress.com/domains/manage',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Value',
    valueByType: { A: 'Points to', AAAA: 'Points to', CNAME: 'Alias of (points to)', TXT: 'Text' },
  },
  apex_name: '',
  apex: 'alias',
  steps: [
    { say: 'signInOpen', at: 'WordPress.com', menu: ['Domains'] },
    { say: 'chooseOpen', menu: ['DNS records'] },
    { say: 'click', button: 'Add a record' },
  ],
  cautions: [{ say: 'apexRecord', type: 'A' }],
};
