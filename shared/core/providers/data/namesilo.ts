import type { Provider } from '../provider.ts';

export const namesilo: Provider = {
  id: 'namesilo',
  name: 'NameSilo',
  name_servers: ['dnsowl.com', 'namesilo.com'],
  panel_url: 'https://www.namesilo.com/account_domains.php',
  fields: {
    type: 'Type',
    name: 'Hostname',
    value: 'Value',
    valueByType: { A: 'IPv4 Address', AAAA: 'IPv6 Address', CNAME: 'Target Hostname', TXT: 'Text' },
  },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'NameSilo', menu: ['Domain Manager'] },
    { say: 'globeBeside', button: 'Manage DNS' },
    { say: 'typeInForm' },
  ],
  cautions: [{ say: 'parkingRecords' }],
};
