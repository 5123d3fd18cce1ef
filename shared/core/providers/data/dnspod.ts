import type { Provider } from '../provider.ts';

export const dnspod: Provider = {
  id: 'dnspod',
  name: 'DNSPod',
  name_servers: ['dnspod.net'],
  panel_url: 'https://console.dnspod.com/',
  fields: { type: 'Type', name: 'Host', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInChoose', at: 'DNSPod' },
    { say: 'openRecords' },
    { say: 'click', button: 'Add Record' },
  ],
  cautions: [{ say: 'defaultLine', value: 'Default' }],
};
