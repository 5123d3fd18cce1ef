import type { Provider } from '../provider.ts';

export const ultradns: Provider = {
  id: 'ultradns',
  name: 'UltraDNS',
  name_servers: [
    'ultradns.com',
    'ultradns.net',
    'ultradns.org',
    'ultradns.biz',
    'ultradns.info',
    'ultradns.co.uk',
  ],
  panel_url: 'https://portal.ultradns.com/',
  fields: { type: 'Record Type', name: 'Host', value: 'Points To', valueByType: { TXT: 'Text' } },
  apex_name: '',
  apex: 'alias',
  steps: [
    'Sign in to UltraDNS and choose the zone {domain}.',
    'Open its records.',
    'Add a record of the type.',
  ],
  caution: 'UltraDNS keeps all values of the same name and type in one record pool: enter them together.',
};
