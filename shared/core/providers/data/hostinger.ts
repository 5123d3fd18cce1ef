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
    { say: 'signInOpen', at: 'Hostinger', menu: ['Domains'] },
    { say: 'clickBesideOpen', button: 'Manage', menu: ['DNS / Nameservers'] },
    { say: 'formUnder', menu: ['Manage DNS records'] },
  ],
  cautions: [
    { say: 'deleteSameName', type: 'ALIAS, A, CNAME' },
    { say: 'liveNameServers', value: 'dns-parking.com' },
  ],
};
