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
    { say: 'signInOpen', at: 'Porkbun', menu: ['Domain Management'] },
    { say: 'openBeside', menu: ['DNS'] },
    { say: 'typeInForm' },
  ],
  cautions: [{ say: 'apexRecord', type: 'ALIAS' }],
};
