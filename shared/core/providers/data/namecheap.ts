import type { Provider } from '../provider.ts';

export const namecheap: Provider = {
  id: 'namecheap',
  name: 'Namecheap',
  name_servers: ['registrar-servers.com', 'namecheaphosting.com'],
  panel_url: 'https://ap.www.namecheap.com/domains/list/',
  fields: { type: 'Type', name: 'Host', value: 'Value' },
  apex_name: '@',
  apex: 'alias',
  steps: [
    'Sign in to Namecheap and open Domain List.',
    'Click Manage beside {domain}, then open Advanced DNS.',
    'Click Add New Record under Host Records.',
  ],
  caution:
    'Namecheap adds {domain} to the host by itself: a host that is typed in full ends up doubled. A URL Redirect or a parking CNAME with the same host has to be deleted first. With Namecheap hosting the records are in cPanel, under Zone Editor.',
};
