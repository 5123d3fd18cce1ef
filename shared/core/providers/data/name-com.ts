import type { Provider } from '../provider.ts';

export const nameCom: Provider = {
  id: 'name-com',
  name: 'Name.com',
  name_servers: ['name.com'],
  panel_url: 'https://www.name.com/account/domain',
  fields: { type: 'Type', name: 'Host', value: 'Answer' },
  apex_name: '',
  apex: 'addresses',
  steps: [
    { say: 'signInOpen', at: 'Name.com', menu: ['My Domains'] },
    { say: 'chooseOpen', menu: ['Manage DNS Records'] },
    { say: 'typeInForm' },
  ],
  cautions: [{ say: 'deleteRedirect' }],
};
