import type { Provider } from '../provider.ts';

export const ovhcloud: Provider = {
  id: 'ovhcloud',
  name: 'OVHcloud',
  name_servers: ['ovh.net', 'ovh.ca', 'anycast.me'],
  panel_url: 'https://www.ovh.com/manager/#/web/domain',
  fields: { type: 'Record type', name: 'Sub-domain', value: 'Target', valueByType: { TXT: 'Value' } },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'OVHcloud', menu: ['Web Cloud', 'Domain names'] },
    { say: 'chooseOpen', menu: ['DNS zone'] },
    { say: 'clickType', button: 'Add an entry' },
  ],
  cautions: [{ say: 'dotAfterCname' }],
};
