import type { Provider } from '../provider.ts';

export const hetzner: Provider = {
  id: 'hetzner',
  name: 'Hetzner',
  name_servers: ['hetzner.com', 'hetzner.de'],
  panel_url: 'https://console.hetzner.com/',
  fields: { type: 'Type', name: 'Name', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInProject', at: 'Hetzner Console', menu: ['DNS'] },
    { say: 'choose' },
    { say: 'addRecord' },
  ],
  cautions: [
    { say: 'oldConsole', option: 'Hetzner Console', value: 'dns.hetzner.com' },
    { say: 'dotAfterCname' },
  ],
};
