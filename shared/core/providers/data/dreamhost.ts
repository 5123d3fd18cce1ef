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
    { say: 'signInOpen', at: 'DreamHost', menu: ['Websites', 'Manage Websites'] },
    { say: 'menuBeside', menu: ['DNS Settings'] },
    { say: 'clickBesideType', button: 'Add Record' },
  ],
  cautions: [{ say: 'hostedName', value: 'DNS Only' }],
};
