import type { Provider } from '../provider.ts';

export const azure: Provider = {
  id: 'azure',
  name: 'Azure DNS',
  name_servers: ['azure-dns.com', 'azure-dns.net', 'azure-dns.org', 'azure-dns.info'],
  panel_url: 'https://portal.azure.com/',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Value',
    value_of: { A: 'IP address', AAAA: 'IPv6 address', CNAME: 'Alias' },
  },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to the Azure portal and open DNS zones.',
    'Choose {domain} and open its record sets.',
    'Click Add.',
  ],
  caution:
    'Leave "Alias record set" at No. All the values of one type at one name are one record set: put them in together.',
};
