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
    'Sign in to NameSilo and open Domain Manager.',
    'Click the globe, Manage DNS, beside {domain}.',
    'Choose the type to add a record.',
  ],
  caution: 'A new domain has parking records: delete those with the same name.',
};
