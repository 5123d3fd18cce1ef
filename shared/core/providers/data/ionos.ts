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
    'Sign in to IONOS and open Domains & SSL.',
    'Click the gear beside {domain} and choose DNS.',
    'Click Add record and choose the type.',
  ],
  caution:
    'If a website, a redirect or email at IONOS uses the same name, IONOS lists the records that it switches off. Confirm only if you no longer need that service there.',
};
