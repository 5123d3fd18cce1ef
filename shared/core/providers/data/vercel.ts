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
    { say: 'signInTeam', at: 'Vercel', menu: ['Domains'] },
    { say: 'choose' },
    { say: 'formUnder', menu: ['DNS Records'] },
  ],
  cautions: [{ say: 'ownProject', menu: ['Domains'] }],
};
