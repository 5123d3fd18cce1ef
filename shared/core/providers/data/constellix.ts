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
    { say: 'signInOpen', at: 'Constellix', menu: ['Managed DNS'] },
    { say: 'choose' },
    { say: 'plusBesideType' },
  ],
  cautions: [{ say: 'submitChanges' }, { say: 'dotAfterCname' }],
};
