import type { Provider } from '../provider.ts';

export const porkbun: Provider = {
  id: 'porkbun',
  name: 'Porkbun',
  name_servers: ['porkbun.com'],
  panel_url: 'https://porkbun.com/account/domainsSpeedy',
  fields: { type: 'Type', name: 'Host', value: 'Answer' },
  apex_name: '',
  apex: 'alias',
  steps: [
    'Sign in to Porkbun and open Domain Management.',
    'Open DNS beside {domain}.',
    'Choose the type in the form for a new record.',
  ],
  caution:
    'A new domain has an ALIAS at {domain} and a CNAME at *, both for the parking page. If you connect {domain} itself, delete the ALIAS.',
};
