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
    { say: 'signInOpen', at: 'Alibaba Cloud', menu: ['Alibaba Cloud DNS'] },
    { say: 'choose' },
    { say: 'click', button: 'Add Record' },
  ],
  cautions: [{ say: 'defaultLine', value: 'Default' }],
};
