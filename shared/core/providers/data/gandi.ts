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
  steps: ['Sign in to Gandi and open Domain.', 'Choose {domain}, then DNS Records.', 'Click Add.'],
  caution:
    'End the value of a CNAME with a dot. Otherwise Gandi adds {domain} to it. If there is a web redirection for the same name, delete it first.',
};
