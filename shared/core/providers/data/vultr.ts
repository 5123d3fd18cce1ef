import type { Provider } from '../provider.ts';

export const vultr: Provider = {
  id: 'vultr',
  name: 'Vultr',
  name_servers: ['vultr.com'],
  panel_url: 'https://my.vultr.com/dns/',
  fields: { type: 'Type', name: 'Name', value: 'Data' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    'Sign in to Vultr and open DNS under Products, Network.',
    'Choose {domain}.',
    'Fill in the row for a new record.',
  ],
  caution:
    'A new zone has an A record for {domain}, and a CNAME for all names below it. Edit or delete the one with the same name.',
};
