import type { Provider } from '../provider.ts';

export const dnsimple: Provider = {
  id: 'dnsimple',
  name: 'DNSimple',
  name_servers: ['dnsimple.com', 'dnsimple-edge.net', 'dnsimple-edge.org'],
  panel_url: 'https://dnsimple.com/dashboard',
  fields: { type: 'Type', name: 'Name', value: 'Content' },
  apex_name: '',
  apex: 'alias',
  steps: [
    'Sign in to DNSimple and choose {domain}.',
    'Open DNS and click Manage beside the records.',
    'Click Add record and choose the type.',
  ],
  caution: 'If there is an ALIAS or URL record with the same name, delete it first.',
};
