import type { Provider } from '../provider.ts';

export const dnsMadeEasy: Provider = {
  id: 'dns-made-easy',
  name: 'DNS Made Easy',
  name_servers: ['dnsmadeeasy.com'],
  panel_url: 'https://cp.dnsmadeeasy.com/',
  fields: { type: 'Record type', name: 'Name', value: 'Value' },
  apex_name: '',
  apex: 'aname',
  steps: [
    { say: 'signInOpen', at: 'DNS Made Easy', menu: ['Managed DNS'] },
    { say: 'choose' },
    { say: 'plusBesideType' },
  ],
  cautions: [{ say: 'dotAfterCname' }],
};
