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
    value_of: { A: 'Will direct to', AAAA: 'Will direct to', CNAME: 'Is an alias of' },
  },
  apex_name: '@',
  apex: 'addresses',
  steps: [
    'Sign in to DigitalOcean and open Networking, then Domains.',
    'Choose {domain}.',
    'Choose the tab of the record type under "Create new record".',
  ],
  caution:
    'Look at the list once the record is saved: a CNAME whose value ends in {domain} needs a dot at the end of the value.',
};
