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
    valueByType: { A: 'IP address', AAAA: 'IPv6 address', CNAME: 'Alias' },
  },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to the Azure portal and open DNS zones.',
    'Choose {domain} and open its record sets.',
    'Click Add.',
  ],
  caution:
    'Keep "Alias record set" at No. Azure keeps all values of the same name and type in one record set: enter them together.',
};
