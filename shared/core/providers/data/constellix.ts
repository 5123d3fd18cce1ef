import type { Provider } from '../provider.ts';

export const constellix: Provider = {
  id: 'constellix',
  name: 'Constellix',
  name_servers: ['constellix.com', 'constellix.net'],
  panel_url: 'https://manage.constellix.com/',
  fields: { type: 'Record type', name: 'Name', value: 'Value' },
  apex_name: '',
  apex: 'aname',
  steps: [
    'Sign in to Constellix and open Managed DNS.',
    'Choose {domain}.',
    'Click the plus sign beside the record type.',
  ],
  caution:
    'Your changes are pending until you review and apply them. End the value of a CNAME with a dot. Otherwise Constellix adds {domain} to it.',
};
