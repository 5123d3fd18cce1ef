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
    'Enter only the host as shown below: Namecheap adds {domain} to it. If there is a URL Redirect or a parking CNAME with the same host, delete it first. With Namecheap hosting, the records are in cPanel, under Zone Editor.',
};
