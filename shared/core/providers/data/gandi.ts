import type { Provider } from '../provider.ts';

export const gandi: Provider = {
  id: 'gandi',
  name: 'Gandi',
  name_servers: ['gandi.net'],
  panel_url: 'https://admin.gandi.net/domain',
  fields: {
    type: 'Type',
    name: 'Name',
    value: 'Value',
    valueByType: { A: 'IPv4 address', AAAA: 'IPv6 address', CNAME: 'Hostname', TXT: 'Text value' },
  },
  apex_name: '@',
  apex: 'alias',
  steps: [
    { say: 'signInOpen', at: 'Gandi', menu: ['Domain'] },
    { say: 'chooseOpen', menu: ['DNS Records'] },
    { say: 'click', button: 'Add' },
  ],
  cautions: [{ say: 'dotAfterCname' }, { say: 'deleteRedirect' }],
};
