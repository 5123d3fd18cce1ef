import type { Provider } from '../provider.ts';

export const hover: Provider = {
  id: 'hover',
  name: 'Hover',
  name_servers: ['hover.com'],
  panel_url: 'https://www.hover.com/control_panel',
  fields: {
    type: 'Type',
    name: 'Hostname',
    value: 'Value',
    valueByType: { A: 'IP address', AAAA: 'IP address', CNAME: 'Target name', TXT: 'Content' },
  },
  apex_name: '@',
  apex: 'addresses',
  steps: ['Sign in to Hover and choose {domain}.', 'Open the DNS tab.', 'Click Add a record.'],
  caution:
    'A new domain has A records of Hover at @ and at *. If you connect {domain} itself, delete the one at @.',
};
