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
    'Sign in to DNS Made Easy and open Managed DNS.',
    'Choose {domain}.',
    'Click the plus sign beside the record type.',
  ],
  caution: 'End the value of a CNAME with a dot. Otherwise DNS Made Easy adds {domain} to it.',
};
