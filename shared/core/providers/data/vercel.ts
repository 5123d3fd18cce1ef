import type { Provider } from '../provider.ts';

export const vercel: Provider = {
  id: 'vercel',
  name: 'Vercel',
  name_servers: ['vercel-dns.com'],
  panel_url: 'https://vercel.com/dashboard/domains',
  fields: { type: 'Type', name: 'Name', value: 'Value' },
  apex_name: '',
  apex: 'cname_flattening',
  steps: [
    'Sign in to Vercel and open Domains of the team.',
    'Choose {domain}.',
    'Fill in the form under DNS Records.',
  ],
  caution:
    'If a Vercel project has the same hostname, visitors still see that project. Remove the hostname from the Domains settings of the project.',
};
