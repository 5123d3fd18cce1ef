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
    { say: 'signInOpen', at: 'Azure', menu: ['DNS zones'] },
    { say: 'chooseRecords' },
    { say: 'click', button: 'Add' },
  ],
  cautions: [{ say: 'optionOff', option: 'Alias record set', value: 'No' }, { say: 'oneRecordSet' }],
};
