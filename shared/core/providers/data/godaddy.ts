import type { Provider } from '../provider.ts';

export const godaddy: Provider = {
  id: 'godaddy',
  name: 'GoDaddy',
  name_servers: ['domaincontrol.com'],
  panel_url: 'https://dcc.godaddy.com/control/portfolio',
  fields: { type: 'Type', name: 'Name', value: 'Value' },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'GoDaddy', menu: ['Domain Portfolio'] },
    { say: 'chooseOpen', menu: ['DNS'] },
    { say: 'click', button: 'Add New Record' },
  ],
  cautions: [
    { say: 'featureOff', option: 'Forwarding' },
    { say: 'apexParked', value: 'Parked' },
  ],
};
