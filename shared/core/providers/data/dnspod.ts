import type { Provider } from '../provider.ts';

export const dnspod: Provider = {
  id: 'dnspod',
  name: 'DNSPod',
  name_servers: ['dnspod.net'],
  panel_url: 'https://console.dnspod.com/',
  fields: { type: 'Type', name: 'Host', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: ['Sign in to DNSPod and choose {domain}.', 'Open its records.', 'Click Add Record.'],
  caution: 'Keep the line at Default. With any other, only some visitors see the record.',
};
