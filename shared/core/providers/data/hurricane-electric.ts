import type { Provider } from '../provider.ts';

export const hurricaneElectric: Provider = {
  id: 'hurricane-electric',
  name: 'Hurricane Electric',
  name_servers: ['he.net'],
  panel_url: 'https://dns.he.net/',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Value',
    valueByType: { A: 'IPv4 Address', AAAA: 'IPv6 Address', CNAME: 'Target', TXT: 'Text data' },
  },
  apex_name: '@',
  apex: 'alias',
  steps: [
    { say: 'signIn', at: 'Hurricane Electric Free DNS' },
    { say: 'pencilBeside' },
    { say: 'clickBesideType', button: 'New' },
  ],
  cautions: [{ say: 'checkName' }],
};
