import type { Provider } from '../provider.ts';

export const ionos: Provider = {
  id: 'ionos',
  name: 'IONOS',
  name_servers: ['ui-dns.com', 'ui-dns.org', 'ui-dns.de', 'ui-dns.biz'],
  panel_url: 'https://my.ionos.com/domains',
  fields: { type: 'Type', name: 'Host name', value: 'Points to', valueByType: { TXT: 'Value' } },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'IONOS', menu: ['Domains & SSL'] },
    { say: 'gearBeside', menu: ['DNS'] },
    { say: 'clickType', button: 'Add record' },
  ],
  cautions: [{ say: 'switchedOff' }],
};
