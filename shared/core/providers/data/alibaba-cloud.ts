import type { Provider } from '../provider.ts';

export const alibabaCloud: Provider = {
  id: 'alibaba-cloud',
  name: 'Alibaba Cloud',
  name_servers: ['alidns.com', 'hichina.com'],
  panel_url: 'https://dns.console.aliyun.com/',
  fields: { type: 'Record Type', name: 'Hostname', value: 'Record Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to Alibaba Cloud and open Alibaba Cloud DNS.',
    'Choose {domain} in the list of public zones.',
    'Click Add Record.',
  ],
  caution: 'Keep the default DNS request line (ISP line). With any other, only some visitors see the record.',
};
