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
  steps: [
    { say: 'signInChoose', at: 'Hover' },
    { say: 'open', menu: ['DNS'] },
    { say: 'click', button: 'Add a record' },
  ],
  cautions: [{ say: 'apexRecord', type: 'A' }],
};
