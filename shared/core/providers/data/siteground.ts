import type { Provider } from '../provider.ts';

export const siteground: Provider = {
  id: 'siteground',
  name: 'SiteGround',
  name_servers: ['siteground.net'],
  panel_url: 'https://my.siteground.com/',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Value',
    valueByType: { A: 'Points to', AAAA: 'Points to', CNAME: 'Resolves to' },
  },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInSite', at: 'SiteGround', menu: ['Site Tools'] },
    { say: 'openChoose', menu: ['Domain', 'DNS Zone Editor'] },
    { say: 'typeTab' },
  ],
  cautions: [{ say: 'ownRecords' }],
};
