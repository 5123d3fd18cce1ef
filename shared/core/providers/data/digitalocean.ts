import type { Provider } from '../provider.ts';

export const digitalocean: Provider = {
  id: 'digitalocean',
  name: 'DigitalOcean',
  name_servers: ['digitalocean.com'],
  panel_url: 'https://cloud.digitalocean.com/networking/domains',
  fields: {
    type: 'Record type',
    name: 'Hostname',
    value: 'Value',
    valueByType: { A: 'Will direct to', AAAA: 'Will direct to', CNAME: 'Is an alias of' },
  },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'DigitalOcean', menu: ['Networking', 'Domains'] },
    { say: 'choose' },
    { say: 'typeTabUnder', menu: ['Create new record'] },
  ],
  cautions: [{ say: 'checkValue' }],
};
