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
    'Sign in to Name.com and open My Domains.',
    'Choose {domain}, then Manage DNS Records.',
    'Choose the type in the form for a new record.',
  ],
  caution: 'If there is a URL forwarding for the same name, delete it first.',
};
