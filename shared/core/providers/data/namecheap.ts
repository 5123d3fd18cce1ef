import type { Provider } from '../provider.ts';

export const namecheap: Provider = {
  id: 'namecheap',
  name: 'Namecheap',
  name_servers: ['registrar-servers.com', 'namecheaphosting.com'],
  panel_url: 'https://ap.www.namecheap.com/domains/list/',
  fields: { type: 'Type', name: 'Host', value: 'Value' },
  apex_name: '@',
  apex: 'alias',
  steps: [
    { say: 'signInOpen', at: 'Namecheap', menu: ['Domain List'] },
    { say: 'clickBesideOpen', button: 'Manage', menu: ['Advanced DNS'] },
    { say: 'clickUnder', button: 'Add New Record', menu: ['Host Records'] },
  ],
  cautions: [
    { say: 'onlyHost' },
    { say: 'deleteRedirect' },
    { say: 'hostingPanel', menu: ['cPanel', 'Zone Editor'] },
  ],
};
