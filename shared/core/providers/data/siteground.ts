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
    'Sign in to SiteGround and open Site Tools of the website.',
    'Open Domain, then DNS Zone Editor, and choose {domain}.',
    'Choose the tab of the record type.',
  ],
  caution:
    'SiteGround adds A records for {domain} and www automatically: edit or delete the one with the same name.',
};
