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
    'Sign in to WordPress.com and open Domains.',
    'Choose {domain}, then DNS records.',
    'Click Add a record.',
  ],
  caution: 'If you connect {domain} itself, delete its default A records, which belong to WordPress.com.',
};
