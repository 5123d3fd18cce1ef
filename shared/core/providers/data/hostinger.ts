import type { Provider } from '../provider.ts';

export const hostinger: Provider = {
  id: 'hostinger',
  name: 'Hostinger',
  name_servers: ['dns-parking.com'],
  panel_url: 'https://hpanel.hostinger.com/domains',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Points to',
    valueByType: { CNAME: 'Target', TXT: 'TXT value' },
  },
  apex_name: '@',
  apex: 'cname_flattening',
  steps: [
    'Sign in to Hostinger and open Domains.',
    'Click Manage beside {domain}, then open DNS / Nameservers.',
    'Fill in the form under "Manage DNS records".',
  ],
  caution:
    'If there is an ALIAS, A or CNAME record with the same name, delete it. The name servers dns-parking.com are correct: they serve live domains too.',
};
