import type { Provider } from '../provider.ts';

export const dreamhost: Provider = {
  id: 'dreamhost',
  name: 'DreamHost',
  name_servers: ['dreamhost.com'],
  panel_url: 'https://panel.dreamhost.com/',
  fields: { type: 'Type', name: 'Host', value: 'Points to', valueByType: { TXT: 'TXT Value' } },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to the DreamHost panel and open Websites, then Manage Websites.',
    'Open the menu beside {domain} and choose DNS Settings.',
    'Click Add Record beside the type.',
  ],
  caution:
    'While {domain} is hosted at DreamHost, you cannot remove its A and AAAA records. Set the hosting of that name to DNS Only first.',
};
