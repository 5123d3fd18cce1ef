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
  steps: [{ say: 'signInChoose', at: 'UltraDNS' }, { say: 'openRecords' }, { say: 'addRecord' }],
  cautions: [{ say: 'oneRecordSet' }],
};
