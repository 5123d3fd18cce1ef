import type { Provider } from '../provider.ts';

export const dynadot: Provider = {
  id: 'dynadot',
  name: 'Dynadot',
  name_servers: ['dyna-ns.net', 'dynadot.com'],
  panel_url: 'https://www.dynadot.com/account/domain/name/list.html',
  fields: { type: 'Record Type', name: 'Subdomain', value: 'IP Address or Target Host' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Dynadot', menu: ['My Domains', 'Manage Domains'] },
    { say: 'chooseOpen', menu: ['DNS Settings', 'Dynadot DNS'] },
    { say: 'formForDomain', button: 'Domain Record', option: 'Subdomain Records' },
  ],
  cautions: [{ say: 'parkingOff', option: 'Parking', value: 'Forwarding' }],
};
