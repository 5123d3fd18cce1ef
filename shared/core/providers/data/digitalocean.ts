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
    'Sign in to DigitalOcean and open Networking, then Domains.',
    'Choose {domain}.',
    'Choose the tab of the record type under "Create new record".',
  ],
  caution:
    'Check the list after you save the record. If the value of a CNAME ends in {domain}, edit it and put a dot at its end.',
};
