import type { Provider } from '../provider.ts';

export const wix: Provider = {
  id: 'wix',
  name: 'Wix',
  name_servers: ['wixdns.net'],
  panel_url: 'https://manage.wix.com/account/domains',
  fields: { type: 'Section', name: 'Host Name', value: 'Value' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Wix', menu: ['Domains'] },
    { say: 'menuBeside', menu: ['Manage DNS Records'] },
    { say: 'clickInType', button: 'Add Record' },
  ],
  cautions: [{ say: 'ownSite' }, { say: 'noAaaa' }],
};
